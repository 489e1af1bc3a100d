//! Converts completions, and the requests about them.

use promptls_analysis::CompletionKind;
use promptls_protocol::commands::LEAVE_PLACEHOLDER;
use promptls_workspace::Indentation;
use tower_lsp::ls_types as lsp;

use super::display::command;
use super::{document_position, lsp_position, lsp_range, markup_content};
use crate::client_capabilities::ClientCapabilities;
use crate::handlers::CommandCall;
use crate::handlers::typing::completion::{CompletionData, CompletionQuery, PlacedCompletion};

/// Converts a request for completions.
pub fn completion_query(params: lsp::CompletionParams) -> CompletionQuery {
    let at = document_position(params.text_document_position);
    let typed = params.context.and_then(|context| context.trigger_character);
    CompletionQuery { at, typed }
}

/// The data of a completion; `None` if it is not one of this server.
pub fn completion_data(item: &lsp::CompletionItem) -> Option<CompletionData> {
    serde_json::from_value(item.data.clone()?).ok()
}

/// Converts completions. They keep their order.
pub fn completions(
    placed: Vec<PlacedCompletion>,
    client: &ClientCapabilities,
) -> lsp::CompletionResponse {
    let items = placed.into_iter().enumerate();
    let items = items.map(|(index, completion)| item(completion, index, client));
    lsp::CompletionResponse::Array(items.collect())
}

fn item(
    placed: PlacedCompletion,
    index: usize,
    client: &ClientCapabilities,
) -> lsp::CompletionItem {
    let PlacedCompletion { completion, replaced, comma_at, cursor, data } = placed;
    let kind = match completion.kind {
        CompletionKind::Name => lsp::CompletionItemKind::VARIABLE,
        CompletionKind::Member => lsp::CompletionItemKind::FIELD,
        CompletionKind::Fragment => lsp::CompletionItemKind::REFERENCE,
        CompletionKind::Prefix => lsp::CompletionItemKind::KEYWORD,
        CompletionKind::Block => lsp::CompletionItemKind::SNIPPET,
        CompletionKind::Key => lsp::CompletionItemKind::PROPERTY,
        CompletionKind::Value => lsp::CompletionItemKind::VALUE,
    };
    let (mut range, cursor) = (lsp_range(replaced), lsp_position(cursor));
    let snippet = completion.snippet.filter(|_| client.snippets);
    let insert_text_format = snippet.as_ref().map(|_| lsp::InsertTextFormat::SNIPPET);
    let mut new_text = snippet.unwrap_or(completion.inserted);
    let leaves = completion.completes && client.offers(LEAVE_PLACEHOLDER);
    let ends_at_cursor = range.end == cursor;
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
            insert: lsp::Range { start: range.start, end: cursor },
            replace: range,
        }),
        false => lsp::CompletionTextEdit::Edit(lsp::TextEdit { range, new_text }),
    };
    let comma = comma_at.map(lsp_position).map(|at| {
        let range = lsp::Range { start: at, end: at };
        vec![lsp::TextEdit { range, new_text: ",".to_owned() }]
    });
    let markdown = client.markdown_items;
    let about: Vec<String> = completion
        .documentation
        .iter()
        .map(|section| if markdown { section.markdown(|_| None) } else { section.plain() })
        .collect();
    let leave = || CommandCall {
        title: "Leave the placeholder".to_owned(),
        command: LEAVE_PLACEHOLDER,
        arguments: Vec::new(),
    };
    let detail = (!completion.detail.is_empty()).then_some(completion.detail);
    let label_details = detail
        .clone()
        .filter(|_| client.label_details)
        .map(|detail| lsp::CompletionItemLabelDetails { detail: None, description: Some(detail) });
    lsp::CompletionItem {
        filter_text: Some(completion.filter.unwrap_or_else(|| completion.label.clone())),
        label: completion.label,
        kind: Some(kind),
        detail,
        label_details,
        command: leaves.then(leave).map(command),
        documentation: (!about.is_empty()).then(|| documentation(about.join("\n\n"), markdown)),
        sort_text: Some(format!("{index:05}")),
        insert_text_format,
        text_edit: Some(text_edit),
        additional_text_edits: comma,
        data: data.and_then(|data| serde_json::to_value(data).ok()),
        ..lsp::CompletionItem::default()
    }
}

/// Converts the documentation of a completion.
pub fn documentation(about: String, markdown: bool) -> lsp::Documentation {
    match markdown {
        true => lsp::Documentation::MarkupContent(markup_content(about, markdown)),
        false => lsp::Documentation::String(about),
    }
}

/// Converts the options of a formatting request.
pub fn indentation(options: &lsp::FormattingOptions) -> Indentation {
    match options.insert_spaces {
        true => Indentation::Blanks(options.tab_size as usize),
        false => Indentation::Tabs,
    }
}
