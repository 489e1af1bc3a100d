//! `textDocument/foldingRange`

use std::cmp::Reverse;

use promptls_analysis::position::Encoding;
use promptls_analysis::{Fold, folding_ranges};
use promptls_protocol as wire;

use crate::client_capabilities::{ClientCapabilities, Display};
use crate::context::Context;
use crate::errors::Result;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The folds in prompts. `None`, not an empty list, for a document without folds: editors then fold
/// by indentation.
pub fn folding_range(
    context: Context<Vec<PromptSnapshot>>,
    (): (),
) -> Result<Option<Vec<FoldedRange>>> {
    let &ClientCapabilities { encoding, display, .. } = context.client();
    let folds = folds(&context.subject, encoding, display);
    Ok((!folds.is_empty()).then_some(folds))
}

/// A range that can be folded. An editor that folds whole lines ignores its columns.
pub struct FoldedRange {
    pub range: wire::Range,
    pub is_comment: bool,
}

fn folds(prompts: &[PromptSnapshot], encoding: Encoding, display: Display) -> Vec<FoldedRange> {
    let fold = |(prompt, fold): (&PromptSnapshot, Fold)| {
        let mut range = prompt.shown_range(&fold.inside, encoding)?;
        if display.folds_lines && fold.has_closer {
            // The line of the closer remains visible.
            range.end.line = range.end.line.saturating_sub(1);
        }
        Some(FoldedRange { range, is_comment: fold.is_comment })
    };
    let of_prompt = |prompt| {
        let folds = folding_ranges(PromptSnapshot::snapshot(prompt));
        folds.into_iter().map(move |fold| (prompt, fold))
    };
    let mut folds: Vec<_> = prompts.iter().flat_map(of_prompt).filter_map(fold).collect();
    // A prompt in a string may be within one line.
    folds.retain(|fold| fold.range.end.line > fold.range.start.line);
    if display.folds_lines {
        // A line can be the start of only one fold; the longest comes first.
        folds.dedup_by_key(|fold| fold.range.start.line);
    }
    if let Some(limit) = display.fold_limit.filter(|&limit| limit < folds.len()) {
        folds.sort_by_key(|fold| Reverse(fold.range.end.line - fold.range.start.line));
        folds.truncate(limit);
        folds.sort_by_key(|fold| (fold.range.start.line, Reverse(fold.range.end.line)));
    }
    folds
}
