//! `textDocument/linkedEditingRange`

use promptls_analysis::linked_places;
use tower_lsp::ls_types as lsp;

use crate::context::Context;
use crate::errors::Result;
use crate::session::prompt_snapshot::View;

/// The ranges that are edited together with the one at a position.
pub fn linked_editing_range(
    context: Context<Vec<View>>,
    params: lsp::LinkedEditingRangeParams,
) -> Result<Option<lsp::LinkedEditingRanges>> {
    let encoding = context.encoding();
    let position = params.text_document_position_params.position;
    let found = context.subject.iter().find_map(|view| {
        let offset = view.offset(position, encoding)?;
        let places = linked_places(view.prompt.snapshot(), view.file, offset);
        let ranges = places.iter().filter_map(|place| view.prompt.lsp_range(place, encoding));
        let ranges: Vec<lsp::Range> = ranges.collect();
        (ranges.len() > 1).then_some(ranges)
    });
    // The characters that a path or a keyword may contain.
    let word_pattern = Some(r"[^\s{}#/]+".to_owned());
    Ok(found.map(|ranges| lsp::LinkedEditingRanges { ranges, word_pattern }))
}
