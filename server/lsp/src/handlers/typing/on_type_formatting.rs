//! `textDocument/onTypeFormatting`

use promptls_analysis::{CLOSED_BEHIND, close_typed};
use promptls_resolver::FileId;
use serde_json::{Value, json};
use tower_lsp::ls_types as lsp;

use super::formatting::prompts;
use crate::context::Context;
use crate::errors::Result;
use crate::session::prompt_snapshot::View;

/// The text to insert after the cursor, where a character was just typed. Editors that move the
/// cursor after the inserted text must move it back.
pub fn on_type_formatting(
    context: Context<Vec<View>>,
    params: lsp::DocumentOnTypeFormattingParams,
) -> Result<Option<Vec<lsp::TextEdit>>> {
    let encoding = context.encoding();
    let position = params.text_document_position.position;
    let edit = context.subject.iter().filter(|view| view.file == FileId::PROMPT).find_map(|view| {
        let offset = view.offset(position, encoding)?;
        let typed = params.ch.chars().next()?;
        let (range, new_text) = close_typed(view.prompt.snapshot(), offset, typed)?;
        let range = view.prompt.lsp_range(&range, encoding)?;
        view.prompt.prompt().is_plain(&new_text).then_some(lsp::TextEdit { range, new_text })
    });
    Ok(edit.map(|edit| vec![edit]))
}

/// The characters after which an editor sends the request.
pub fn options() -> lsp::DocumentOnTypeFormattingOptions {
    let [first, more @ ..] = CLOSED_BEHIND.map(String::from);
    lsp::DocumentOnTypeFormattingOptions {
        first_trigger_character: first,
        more_trigger_character: Some(more.into()),
    }
}

/// The registration for an editor that supports document selectors. It includes only prompts,
/// because other documents have their own formatters while they are typed.
pub fn registration() -> Value {
    let options = options();
    json!({
        "documentSelector": prompts(),
        "firstTriggerCharacter": options.first_trigger_character,
        "moreTriggerCharacter": options.more_trigger_character,
    })
}
