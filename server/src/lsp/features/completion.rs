//! `textDocument/completion` and `completionItem/resolve`

use promptls_analysis::{Completion, CompletionKind, complete, complete_inputs, describe};
use promptls_resolver::{FileId, Format};
use ropey::Rope;
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types as lsp;

use super::config;
use crate::lsp::abilities::Abilities;
use crate::lsp::backend::{Backend, work};
use crate::lsp::convert;
use crate::lsp::moment::View;
use crate::workspace::is_variables_file;

/// What a completion item brings back when more is asked about it.
#[derive(Debug, Serialize, Deserialize)]
struct Asked {
    uri: lsp::Uri,
    position: lsp::Position,
    name: String,
}

impl Backend {
    /// What may stand at a place of a prompt, an inputs file, or `promptls.toml`.
    pub(in crate::lsp) async fn completion_at(
        &self,
        at: lsp::TextDocumentPositionParams,
    ) -> Result<Option<lsp::CompletionResponse>> {
        let abilities = self.abilities().clone();
        let encoding = abilities.encoding;
        let uri = &at.text_document.uri;
        if let Some(path) = self.documents.open_config(uri) {
            return Ok(self.documents.config(&path).and_then(|(text, _)| {
                let offset = convert::offset(&text, at.position, encoding)?;
                let found = config::complete(&text.to_string(), offset);
                Some(response(&text, found, &at, &abilities))
            }));
        }
        let views = self.documents.views(uri, at.position, encoding);
        let is_heavy = views.iter().any(|view| view.moment.snapshot().is_heavy());
        let answer = move || {
            let text = text_of(views.first()?)?;
            let mut found: Vec<Completion> = Vec::new();
            for view in &views {
                merge(&mut found, proposals(view, at.position, &abilities));
            }
            Some(response(text, found, &at, &abilities))
        };
        work(is_heavy, answer).await
    }

    /// A completion item with all that is known of it.
    pub(in crate::lsp) async fn resolved(
        &self,
        item: lsp::CompletionItem,
    ) -> Result<lsp::CompletionItem> {
        let &Abilities { encoding, markdown_items: markdown, .. } = self.abilities();
        let asked = item.data.clone().and_then(|data| serde_json::from_value::<Asked>(data).ok());
        let Some(Asked { uri, position, name }) = asked else { return Ok(item) };
        let Some(moment) = self.documents.moment_at(&uri, position, encoding) else {
            return Ok(item);
        };
        let is_heavy = moment.snapshot().is_heavy();
        work(is_heavy, move || {
            // The text may have changed since; then the name is taken for one outside of blocks.
            let offset = moment.offset(position, encoding).unwrap_or(0);
            let about = describe(moment.snapshot(), offset, &name);
            let about = convert::markup(&about, &moment, markdown, encoding);
            lsp::CompletionItem { documentation: Some(documentation(about, markdown)), ..item }
        })
        .await
    }
}

/// The text of the document that is asked about.
fn text_of(View { moment, file }: &View) -> Option<&Rope> {
    match *file {
        FileId::PROMPT => Some(moment.document_text()),
        file => Some(moment.place(file)?.0),
    }
}

/// What one prompt proposes.
fn proposals(view: &View, position: lsp::Position, abilities: &Abilities) -> Vec<Completion> {
    let View { moment, file } = view;
    let Some(offset) = view.offset(position, abilities.encoding) else { return Vec::new() };
    if *file == FileId::PROMPT {
        let found = complete(moment.snapshot(), offset).into_iter();
        return found.filter_map(|found| moment.completion_in_document(found)).collect();
    }
    let Some((text, uri)) = moment.place(*file) else { return Vec::new() };
    let path = uri.to_file_path().unwrap_or_default();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_other = *file == moment.snapshot().declarations.file
        || *file == moment.file().file
        || is_variables_file(name);
    match Format::from_path(name).filter(|_| !is_other) {
        Some(format) => complete_inputs(moment.snapshot(), &text.to_string(), format, offset),
        None => Vec::new(),
    }
}

/// Adds the proposals of one more prompt: a key that several need is proposed once.
fn merge(found: &mut Vec<Completion>, more: Vec<Completion>) {
    for completion in more {
        match found.iter_mut().find(|known| known.label == completion.label) {
            None => found.push(completion),
            Some(known) => {
                let new = completion.documentation.into_iter();
                let new: Vec<_> =
                    new.filter(|section| !known.documentation.contains(section)).collect();
                known.documentation.extend(new);
            }
        }
    }
}

fn response(
    text: &Rope,
    found: Vec<Completion>,
    at: &lsp::TextDocumentPositionParams,
    abilities: &Abilities,
) -> lsp::CompletionResponse {
    let items = found.into_iter().enumerate();
    let items = items.map(|(index, completion)| item(text, completion, index, at, abilities));
    lsp::CompletionResponse::Array(items.collect())
}

/// A proposal in the words of the protocol. `index` keeps our order.
fn item(
    text: &Rope,
    completion: Completion,
    index: usize,
    at: &lsp::TextDocumentPositionParams,
    abilities: &Abilities,
) -> lsp::CompletionItem {
    let encoding = abilities.encoding;
    let kind = match completion.kind {
        CompletionKind::Name => lsp::CompletionItemKind::VARIABLE,
        CompletionKind::Member => lsp::CompletionItemKind::FIELD,
        CompletionKind::Fragment => lsp::CompletionItemKind::REFERENCE,
        CompletionKind::Prefix => lsp::CompletionItemKind::KEYWORD,
        CompletionKind::Block => lsp::CompletionItemKind::SNIPPET,
        CompletionKind::Key => lsp::CompletionItemKind::PROPERTY,
        CompletionKind::Value => lsp::CompletionItemKind::VALUE,
    };
    let range = convert::lsp_range(text, &completion.replaced, encoding);
    let snippet = completion.snippet.filter(|_| abilities.snippets);
    let insert_text_format = snippet.as_ref().map(|_| lsp::InsertTextFormat::SNIPPET);
    let new_text = snippet.unwrap_or(completion.inserted);
    // Half a key with quotes is no key, so those are always replaced.
    let is_word = !matches!(completion.kind, CompletionKind::Key | CompletionKind::Value);
    let text_edit = match abilities.insert_replace && is_word && range.end != at.position {
        true => lsp::CompletionTextEdit::InsertAndReplace(lsp::InsertReplaceEdit {
            new_text,
            insert: lsp::Range { start: range.start, end: at.position },
            replace: range,
        }),
        false => lsp::CompletionTextEdit::Edit(lsp::TextEdit { range, new_text }),
    };
    let comma = completion.comma_at.map(|comma| {
        let range = convert::lsp_range(text, &(comma..comma), encoding);
        vec![lsp::TextEdit { range, new_text: ",".to_owned() }]
    });
    let markdown = abilities.markdown_items;
    let about: Vec<String> = completion
        .documentation
        .iter()
        .map(|section| if markdown { section.markdown(|_| None) } else { section.plain() })
        .collect();
    let asked = completion.name.map(|name| Asked {
        uri: at.text_document.uri.clone(),
        position: at.position,
        name,
    });
    lsp::CompletionItem {
        filter_text: Some(completion.filter.unwrap_or_else(|| completion.label.clone())),
        label: completion.label,
        kind: Some(kind),
        detail: (!completion.detail.is_empty()).then_some(completion.detail),
        documentation: (!about.is_empty()).then(|| documentation(about.join("\n\n"), markdown)),
        sort_text: Some(format!("{index:05}")),
        insert_text_format,
        text_edit: Some(text_edit),
        additional_text_edits: comma,
        data: asked.and_then(|asked| serde_json::to_value(asked).ok()),
        ..lsp::CompletionItem::default()
    }
}

fn documentation(about: String, markdown: bool) -> lsp::Documentation {
    match markdown {
        true => lsp::Documentation::MarkupContent(convert::markup_content(about, markdown)),
        false => lsp::Documentation::String(about),
    }
}
