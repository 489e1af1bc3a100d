//! `textDocument/linkedEditingRange`

use promptls_analysis::linked_places;
use promptls_protocol as wire;

use crate::context::Context;
use crate::document_range::DocumentPosition;
use crate::errors::Result;
use crate::session::prompt_snapshot::View;

/// The characters that a path or a keyword may contain.
pub const WORD_PATTERN: &str = r"[^\s{}#/]+";

/// The ranges that are edited together with the one at a position.
pub fn linked_editing_range(
    context: Context<Vec<View>>,
    at: DocumentPosition,
) -> Result<Option<Vec<wire::Range>>> {
    let encoding = context.encoding();
    Ok(context.subject.iter().find_map(|view| {
        let offset = view.offset(at.position, encoding)?;
        let places = linked_places(view.prompt.snapshot(), view.file, offset);
        let ranges = places.iter().filter_map(|place| view.prompt.wire_range(place, encoding));
        let ranges: Vec<wire::Range> = ranges.collect();
        (ranges.len() > 1).then_some(ranges)
    }))
}
