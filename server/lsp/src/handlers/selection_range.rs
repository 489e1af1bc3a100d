//! `textDocument/selectionRange`

use promptls_analysis::selection_ranges;
use promptls_resolver::FileId;
use tower_lsp::ls_types as lsp;

use crate::context::Context;
use crate::errors::Result;
use crate::session::prompt_snapshot::{PromptSnapshot, View};

/// The nested ranges around each of some positions in prompts.
pub fn selection_range(
    context: Context<Vec<PromptSnapshot>>,
    params: lsp::SelectionRangeParams,
) -> Result<Option<Vec<lsp::SelectionRange>>> {
    let encoding = context.encoding();
    let views = context.subject.iter().cloned();
    let views: Vec<View> = views.map(|prompt| View { prompt, file: FileId::PROMPT }).collect();
    let around = |position: lsp::Position| {
        views.iter().find_map(|view| {
            let offset = view.offset(position, encoding)?;
            let ranges = selection_ranges(view.prompt.snapshot(), offset);
            let ranges = ranges.iter().filter_map(|range| view.prompt.lsp_range(range, encoding));
            nested(ranges.collect())
        })
    };
    // Each position needs a result; otherwise there is no response.
    Ok(params.positions.into_iter().map(around).collect())
}

/// Converts ranges, each inside the next, to the type of the protocol.
fn nested(ranges: Vec<lsp::Range>) -> Option<lsp::SelectionRange> {
    let outwards = |parent: Option<lsp::SelectionRange>, range| {
        Some(lsp::SelectionRange { range, parent: parent.map(Box::new) })
    };
    ranges.into_iter().rev().fold(None, outwards)
}
