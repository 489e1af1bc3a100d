//! Mismatches between a chat and the calls next to it, beyond those of its single prompts.

use std::collections::BTreeSet;
use std::ops::Range;

use promptls_analysis::{Contract, SuppliedKey, did_you_mean, keys_needed};
use promptls_hosts::{Chat, ChatContent};
use promptls_resolver::{Code, FileId, Location, Problem, Related, Severity};

use super::Prompt;
use super::chats::supplied;

/// The messages that are certainly missing in a call, and the keys of a call that no message reads.
/// `file` is the id of the file with the chats, each with the calls that supply its values.
///
/// Cost: the prompts of chats with calls.
pub(super) fn problems(
    chats: &[(&Chat, Vec<Contract>)],
    prompts: &[Prompt],
    file: FileId,
) -> Vec<Problem> {
    let with_calls = chats.iter().filter(|(_, calls)| !calls.is_empty());
    let problems = with_calls.flat_map(|(chat, calls)| {
        let read = names_read(chat, prompts);
        let missing: Vec<Problem> = missing(chat, calls, &read, file).collect();
        missing.into_iter().chain(unread(chat, calls, &read, prompts))
    });
    problems.chain(chats.iter().flat_map(|(chat, _)| no_messages(chat, prompts))).collect()
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

fn missing<'c>(
    chat: &'c Chat,
    calls: &'c [Contract],
    read: &'c BTreeSet<String>,
    file: FileId,
) -> impl Iterator<Item = Problem> {
    let is_without =
        |call: &Contract, name: &str| call.is_whole && call.keys.iter().all(|key| key.name != name);
    chat.messages.iter().filter_map(move |message| {
        let ChatContent::Supplied { name, is_required: true, .. } = &message.content else {
            return None;
        };
        let violated: Vec<_> = calls.iter().filter(|call| is_without(call, name)).collect();
        let keys = violated.first()?.keys.iter().map(|key| &*key.name);
        let meant = did_you_mean(name, keys.filter(|key| !read.contains(*key)));
        let related = violated
            .iter()
            .map(|call| Related { location: call.call.clone(), message: "the call".to_owned() });
        let related: Vec<Related> = related.collect();
        let location = Location { file, range: message.entry.clone() };
        let call = if calls.len() == 1 { "the call" } else { "a call" };
        let message = format!("{call} that passes values to this chat has no `{name}`{meant}");
        let problem = Problem::new(Code::UndefinedPlaceholder, location, message).about(&**name);
        Some(Problem { severity: Severity::Warning, related, ..problem })
    })
}

/// A chat with one message has these from its prompt.
fn unread(
    chat: &Chat,
    calls: &[Contract],
    read: &BTreeSet<String>,
    prompts: &[Prompt],
) -> Vec<Problem> {
    let is_followed = |index: usize| prompts[index].snapshot.holes().is_empty();
    let are_known = chat.messages.iter().all(|message| match message.content {
        ChatContent::Prompt(index) => is_followed(index),
        ChatContent::Unknown => false,
        _ => true,
    });
    if chat.messages.len() < 2 || !are_known {
        return Vec::new();
    }
    let own = calls.iter().filter(|call| call.is_own);
    let keys = own.flat_map(|Contract { call: Location { range: call, .. }, keys, .. }| {
        let is_inside = |key: &Range<usize>| call.start <= key.start && key.end <= call.end;
        keys.iter().filter(move |key| is_inside(&key.location.range))
    });
    let keys: Vec<_> = keys.collect();
    if keys.is_empty() {
        return Vec::new();
    }
    let unread = keys.into_iter().filter(|key| !read.contains(&key.name));
    let problem = |SuppliedKey { name, location, .. }: &SuppliedKey| {
        let message = format!("`{name}` is never read by a message of `{}`", chat.name);
        let problem = Problem::new(Code::UnusedInput, location.clone(), message).about(name);
        Problem { severity: Severity::Hint, ..problem }
    };
    unread.map(problem).collect()
}

/// The keys that the messages of a chat read.
fn names_read(chat: &Chat, prompts: &[Prompt]) -> BTreeSet<String> {
    let of_prompts = chat.prompts().flat_map(|index| keys_needed(&prompts[index].snapshot));
    supplied(chat).map(str::to_owned).chain(of_prompts).collect()
}
