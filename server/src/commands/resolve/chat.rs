//! `promptls resolve` of a chat: its messages, resolved together.

use std::process::ExitCode;
use std::sync::Arc;

use promptls_analysis::Role;
use promptls_protocol::ChatMessage;
use promptls_resolver::{Entry, Inputs, Resolution, Span, Value, ValueKind};
use promptls_workspace::{Chat, ChatResolution};

use super::complain_of;
use crate::args::{COULD_NOT_RUN, ResolveArgs, ResolveFormat};
use crate::errors::CommandError;
use crate::opened_prompt::{OpenedCase, OpenedPrompt};
use crate::output::json::resolve_output;
use crate::output::terminal::complain;
use crate::output::write;

/// Resolves a chat in one case.
pub fn resolve(
    args: &ResolveArgs,
    opened: &OpenedPrompt,
    chat: &Chat,
) -> Result<ExitCode, CommandError> {
    let opened_case = opened.choose(args.prompt.case.as_deref())?;
    opened.mention_unusable(&opened_case);
    let is_usable = opened_case.unusable.is_empty();
    let inputs = inputs(&opened_case, &args.set);
    let mut resolved = opened.file().resolve_chat(chat, &inputs, args.max_output);
    mention_unknown(&resolved);
    let failed = resolved.error.is_some();
    let format = args.format.unwrap_or(ResolveFormat::Text);
    let is_shown = is_usable && (args.partial || !failed);
    match format {
        ResolveFormat::Text | ResolveFormat::Messages => {
            resolved.error.iter().for_each(complain_of);
            if is_shown && format == ResolveFormat::Text {
                write::text_output(&args.to, &resolved.sent_text(), &opened.files_read())?;
            } else if is_shown {
                let message = |(role, content): (Role, &str)| ChatMessage {
                    role: role.id(),
                    content: content.to_owned(),
                };
                let messages: Vec<ChatMessage> = resolved.chat().map(message).collect();
                write::json_output(&args.to, &messages, &opened.files_read())?;
            }
        }
        ResolveFormat::Json => {
            let map = resolved.take_map(opened.file());
            let mut resolution = Resolution::default();
            (resolution.text, resolution.map, resolution.error) =
                (resolved.text, map, resolved.error);
            let problems = opened.problems_in(&opened_case);
            let output = resolve_output(
                &opened_case.snapshot,
                opened_case.case.clone(),
                resolution,
                opened.file_problems(&problems),
                opened.file().names_of_chat(chat),
                &opened.sources,
            );
            write::json_output(&args.to, &output, &opened.files_read())?;
        }
        ResolveFormat::Jsonl | ResolveFormat::Parquet => {
            return Err(CommandError::FormatOfOne(format.id()));
        }
    }
    Ok(match (is_usable, failed) {
        (false, _) => ExitCode::from(COULD_NOT_RUN),
        (true, true) => ExitCode::FAILURE,
        (true, false) => ExitCode::SUCCESS,
    })
}

/// Reports the messages of a chat that are not followed.
pub fn mention_unknown(resolved: &ChatResolution) {
    for written in &resolved.unknown {
        complain(&format!(
            "the program makes `{written}`, which is not followed; --format messages omits it"
        ));
    }
}

/// The values of a case, and those that override them.
fn inputs(opened_case: &OpenedCase, set: &[(String, String)]) -> Inputs {
    let mut inputs = Arc::unwrap_or_clone(opened_case.inputs());
    for (name, text) in set {
        let (key_span, span) = (Span::default(), Span::default());
        let value = Value { kind: ValueKind::String(text.as_str().into()), span };
        inputs.root.insert(Entry { key: name.as_str().into(), key_span, value });
    }
    inputs
}
