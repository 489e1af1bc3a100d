//! `promptls/messages`: the resolved text as chat messages, to paste into a program.

use promptls_analysis as analysis;
use promptls_protocol::{Chat, ChatMessage, EngineError, PromptParams};

use super::{chat, resolution};
use crate::context::Context;
use crate::errors::Result;
use crate::session::prompt_snapshot::PromptSnapshot;
use promptls_workspace::ResolvedMessage;

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
        let case_name = case.map(|case| snapshot.cases[case].name.to_string());
        if let Some(chat) = prompt.file().chat_of(prompt.index) {
            let resolved = chat::resolved(prompt, chat, case);
            let known = resolved.messages.iter().filter(|message| message.source.is_known());
            let message = |message: &ResolvedMessage| ChatMessage {
                role: message.span.role.id(),
                content: resolved.text[message.span.body.clone()].to_owned(),
            };
            return Some(Chat {
                case: case_name,
                messages: known.map(message).collect(),
                error: resolved.error.map(EngineError::from),
            });
        }
        let resolution = resolution(prompt, case)?;
        let messages = analysis::chat(snapshot.dialect(), snapshot.role(), &resolution.text);
        let message = |(role, content): (analysis::Role, &str)| ChatMessage {
            role: role.id(),
            content: content.to_owned(),
        };
        Some(Chat {
            case: case_name,
            messages: messages.into_iter().map(message).collect(),
            error: resolution.error.map(EngineError::from),
        })
    }))
}
