//! `textDocument/completion` and `completionItem/resolve`

use promptls_analysis::{
    Completion, CompletionKind, complete, complete_declarations, complete_inputs, describe,
};
use promptls_protocol::commands::LEAVE_PLACEHOLDER;
use promptls_resolver::{FileId, Format};
use promptls_workspace::{complete_config, is_variables_file};
use ropey::Rope;
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types as lsp;

use crate::client_capabilities::ClientCapabilities;
use crate::context::Context;
use crate::convert::{self, Uri};
use crate::errors::Result;
#[cfg(feature = "templates")]
use crate::handlers::sections;
use crate::session::Session;
use crate::session::prompt_snapshot::{PromptSnapshot, View};

/// Completes a header of `promptls.toml`, and closes the list of headers. Elsewhere it triggers no
/// completions.
pub const HEADER_END: &str = "]";

/// The data of a completion item, for resolving it.
#[derive(Debug, Serialize, Deserialize)]
struct CompletionData {
    uri: Uri,
    position: lsp::Position,
    name: String,
}

/// The completions at a position of a prompt, an inputs file, or `promptls.toml`.
pub fn completion(
    context: Context<Vec<View>>,
    params: lsp::CompletionParams,
) -> Result<Option<lsp::CompletionResponse>> {
    let at = params.text_document_position;
    let client = context.client();
    let documents = &context.session.documents;
    if let Some(path) = documents.open_config(&at.text_document.uri.clone().into()) {
        return Ok(documents.project().config(&path).and_then(|(text, _)| {
            let offset = convert::offset(&text, at.position, client.encoding)?;
            let found = complete_config(&text.to_string(), offset);
            Some(response(&text, found, &at, client))
        }));
    }
    let triggered_by = params.context.and_then(|context| context.trigger_character);
    if triggered_by.as_deref() == Some(HEADER_END) {
        return Ok(None);
    }
    let views = &context.subject;
    let Some(text) = views.first().and_then(text_of) else { return Ok(None) };
    let mut found: Vec<Completion> = Vec::new();
    for view in views {
        merge(&mut found, proposals(view, at.position, client));
        #[cfg(feature = "templates")]
        merge(&mut found, sections_at(view, at.position, &context));
    }
    Ok(Some(response(text, found, &at, client)))
}

/// The prompt of a completion item.
pub fn prompt_of(session: &Session, item: &lsp::CompletionItem) -> Option<PromptSnapshot> {
    let CompletionData { uri, position, .. } = data_of(item)?;
    session.documents.lookup().prompt_at(&uri, position, session.encoding())
}

/// Adds the documentation to a completion item.
pub fn resolve(
    context: Context<Option<PromptSnapshot>>,
    item: lsp::CompletionItem,
) -> Result<lsp::CompletionItem> {
    let &ClientCapabilities { encoding, markdown_items: markdown, .. } = context.client();
    let (Some(prompt), Some(CompletionData { position, name, .. })) =
        (&context.subject, data_of(&item))
    else {
        return Ok(item);
    };
    // The text may have changed since; then the name is treated as one outside of blocks.
    let offset = prompt.offset(position, encoding).unwrap_or(0);
    let about = describe(prompt.snapshot(), offset, &name);
    let about = prompt.markup(&about, markdown, encoding);
    Ok(lsp::CompletionItem { documentation: Some(documentation(about, markdown)), ..item })
}

fn data_of(item: &lsp::CompletionItem) -> Option<CompletionData> {
    serde_json::from_value(item.data.clone()?).ok()
}

/// The text of the requested document.
fn text_of(View { prompt, file }: &View) -> Option<&Rope> {
    match *file {
        FileId::PROMPT => Some(prompt.document_text()),
        file => Some(prompt.place(file)?.0),
    }
}

/// The completions of one prompt.
fn proposals(view: &View, position: lsp::Position, client: &ClientCapabilities) -> Vec<Completion> {
    let View { prompt, file } = view;
    let Some(offset) = view.offset(position, client.encoding) else { return Vec::new() };
    if *file == FileId::PROMPT {
        let found = complete(prompt.snapshot(), offset).into_iter();
        return found.filter_map(|found| prompt.completion_in_document(found)).collect();
    }
    let Some((text, uri)) = prompt.place(*file) else { return Vec::new() };
    let path = convert::path(&uri);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some(format) = Format::from_path(name) else { return Vec::new() };
    let (snapshot, text) = (prompt.snapshot(), text.to_string());
    if *file == snapshot.declarations.file {
        let variables_at = &prompt.prompt().variables_at;
        return complete_declarations(snapshot, &text, format, offset, variables_at);
    }
    // The file of a pack whose declarations are not used, or a file that no prompt reads.
    if *file == prompt.file().file || is_variables_file(name) {
        return Vec::new();
    }
    complete_inputs(snapshot, &text, format, offset)
}

/// The sections that a paragraph which is being typed may become.
#[cfg(feature = "templates")]
fn sections_at(
    View { prompt, file }: &View,
    position: lsp::Position,
    context: &Context<Vec<View>>,
) -> Vec<Completion> {
    let is_ours = *file == FileId::PROMPT && prompt.snapshot().foreign.is_none();
    let offset = is_ours.then(|| prompt.offset(position, context.encoding())).flatten();
    let language = context.session.preferences.language();
    let found = offset.map(|at| sections::proposals(prompt.snapshot(), at, &language));
    let found = found.into_iter().flatten();
    found.filter_map(|found| prompt.completion_in_document(found)).collect()
}

/// Adds the completions of another prompt. A key that several prompts need is listed once.
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
    client: &ClientCapabilities,
) -> lsp::CompletionResponse {
    // A completion that changes nothing would only consume the Enter that is meant for the text.
    let is_there = |it: &Completion| {
        text.byte_slice(it.replaced.clone()) == it.inserted.as_str()
            && matches!(it.kind, CompletionKind::Key | CompletionKind::Value)
    };
    let items = found.into_iter().filter(|it| !is_there(it)).enumerate();
    let items = items.map(|(index, completion)| item(text, completion, index, at, client));
    lsp::CompletionResponse::Array(items.collect())
}

/// Converts a completion. `index` preserves the order.
fn item(
    text: &Rope,
    completion: Completion,
    index: usize,
    at: &lsp::TextDocumentPositionParams,
    client: &ClientCapabilities,
) -> lsp::CompletionItem {
    let encoding = client.encoding;
    let kind = match completion.kind {
        CompletionKind::Name => lsp::CompletionItemKind::VARIABLE,
        CompletionKind::Member => lsp::CompletionItemKind::FIELD,
        CompletionKind::Fragment => lsp::CompletionItemKind::REFERENCE,
        CompletionKind::Prefix => lsp::CompletionItemKind::KEYWORD,
        CompletionKind::Block => lsp::CompletionItemKind::SNIPPET,
        CompletionKind::Key => lsp::CompletionItemKind::PROPERTY,
        CompletionKind::Value => lsp::CompletionItemKind::VALUE,
    };
    let mut range = convert::lsp_range(text, &completion.replaced, encoding);
    let snippet = completion.snippet.filter(|_| client.snippets);
    let insert_text_format = snippet.as_ref().map(|_| lsp::InsertTextFormat::SNIPPET);
    let mut new_text = snippet.unwrap_or(completion.inserted);
    let leaves = completion.completes && client.offers(LEAVE_PLACEHOLDER);
    let ends_at_cursor = range.end == at.position;
    if leaves && ends_at_cursor {
        // With the braces in the edit, the cursor ends after them. Not every editor treats the text
        // after the cursor as part of the word.
        new_text += &"}".repeat(completion.closers);
        range.end.character += u32::try_from(completion.closers).unwrap_or(0);
    }
    // Half of a quoted key is not a key, so those are always replaced.
    let is_word = !matches!(completion.kind, CompletionKind::Key | CompletionKind::Value);
    let text_edit = match client.insert_replace && is_word && !ends_at_cursor {
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
    let markdown = client.markdown_items;
    let about: Vec<String> = completion
        .documentation
        .iter()
        .map(|section| if markdown { section.markdown(|_| None) } else { section.plain() })
        .collect();
    let command = leaves.then(|| lsp::Command {
        title: "Leave the placeholder".to_owned(),
        command: LEAVE_PLACEHOLDER.to_owned(),
        arguments: None,
    });
    let detail = (!completion.detail.is_empty()).then_some(completion.detail);
    let label_details = detail
        .clone()
        .filter(|_| client.label_details)
        .map(|detail| lsp::CompletionItemLabelDetails { detail: None, description: Some(detail) });
    let data = completion.name.map(|name| CompletionData {
        uri: at.text_document.uri.clone().into(),
        position: at.position,
        name,
    });
    lsp::CompletionItem {
        filter_text: Some(completion.filter.unwrap_or_else(|| completion.label.clone())),
        label: completion.label,
        kind: Some(kind),
        detail,
        label_details,
        command,
        documentation: (!about.is_empty()).then(|| documentation(about.join("\n\n"), markdown)),
        sort_text: Some(format!("{index:05}")),
        insert_text_format,
        text_edit: Some(text_edit),
        additional_text_edits: comma,
        data: data.and_then(|data| serde_json::to_value(data).ok()),
        ..lsp::CompletionItem::default()
    }
}

fn documentation(about: String, markdown: bool) -> lsp::Documentation {
    match markdown {
        true => lsp::Documentation::MarkupContent(convert::markup_content(about, markdown)),
        false => lsp::Documentation::String(about),
    }
}
