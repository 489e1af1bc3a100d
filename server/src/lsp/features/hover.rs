//! `textDocument/hover`

use promptls_analysis::hover;
use promptls_resolver::Location;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use super::config;
use crate::lsp::abilities::Abilities;
use crate::lsp::backend::{Backend, ask_all};
use crate::lsp::convert;

impl Backend {
    /// What to show at a place of a prompt, one of its sidecars, or `promptls.toml`. What several
    /// prompts say of one place counts once.
    pub(in crate::lsp) async fn hover_at(
        &self,
        at: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::Hover>> {
        let &Abilities { encoding, markdown, .. } = self.abilities();
        let uri = &at.text_document.uri;
        if let Some(path) = self.documents.open_config(uri) {
            return Ok(self.documents.config(&path).and_then(|(text, _)| {
                let offset = convert::offset(&text, at.position, encoding)?;
                let (range, about) = config::hover(&text.to_string(), offset)?;
                let about = if markdown { about.markdown(|_| None) } else { about.plain() };
                let contents = convert::markup_content(about, markdown);
                Some(lsp::Hover {
                    contents: lsp::HoverContents::Markup(contents),
                    range: Some(convert::lsp_range(&text, &range, encoding)),
                })
            }));
        }
        let views = self.documents.views(uri, at.position, encoding);
        let sections = ask_all(views, move |view| {
            let offset = view.offset(at.position, encoding)?;
            let hover = hover(view.moment.snapshot(), view.file, offset)?;
            let origin = Location { file: view.file, range: hover.range };
            let range = convert::location(&view.moment, &origin, encoding)?.range;
            let sections = hover.sections.iter().map(|section| {
                let section = std::slice::from_ref(section);
                (range, convert::markup(section, &view.moment, markdown, encoding))
            });
            Some(sections.collect())
        });
        let (ranges, sections): (Vec<_>, Vec<_>) = sections.await?.into_iter().unzip();
        Ok(ranges.first().map(|&range| lsp::Hover {
            contents: lsp::HoverContents::Markup(convert::markup_content(
                sections.join("\n\n"),
                markdown,
            )),
            range: Some(range),
        }))
    }
}
