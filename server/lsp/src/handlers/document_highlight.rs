//! `textDocument/documentHighlight`

use promptls_analysis::document_highlights;
use promptls_resolver::Location;
use tower_lsp::ls_types as lsp;

use super::from_all_views;
use crate::context::Context;
use crate::errors::Result;
use crate::session::prompt_snapshot::View;

/// The other uses of the name at a position, in the same file.
pub fn document_highlight(
    context: Context<Vec<View>>,
    params: lsp::DocumentHighlightParams,
) -> Result<Option<Vec<lsp::DocumentHighlight>>> {
    let position = params.text_document_position_params.position;
    let encoding = context.encoding();
    let ranges = from_all_views(&context.subject, |view| {
        let View { prompt, file } = view;
        let offset = view.offset(position, encoding)?;
        let ranges = document_highlights(prompt.snapshot(), *file, offset);
        let ranges = ranges.into_iter().filter_map(|range| {
            let location = Location { file: *file, range };
            Some(prompt.location(&location, encoding)?.range)
        });
        Some(ranges.collect())
    });
    let highlight = |range| lsp::DocumentHighlight { range, kind: None };
    Ok(Some(ranges.into_iter().map(highlight).collect()))
}
