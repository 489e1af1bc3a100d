//! Chats: messages that a program sends together, resolved as one.
//!
//! Each message keeps its own prompt, with its problems, hovers and edits. A chat adds what only the
//! messages together have: one text, one set of values, and the error of the engine for all of them.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use promptls_analysis::{MessageSpan, Role, Snapshot, skeleton_of_all};
use promptls_hosts::{Chat, ChatContent, ChatMessage};
use promptls_resolver::{
    ChatPart, EngineError, Inputs, Location, Problem, Resolution, ResolveContext, Run, RunKind,
    SourceMap, Template, Value,
};

use super::{PromptFile, Scope};

/// A chat in one case.
#[derive(Debug)]
pub struct ChatResolution {
    /// All messages, each below a line with its role.
    pub text: String,
    /// The messages, in order; at least one.
    pub messages: Vec<ResolvedMessage>,
    /// The error that the engine raises instead of sending the messages.
    pub error: Option<EngineError>,
    /// The expressions of messages that are not followed, in source form.
    pub unknown: Vec<String>,
}

/// A message of a resolved chat.
#[derive(Debug)]
pub struct ResolvedMessage {
    /// Its role and its ranges in the text of the chat.
    pub span: MessageSpan,
    /// The range of its entry in the file.
    pub entry: Range<usize>,
    /// Where its text is from.
    pub source: MessageSource,
}

/// The origin of a message of a chat.
#[derive(Debug)]
pub enum MessageSource {
    /// A prompt of the file, by its index, and its resolution on its own.
    Prompt(usize, Box<Resolution>),
    /// The inputs: a message of a list under the name, with the location of the value.
    Inputs(Arc<str>, Option<Location>),
    /// Code: a text that is sent unchanged.
    Code,
    /// Messages without a value in the inputs, under this name.
    Missing(Arc<str>),
    /// Code that is not followed.
    Unknown,
}

impl ChatResolution {
    /// The messages that are sent: all but those without a value in the inputs.
    pub fn sent(&self) -> impl Iterator<Item = &ResolvedMessage> {
        let is_sent = |it: &&ResolvedMessage| !matches!(it.source, MessageSource::Missing(_));
        self.messages.iter().filter(is_sent)
    }

    /// The messages that the program certainly sends, each as its role and its text.
    pub fn chat(&self) -> impl Iterator<Item = (Role, &str)> {
        let known = self.messages.iter().filter(|message| message.source.is_known());
        known.map(|message| (message.span.role, &self.text[message.span.body.clone()]))
    }

    /// The text of the messages that are sent; without its role if it is only one.
    pub fn sent_text(&self) -> String {
        let mut only = self.sent();
        if let (Some(message), None) = (only.next(), only.next()) {
            return self.text[message.span.body.clone()].to_owned();
        }
        let text = |message: &ResolvedMessage| {
            &self.text[message.span.heading.start..message.span.body.end]
        };
        let mut sent = String::new();
        for message in self.sent() {
            add_gap(&mut sent);
            sent.push_str(text(message));
        }
        sent
    }

    /// The map of the text, with sources in the file. It removes those of the messages.
    pub fn take_map(&mut self, file: &PromptFile) -> SourceMap {
        let mut runs: Vec<Run> = Vec::new();
        for ResolvedMessage { span, entry, source } in &mut self.messages {
            // The gap before a message, and its role.
            let gap = runs.last().map_or(0, |run| run.output.end);
            runs.push(Run::literal(gap..span.heading.end, entry.start..entry.start));
            match source {
                MessageSource::Prompt(index, resolution) => {
                    let mut map = std::mem::take(&mut resolution.map);
                    file.map_in_file(&file.prompts[*index], &mut map);
                    runs.extend(map.runs.into_iter().map(|run| run.moved(span.body.start)));
                }
                MessageSource::Inputs(name, location) => runs.push(Run {
                    kind: RunKind::Value,
                    path: Some(name.clone()),
                    origin: location.clone(),
                    ..Run::literal(span.body.clone(), entry.clone())
                }),
                _ => runs.push(Run::literal(span.body.clone(), entry.clone())),
            }
        }
        SourceMap { runs }
    }
}

impl MessageSource {
    /// `true` for a message that the program sends as it is shown.
    pub fn is_known(&self) -> bool {
        !matches!(self, MessageSource::Missing(_) | MessageSource::Unknown)
    }
}

impl PromptFile {
    /// The chat in which a prompt is a message, if there is only one.
    pub fn chat_of(&self, index: usize) -> Option<&Chat> {
        let (index, _) = self.prompts.get(index)?.chat.as_ref()?;
        self.chats.get(*index)
    }

    /// A chat by its name.
    pub fn chat_named(&self, name: &str) -> Option<&Chat> {
        self.chats.iter().find(|chat| chat.name == name)
    }

    /// The index of a prompt by its name, or of a message of a chat by the name of that.
    pub fn prompt_or_chat_named(&self, name: &str) -> Option<usize> {
        let of_chat = || self.chat_named(name).and_then(|chat| self.prompt_of_chat(chat));
        self.prompt_named(name).or_else(of_chat)
    }

    /// The chat that all prompts of the file are messages of.
    pub fn only_chat(&self) -> Option<&Chat> {
        let [chat] = &self.chats[..] else { return None };
        self.prompts.iter().all(|prompt| prompt.chat.is_some()).then_some(chat)
    }

    /// A prompt of a chat, which has the inputs of the chat if any prompt has them.
    pub fn prompt_of_chat(&self, chat: &Chat) -> Option<usize> {
        let is_its_own =
            |index: &usize| self.chat_of(*index).is_some_and(|of| of.name == chat.name);
        chat.prompts().find(is_its_own).or_else(|| chat.prompts().next())
    }

    /// The text of the first inputs of a prompt, for all prompts that would read them.
    ///
    /// Cost: that of [`skeleton_of_all`].
    pub fn first_inputs_of(&self, index: usize) -> String {
        let snapshots = self.readers_of_new_inputs(index).map(|prompt| &prompt.snapshot);
        let chat = self.chat_of(index).into_iter();
        skeleton_of_all(snapshots, chat.flat_map(supplied))
    }

    /// Resolves a chat with some values; at most `max` bytes of each message.
    ///
    /// Cost: that of resolving each of its messages.
    pub fn resolve_chat(&self, chat: &Chat, inputs: &Inputs, max: usize) -> ChatResolution {
        let mut resolver = ChatResolver {
            file: self,
            inputs,
            max,
            chat: ChatResolution {
                text: String::new(),
                messages: Vec::new(),
                error: None,
                unknown: Vec::new(),
            },
        };
        for message in &chat.messages {
            resolver.add(message);
        }
        let mut resolved = resolver.chat;
        let first = resolved.messages.iter().find_map(|message| match &message.source {
            MessageSource::Prompt(_, resolution) => resolution.error.clone(),
            _ => None,
        });
        resolved.error = self.chat_error(chat, inputs).or(first);
        resolved
    }

    /// The root names that the messages of a chat use, and those of messages that the program
    /// supplies, sorted.
    pub fn names_of_chat(&self, chat: &Chat) -> Vec<String> {
        let mut names = BTreeSet::new();
        for message in &chat.messages {
            match &message.content {
                ChatContent::Prompt(index) => {
                    let snapshot = &self.prompts[*index].snapshot;
                    let text = snapshot.text.whole();
                    names.extend(Template::compile(snapshot.engine(), &text).names());
                }
                ChatContent::Supplied { name, .. } => _ = names.insert(name.clone()),
                ChatContent::Fixed(_) | ChatContent::Unknown => {}
            }
        }
        names.into_iter().collect()
    }

    /// The problems of all messages of a chat in a case of its inputs, with ranges in the files; at
    /// most `max` of each message.
    pub fn problems_of_chat(&self, chat: &Chat, scope: Scope, max: usize) -> Vec<Problem> {
        let indices: Vec<usize> = chat.prompts().collect();
        let mut problems = self.problems_of_all(&indices, scope, max);
        problems.sort_by_cached_key(|it| (it.location.file, it.location.range.start));
        problems.dedup();
        problems
    }

    /// The error of the engine for all messages of a chat.
    fn chat_error(&self, chat: &Chat, inputs: &Inputs) -> Option<EngineError> {
        let snapshots: Vec<(usize, &Snapshot)> =
            chat.prompts().map(|index| (index, &self.prompts[index].snapshot)).collect();
        let texts: Vec<_> = snapshots.iter().map(|(_, it)| it.text.whole()).collect();
        let (_, first) = snapshots.first()?;
        let templates: Vec<Template<'_>> =
            texts.iter().map(|text| Template::compile(first.engine(), text)).collect();
        let mut templates = templates.iter();
        let parts: Vec<ChatPart<'_, '_>> = chat
            .messages
            .iter()
            .filter_map(|message| match &message.content {
                ChatContent::Prompt(_) => templates.next().map(ChatPart::Template),
                ChatContent::Supplied { name, is_required: true, .. } => {
                    Some(ChatPart::Supplied(name))
                }
                _ => None,
            })
            .collect();
        // Each message may have names that only the program has a value for.
        let at_run_time = snapshots.iter().flat_map(|(_, it)| it.settings.runtime.iter());
        let runtime: BTreeSet<String> = at_run_time.cloned().collect();
        let given = ResolveContext { runtime: &runtime, ..first.given_with(inputs) };
        let of_messages = || {
            supplied(chat).find_map(|name| {
                let value = &inputs.root.get(name)?.value;
                first.engine().messages_error(name, value)
            })
        };
        first.engine().chat_error(&parts, &given).or_else(of_messages)
    }
}

/// The names of the messages that the program supplies to a chat.
pub(super) fn supplied(chat: &Chat) -> impl Iterator<Item = &str> {
    chat.messages.iter().filter_map(|message| match &message.content {
        ChatContent::Supplied { name, .. } => Some(&**name),
        _ => None,
    })
}

/// Resolves the messages of a chat one after the other.
struct ChatResolver<'f> {
    file: &'f PromptFile,
    inputs: &'f Inputs,
    max: usize,
    chat: ChatResolution,
}

impl ChatResolver<'_> {
    fn add(&mut self, message: &ChatMessage) {
        let role = message.role.as_deref().unwrap_or_default();
        let entry = message.entry.clone();
        match &message.content {
            ChatContent::Prompt(index) => {
                let snapshot = &self.file.prompts[*index].snapshot;
                let text = snapshot.text.whole();
                let template = Template::compile(snapshot.engine(), &text);
                let given = snapshot.given_with(self.inputs);
                let given = ResolveContext { max_output: self.max, ..given };
                let mut resolution = snapshot.resolve_with(&template, &given);
                let text = std::mem::take(&mut resolution.text);
                let source = MessageSource::Prompt(*index, Box::new(resolution));
                self.push(role, &text, entry, source);
            }
            ChatContent::Supplied { name, .. } => self.supplied(name, entry),
            ChatContent::Fixed(text) => self.push(role, text, entry, MessageSource::Code),
            ChatContent::Unknown => {
                let written = self.written(&entry);
                self.chat.unknown.push(written.clone());
                self.push(role, &written, entry, MessageSource::Unknown);
            }
        }
    }

    /// Adds the messages that the inputs have under a name.
    fn supplied(&mut self, name: &str, entry: Range<usize>) {
        let Some(value) = self.inputs.root.get(name).map(|entry| &entry.value) else {
            let written = self.written(&entry);
            self.push("", &written, entry, MessageSource::Missing(name.into()));
            return;
        };
        let messages = value.as_list().unwrap_or(std::slice::from_ref(value));
        for message in messages {
            let (role, text) = role_and_text(message);
            let location = Location { file: self.inputs.file, range: message.span.range() };
            let source = MessageSource::Inputs(name.into(), Some(location));
            self.push(&role, &text, entry.clone(), source);
        }
    }

    /// The source of a range of the file.
    fn written(&self, range: &Range<usize>) -> String {
        let text = self.file.text(self.file.file);
        text.and_then(|text| text.get(range.clone()).map(str::to_owned)).unwrap_or_default()
    }

    fn push(&mut self, role: &str, text: &str, entry: Range<usize>, source: MessageSource) {
        let shown = match (role, &source) {
            ("", MessageSource::Missing(name)) => name,
            ("", _) => "message",
            (role, _) => role,
        };
        let all = &mut self.chat.text;
        add_gap(all);
        let start = all.len();
        all.push_str(shown);
        all.push_str(":\n");
        let heading = start..all.len();
        all.push_str(text);
        let body = heading.end..all.len();
        let span = MessageSpan { role: Role::of_message(role), heading, body };
        self.chat.messages.push(ResolvedMessage { span, entry, source });
    }
}

/// Ends the line of a message, and adds an empty one before the next.
fn add_gap(text: &mut String) {
    if !text.is_empty() {
        text.push_str(if text.ends_with('\n') { "\n" } else { "\n\n" });
    }
}

/// The role and the text of a message among the inputs: a pair, an object with `role` (or `type`) and
/// `content`, or a text of the user.
fn role_and_text(message: &Value) -> (String, String) {
    let text = |value: &Value| value.as_text().map_or_else(|| value.to_json(), str::to_owned);
    let pair = message.as_list().and_then(|pair| <&[Value; 2]>::try_from(pair).ok());
    if let Some([role, content]) = pair {
        return (text(role), text(content));
    }
    let member = |keys: [&str; 2]| {
        let object = message.as_object()?;
        keys.iter().find_map(|key| object.get(key)).map(|entry| text(&entry.value))
    };
    match member(["content", "text"]) {
        Some(content) => (member(["role", "type"]).unwrap_or_else(|| "user".to_owned()), content),
        None => ("user".to_owned(), text(message)),
    }
}
