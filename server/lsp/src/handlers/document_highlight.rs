//! `textDocument/documentHighlight`

use promptls_analysis::document_highlights;
use promptls_protocol as wire;
use promptls_resolver::Location;

use super::from_all_views;
use crate::context::Context;
use crate::document_range::DocumentPosition;
use crate::errors::Result;
use crate::session::prompt_snapshot::View;

/// The other uses of the name at a position, in the same file.
pub fn document_highlight(
    context: Context<Vec<View>>,
    at: DocumentPosition,
) -> Result<Vec<wire::Range>> {
    let encoding = context.encoding();
    Ok(from_all_views(&context.subject, |view| {
        let View { prompt, file } = view;
        let offset = view.offset(at.position, encoding)?;
        let ranges = document_highlights(prompt.snapshot(), *file, offset);
        let ranges = ranges.into_iter().filter_map(|range| {
            let location = Location { file: *file, range };
            Some(prompt.location(&location, encoding)?.range)
        });
        Some(ranges.collect())
    }))
}
