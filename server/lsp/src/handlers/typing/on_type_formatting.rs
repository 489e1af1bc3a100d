//! `textDocument/onTypeFormatting`

use promptls_analysis::{CLOSED_BEHIND, close_typed};
use promptls_resolver::FileId;
use serde_json::{Value, json};

use super::formatting::prompts;
use crate::context::Context;
use crate::document_range::{DocumentPosition, RangeEdit};
use crate::errors::Result;
use crate::session::prompt_snapshot::View;

/// The text to insert after the cursor, where a character was just typed. Editors that move the
/// cursor after the inserted text must move it back.
pub fn on_type_formatting(
    context: Context<Vec<View>>,
    (at, typed): (DocumentPosition, String),
) -> Result<Option<RangeEdit>> {
    let encoding = context.encoding();
    Ok(context.subject.iter().filter(|view| view.file == FileId::PROMPT).find_map(|view| {
        let offset = view.offset(at.position, encoding)?;
        let typed = typed.chars().next()?;
        let (range, new_text) = close_typed(view.prompt.snapshot(), offset, typed)?;
        let range = view.prompt.wire_range(&range, encoding)?;
        view.prompt.prompt().is_plain(&new_text).then_some(RangeEdit { range, new_text })
    }))
}

/// The registration for an editor that supports document selectors. It includes only prompts,
/// because other documents have their own formatters while they are typed.
pub fn registration() -> Value {
    let [first, more @ ..] = CLOSED_BEHIND;
    json!({
        "documentSelector": prompts(),
        "firstTriggerCharacter": first,
        "moreTriggerCharacter": more,
    })
}
