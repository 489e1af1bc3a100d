//! `textDocument/foldingRange`

use promptls_analysis::position::Encoding;
use promptls_analysis::{Fold, folding_ranges};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use super::{are_heavy, lsp_range};
use crate::lsp::abilities::{Abilities, Display};
use crate::lsp::backend::work;
use crate::lsp::documents::Documents;
use crate::lsp::moment::Moment;

/// What can be folded in prompts; nothing, not even an empty list, for a document that has
/// nothing to fold: then editors fold by indentation.
pub async fn answer(
    documents: &Documents,
    abilities: &Abilities,
    uri: &lsp::Uri,
) -> Result<Option<Vec<lsp::FoldingRange>>> {
    let moments = documents.moments(uri);
    let &Abilities { encoding, display, .. } = abilities;
    let folds = work(are_heavy(&moments), move || folds(&moments, encoding, display)).await?;
    Ok((!folds.is_empty()).then_some(folds))
}

fn folds(moments: &[Moment], encoding: Encoding, display: Display) -> Vec<lsp::FoldingRange> {
    let fold = |(moment, fold): (&Moment, Fold)| {
        let lsp::Range { start, end } = lsp_range(moment, &fold.inside, encoding)?;
        let kind = fold.is_comment.then_some(lsp::FoldingRangeKind::Comment);
        let plain = lsp::FoldingRange {
            start_line: start.line,
            end_line: end.line,
            kind,
            ..lsp::FoldingRange::default()
        };
        Some(match display.folds_lines {
            // The line of the closer stays.
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
    let of_prompt = |moment| {
        let folds = folding_ranges(Moment::snapshot(moment));
        folds.into_iter().map(move |fold| (moment, fold))
    };
    let mut folds: Vec<_> = moments.iter().flat_map(of_prompt).filter_map(fold).collect();
    // A prompt in a string may well stand in one line.
    folds.retain(|fold| fold.end_line > fold.start_line);
    if display.folds_lines {
        // A line can be the start of one fold only; the longest comes first.
        folds.dedup_by_key(|fold| fold.start_line);
    }
    if let Some(limit) = display.fold_limit.filter(|&limit| limit < folds.len()) {
        folds.sort_by_key(|fold| std::cmp::Reverse(fold.end_line - fold.start_line));
        folds.truncate(limit);
        folds.sort_by_key(|fold| (fold.start_line, std::cmp::Reverse(fold.end_line)));
    }
    folds
}
