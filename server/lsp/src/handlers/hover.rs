//! `textDocument/hover`

use promptls_analysis::{hover as hover_at, hover_part};
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
    if let Some(hover) = text_of_part(&context, &at) {
        return Ok(Some(hover));
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

/// The hover of a place in code that stands for a text of the same file.
fn text_of_part(context: &Context<Vec<View>>, at: &DocumentPosition) -> Option<HoverText> {
    let &ClientCapabilities { encoding, markdown, .. } = context.client();
    let documents = &context.session.documents;
    let text = documents.lookup().text(&at.uri)?;
    let offset = convert::offset(&text, at.position, encoding)?;
    let references = documents.unstored().text_references_at(&at.uri, &text, offset);
    let place = references.iter().find(|it| it.text.is_some())?.place.clone();
    let parts: Vec<&str> = references.iter().filter_map(|it| it.text.as_deref()).collect();
    let sections = hover_part(&text.byte_slice(place.clone()).to_string(), &parts);
    let shown = sections.iter().map(|section| match markdown {
        true => section.markdown(|_| None),
        false => section.plain(),
    });
    let shown: Vec<String> = shown.collect();
    let range = convert::wire_range(&text, &place, encoding);
    Some(HoverText { range, text: shown.join("\n\n") })
}
