//! `textDocument/foldingRange`

use promptls_analysis::position::Encoding;
use promptls_analysis::{Fold, folding_ranges};
use tower_lsp::ls_types as lsp;

use crate::client_capabilities::{ClientCapabilities, Display};
use crate::context::Context;
use crate::errors::Result;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The folds in prompts. `None`, not an empty list, for a document without folds: editors then fold
/// by indentation.
pub fn folding_range(
    context: Context<Vec<PromptSnapshot>>,
    _: lsp::FoldingRangeParams,
) -> Result<Option<Vec<lsp::FoldingRange>>> {
    let &ClientCapabilities { encoding, display, .. } = context.client();
    let folds = folds(&context.subject, encoding, display);
    Ok((!folds.is_empty()).then_some(folds))
}

fn folds(
    prompts: &[PromptSnapshot],
    encoding: Encoding,
    display: Display,
) -> Vec<lsp::FoldingRange> {
    let fold = |(prompt, fold): (&PromptSnapshot, Fold)| {
        let lsp::Range { start, end } = prompt.shown_range(&fold.inside, encoding)?;
        let kind = fold.is_comment.then_some(lsp::FoldingRangeKind::Comment);
        let plain = lsp::FoldingRange {
            start_line: start.line,
            end_line: end.line,
            kind,
            ..lsp::FoldingRange::default()
        };
        Some(match display.folds_lines {
            // The line of the closer remains visible.
            true if fold.has_closer => {
                lsp::FoldingRange { end_line: end.line.saturating_sub(1), ..plain }
            }
            true => plain,
            false => lsp::FoldingRange {
                start_character: Some(start.character),
                end_character: Some(end.character),
                ..plain
            },
        })
    };
    let of_prompt = |prompt| {
        let folds = folding_ranges(PromptSnapshot::snapshot(prompt));
        folds.into_iter().map(move |fold| (prompt, fold))
    };
    let mut folds: Vec<_> = prompts.iter().flat_map(of_prompt).filter_map(fold).collect();
    // A prompt in a string may be within one line.
    folds.retain(|fold| fold.end_line > fold.start_line);
    if display.folds_lines {
        // A line can be the start of only one fold; the longest comes first.
        folds.dedup_by_key(|fold| fold.start_line);
    }
    if let Some(limit) = display.fold_limit.filter(|&limit| limit < folds.len()) {
        folds.sort_by_key(|fold| std::cmp::Reverse(fold.end_line - fold.start_line));
        folds.truncate(limit);
        folds.sort_by_key(|fold| (fold.start_line, std::cmp::Reverse(fold.end_line)));
    }
    folds
}
