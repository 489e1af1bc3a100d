//! `textDocument/hover`

use promptls_analysis::hover as hover_at;
use promptls_resolver::Location;
use promptls_workspace::hover_config;
use tower_lsp::ls_types as lsp;

use super::from_all_views;
use crate::client_capabilities::ClientCapabilities;
use crate::context::Context;
use crate::convert;
use crate::errors::Result;
use crate::session::prompt_snapshot::View;

/// The hover for a position in a prompt, one of its sidecars, or `promptls.toml`. Equal texts from
/// several prompts are shown once.
pub fn hover(context: Context<Vec<View>>, params: lsp::HoverParams) -> Result<Option<lsp::Hover>> {
    let at = params.text_document_position_params;
    let &ClientCapabilities { encoding, markdown, .. } = context.client();
    let documents = &context.session.documents;
    if let Some(path) = documents.open_config(&at.text_document.uri.clone().into()) {
        return Ok(documents.project().config(&path).and_then(|(text, _)| {
            let offset = convert::offset(&text, at.position, encoding)?;
            let (range, about) = hover_config(&text.to_string(), offset)?;
            let about = if markdown { about.markdown(|_| None) } else { about.plain() };
            let contents = convert::markup_content(about, markdown);
            Some(lsp::Hover {
                contents: lsp::HoverContents::Markup(contents),
                range: Some(convert::lsp_range(&text, &range, encoding)),
            })
        }));
    }
    let sections = from_all_views(&context.subject, |view| {
        let View { prompt, file } = view;
        let offset = view.offset(at.position, encoding)?;
        let hover = hover_at(prompt.snapshot(), *file, offset)?;
        let origin = Location { file: *file, range: hover.range };
        let range = prompt.location(&origin, encoding)?.range;
        let sections = hover.sections.iter().map(|section| {
            (range, prompt.markup(std::slice::from_ref(section), markdown, encoding))
        });
        Some(sections.collect())
    });
    let (ranges, sections): (Vec<_>, Vec<_>) = sections.into_iter().unzip();
    Ok(ranges.first().map(|&range| lsp::Hover {
        contents: lsp::HoverContents::Markup(convert::markup_content(
            sections.join("\n\n"),
            markdown,
        )),
        range: Some(range),
    }))
}
