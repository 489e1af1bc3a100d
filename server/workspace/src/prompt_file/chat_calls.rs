//! Mismatches between a chat and the calls next to it, beyond those of its single prompts.

use std::collections::BTreeSet;

use promptls_analysis::keys_needed;
use promptls_hosts::{Chat, ChatContent, Contract, SuppliedKey};
use promptls_resolver::{Code, FileId, Location, Problem, Related, Severity};

use super::Prompt;
use super::chats::supplied;

/// The messages that are certainly missing in a call, and the keys of a call that no message reads.
/// `file` is the id of the file with the chats.
///
/// Cost: the prompts of chats with calls.
pub(super) fn problems(chats: &[Chat], prompts: &[Prompt], file: FileId) -> Vec<Problem> {
    let with_calls = chats.iter().filter(|chat| !chat.contracts.is_empty());
    let problems =
        with_calls.flat_map(|chat| missing(chat, file).chain(unread(chat, prompts, file)));
    problems.chain(chats.iter().flat_map(|chat| no_messages(chat, prompts))).collect()
}

/// The values of inputs that the engine does not accept as messages.
fn no_messages(chat: &Chat, prompts: &[Prompt]) -> Vec<Problem> {
    let Some(first) = chat.prompts().next() else { return Vec::new() };
    let snapshot = &prompts[first].snapshot;
    let mut problems = Vec::new();
    for case in &snapshot.cases {
        for name in supplied(chat) {
            let Some(entry) = case.inputs.root.get(name) else { continue };
            let error = snapshot.engine().messages_error(name, &entry.value);
            let Some(error) = error else { continue };
            let location = Location { file: case.inputs.file, range: entry.value.span.range() };
            let message = format!("the engine raises an error: {}", error.message);
            let problem = Problem::new(Code::TypeMismatch, location, message).about(name);
            problems.push(Problem { severity: Severity::Error, ..problem });
        }
    }
    problems
}

fn missing(chat: &Chat, file: FileId) -> impl Iterator<Item = Problem> {
    let is_without =
        |call: &Contract, name: &str| call.is_whole && call.keys.iter().all(|key| key.name != name);
    chat.messages.iter().filter_map(move |message| {
        let ChatContent::Supplied { name, is_required: true } = &message.content else {
            return None;
        };
        let calls = chat.contracts.iter().filter(|call| is_without(call, name));
        let related = calls.map(|call| Related {
            location: Location { file, range: call.call.clone() },
            message: "the call".to_owned(),
        });
        let related: Vec<Related> = related.collect();
        if related.is_empty() {
            return None;
        }
        let location = Location { file, range: message.entry.clone() };
        let call = if chat.contracts.len() == 1 { "the call" } else { "a call" };
        let message = format!("{call} that passes values to this chat has no `{name}`");
        let problem = Problem::new(Code::UndefinedPlaceholder, location, message).about(&**name);
        Some(Problem { severity: Severity::Warning, related, ..problem })
    })
}

/// A chat with one message has these from its prompt.
fn unread(chat: &Chat, prompts: &[Prompt], file: FileId) -> Vec<Problem> {
    let is_followed = |index: usize| prompts[index].snapshot.holes().is_empty();
    let are_known = chat.messages.iter().all(|message| match message.content {
        ChatContent::Prompt(index) => is_followed(index),
        ChatContent::Unknown => false,
        _ => true,
    });
    if chat.messages.len() < 2 || !are_known {
        return Vec::new();
    }
    let own = chat.contracts.iter().filter(|call| call.is_own);
    let keys = own.flat_map(|Contract { call, keys, .. }| {
        keys.iter().filter(|key| call.start <= key.range.start && key.range.end <= call.end)
    });
    let keys: Vec<_> = keys.collect();
    if keys.is_empty() {
        return Vec::new();
    }
    let mut read: BTreeSet<String> = supplied(chat).map(str::to_owned).collect();
    read.extend(chat.prompts().flat_map(|index| keys_needed(&prompts[index].snapshot)));
    let unread = keys.into_iter().filter(|key| !read.contains(&key.name));
    let problem = |SuppliedKey { name, range, .. }: &SuppliedKey| {
        let message = format!("`{name}` is never read by a message of `{}`", chat.name);
        let location = Location { file, range: range.clone() };
        let problem = Problem::new(Code::UnusedInput, location, message).about(name);
        Problem { severity: Severity::Hint, ..problem }
    };
    unread.map(problem).collect()
}
