//! `textDocument/selectionRange`

use promptls_analysis::selection_ranges;
use promptls_protocol as wire;
use promptls_resolver::FileId;

use crate::context::Context;
use crate::errors::Result;
use crate::session::prompt_snapshot::{PromptSnapshot, View};

/// The ranges around each of some positions in prompts, each inside the next.
pub fn selection_range(
    context: Context<Vec<PromptSnapshot>>,
    positions: Vec<wire::Position>,
) -> Result<Option<Vec<Vec<wire::Range>>>> {
    let encoding = context.encoding();
    let views = context.subject.iter().cloned();
    let views: Vec<View> = views.map(|prompt| View { prompt, file: FileId::PROMPT }).collect();
    let around = |position: wire::Position| {
        views.iter().find_map(|view| {
            let offset = view.offset(position, encoding)?;
            let ranges = selection_ranges(view.prompt.snapshot(), offset);
            let ranges = ranges.iter().filter_map(|range| view.prompt.wire_range(range, encoding));
            let ranges: Vec<_> = ranges.collect();
            (!ranges.is_empty()).then_some(ranges)
        })
    };
    // Each position needs a result; otherwise there is no response.
    Ok(positions.into_iter().map(around).collect())
}
