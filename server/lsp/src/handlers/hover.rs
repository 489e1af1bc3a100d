//! `textDocument/hover`

use promptls_analysis::hover as hover_at;
use promptls_protocol as wire;
use promptls_resolver::Location;
use promptls_workspace::hover_config;

use super::from_all_views;
use crate::client_capabilities::ClientCapabilities;
use crate::context::Context;
use crate::convert;
use crate::document_range::DocumentPosition;
use crate::errors::Result;
use crate::session::cross_prompt::views_or_readers;
use crate::session::prompt_snapshot::View;

/// A hover: Markdown if the editor supports it, otherwise plain text.
pub struct HoverText {
    pub range: wire::Range,
    pub text: String,
}

/// The hover for a position in a prompt, one of its sidecars, or `promptls.toml`. Equal texts from
/// several prompts are shown once.
pub fn hover(context: Context<Vec<View>>, at: DocumentPosition) -> Result<Option<HoverText>> {
    let &ClientCapabilities { encoding, markdown, .. } = context.client();
    let documents = &context.session.documents;
    if let Some(path) = documents.open_config(&at.uri) {
        return Ok(documents.project().config(&path).and_then(|(text, _)| {
            let offset = convert::offset(&text, at.position, encoding)?;
            let (range, about) = hover_config(&text.to_string(), offset)?;
            let text_of = if markdown { about.markdown(|_| None) } else { about.plain() };
            Some(HoverText { range: convert::wire_range(&text, &range, encoding), text: text_of })
        }));
    }
    let views = views_or_readers(documents, context.subject, &at, encoding);
    let sections = from_all_views(&views, |view| {
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
    Ok(ranges.first().map(|&range| HoverText { range, text: sections.join("\n\n") }))
}
