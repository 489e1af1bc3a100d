//! `promptls/messages`: the resolved text as chat messages, to paste into a program.

use promptls_analysis::{Role, chat as chat_of};
use promptls_protocol::{Chat, ChatMessage, EngineError, PromptParams};

use super::{chat, resolution};
use crate::context::Context;
use crate::errors::Result;
use crate::session::prompt_snapshot::PromptSnapshot;

/// The messages of a prompt in the case with this name, or else in the selected one. `None` for a
/// file of another tool.
///
/// Cost: the text.
pub fn messages(
    context: Context<Option<PromptSnapshot>>,
    params: PromptParams,
) -> Result<Option<Chat>> {
    let prompt = context.subject.as_ref().filter(|prompt| prompt.snapshot().foreign.is_none());
    Ok(prompt.and_then(|prompt| {
        let snapshot = prompt.snapshot();
        let case = prompt.shown_case(params.case.as_deref());
        let message = |(role, content): (Role, &str)| ChatMessage {
            role: role.id(),
            content: content.to_owned(),
        };
        let (messages, error) = match prompt.file().chat_of(prompt.index) {
            Some(chat) => {
                let resolved = chat::resolved(prompt, chat, case);
                (resolved.chat().map(message).collect(), resolved.error)
            }
            None => {
                let resolution = resolution(prompt, case)?;
                let split = chat_of(snapshot.dialect(), snapshot.role(), &resolution.text);
                (split.into_iter().map(message).collect(), resolution.error)
            }
        };
        Some(Chat {
            case: case.map(|case| snapshot.cases[case].name.to_string()),
            messages,
            error: error.map(EngineError::from),
        })
    }))
}
