//! Lists of messages as the arguments of framework calls: `from_messages([("system", "…"), history])`.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::arguments::{argument, arguments, closer};
use super::messages::{ListedMessage, PLACEHOLDER};
use crate::chat::{Chat, ChatContent, ChatMessage};
use crate::code::computed::computed;
use crate::code::expression::Expressions;
use crate::code::outline::objects::without_quotes;
use crate::code::outline::{Outline, Value};
use crate::code::recogniser::Messages;
use crate::code::tokens::Tokens;
use crate::finds::Finds;
use crate::host_prompt::{Contract, HostPrompt, SuppliedKey, Supply};
use crate::names::{Taken, clean};
use crate::unread::{Computed, Unread};
use promptls_syntax::Dialect;

/// A chat, before its prompts have their places among the results.
pub(crate) struct FoundChat {
    pub name: String,
    pub entry: Range<usize>,
    pub messages: Vec<FoundMessage>,
    pub contracts: Vec<Contract>,
    pub supplies: Vec<Supply>,
}

/// A message, before its prompt has its place.
pub(crate) struct FoundMessage {
    role: Option<String>,
    entry: Range<usize>,
    content: FoundContent,
    /// What is listed if it is not followed, unless its text is already.
    unread: Option<Computed>,
    /// The error of the framework for its role.
    refused: Option<Unread>,
}

enum FoundContent {
    /// The prompt whose first literal starts here.
    Text(usize),
    /// The prompts of the calls in these tokens.
    Calls(Range<usize>),
    /// A message that is no prompt.
    Other(ChatContent),
}

/// Reads lists of messages in a host.
pub(crate) struct ChatReader<'h, 'e, 's> {
    pub tokens: &'h Tokens<'s>,
    pub outline: &'h Outline<'s>,
    pub expressions: &'e mut Expressions<'h, 's>,
    pub dialect: Dialect,
}

impl<'s> ChatReader<'_, '_, 's> {
    /// The messages of a list. `firsts` has the start of the first literal of each of their texts.
    pub fn read(
        &mut self,
        notation: &Messages,
        listed: Vec<ListedMessage<'s>>,
        firsts: &[Option<usize>],
    ) -> Vec<FoundMessage> {
        let mut messages = Vec::new();
        for message in listed {
            let entry = self.tokens.range(message.tokens.clone());
            let texts = firsts[message.texts.clone()].iter().flatten();
            let known = messages.len();
            messages.extend(texts.map(|first| FoundMessage {
                role: message.role.map(str::to_owned),
                entry: entry.clone(),
                content: FoundContent::Text(*first),
                unread: None,
                refused: None,
            }));
            for image in &message.others {
                messages.push(FoundMessage {
                    role: message.role.map(str::to_owned),
                    entry: self.tokens.range(image.clone()),
                    content: FoundContent::Other(ChatContent::Unknown),
                    unread: Some(self.image(image.clone())),
                    refused: None,
                });
            }
            if messages.len() == known {
                // A name alone may be an object, which has a role of its own.
                let written = message.role.filter(|_| message.tokens.len() > 1);
                // A text is listed by itself, and a message with a role and no text is an image.
                let is_alone = message.texts.is_empty() || message.tokens.len() == 1;
                let is_unread = written.is_none() && is_alone;
                let unread = is_unread
                    .then(|| computed(self.tokens, "", message.tokens.clone(), self.dialect));
                let refused = notation.unknown_role(self.tokens, message.tokens.clone());
                let unread = unread.flatten().filter(|_| refused.is_none());
                let (of_class, content) = self.other_message(notation, message.tokens);
                let role = written.map(str::to_owned).or(of_class);
                messages.push(FoundMessage { role, entry, content, unread, refused });
            }
        }
        messages
    }

    /// What is listed for a part of a message that is no text.
    fn image(&self, part: Range<usize>) -> Computed {
        let reason = "this part of the message is no text, so its placeholders are not checked";
        Computed { unread: Unread::new(self.tokens.range(part), reason), dialect: self.dialect }
    }

    /// The role and the content of a message without a text of its own.
    fn other_message(
        &mut self,
        notation: &Messages,
        message: Range<usize>,
    ) -> (Option<String>, FoundContent) {
        let unknown = FoundContent::Other(ChatContent::Unknown);
        if let Some((name, range)) = self.placeholder_pair(notation, message.clone()) {
            let supplied = ChatContent::Supplied { name, range, is_required: false };
            return (None, FoundContent::Other(supplied));
        }
        let expression = self.value_of_name(message);
        let Some(classes) = notation.classes else { return (None, unknown) };
        let open = (expression.start..expression.end).find(|it| closer(self.tokens, *it).is_some());
        let Some((open, close)) = open.and_then(|open| Some((open, self.tokens.partner(open)?)))
        else {
            return (None, unknown);
        };
        let mut callee = self.tokens.callee(open);
        if let Some(first) = callee.first_mut() {
            *first = self.imported(first);
        }
        let values = arguments(self.tokens, open, close);
        let role = callee.iter().find_map(|word| {
            classes.roles.iter().find(|(class, _)| word.starts_with(class)).map(|(_, role)| *role)
        });
        if callee.iter().any(|word| classes.examples.contains(word)) {
            return (None, unknown);
        }
        let last = callee.last().copied().unwrap_or_default();
        if last == classes.supplied {
            let name = argument(&values, classes.name, Some(0)).cloned();
            let name = name.and_then(|name| {
                let text = self.expressions.text(name.value.clone(), 0)?;
                Some((self.range_of(&text, name.value), text))
            });
            let is_optional = argument(&values, "optional", None).is_some_and(|it| {
                it.value.len() != 1
                    || !["False", "false"].contains(&self.tokens.text(it.value.start))
            });
            let content = name.map_or(ChatContent::Unknown, |(range, name)| {
                ChatContent::Supplied { name, range, is_required: !is_optional }
            });
            return (None, FoundContent::Other(content));
        }
        let is_message = classes.roles.iter().any(|(class, _)| *class == last);
        if is_message && close + 1 == expression.end {
            let text = argument(&values, notation.content, Some(0)).cloned();
            let text = text.and_then(|text| self.expressions.text(text.value, 0));
            let content = text.map_or(ChatContent::Unknown, ChatContent::Fixed);
            return (role.map(str::to_owned), FoundContent::Other(content));
        }
        (role.map(str::to_owned), FoundContent::Calls(expression))
    }

    /// The name in its module of what the host imports under another name.
    fn imported(&self, name: &'s str) -> &'s str {
        let import = self.outline.imports.iter().find(|it| it.local == name);
        import.and_then(|it| it.name).unwrap_or(name)
    }

    /// The name in a pair that stands for messages, and its range.
    fn placeholder_pair(
        &mut self,
        notation: &Messages,
        message: Range<usize>,
    ) -> Option<(String, Option<Range<usize>>)> {
        let close = self.tokens.closer(message.start, notation.pair)?;
        let parts = self.tokens.split(message.start + 1..close);
        let [role, name] = &parts[..] else { return None };
        let is_it = role.len() == 1 && without_quotes(self.tokens.text(role.start)) == PLACEHOLDER;
        let text = self.expressions.text(name.clone(), 0).filter(|_| is_it)?;
        let text = text.trim_start_matches('{').trim_end_matches('}').to_owned();
        Some((text.clone(), self.range_of(&text, name.clone())))
    }

    /// The range of a name in an expression that is a literal with only this name.
    fn range_of(&self, name: &str, value: Range<usize>) -> Option<Range<usize>> {
        let is_literal = value.len() == 1 && self.tokens.is_literal(value.start);
        let range = self.tokens.range(value);
        let written = &self.tokens.source[range.clone()];
        let is_it = is_literal && written.trim_matches(['"', '\'', '`', '{', '}']) == name;
        let start = range.start + written.find(name).filter(|_| is_it)?;
        Some(start..start + name.len())
    }

    /// The expression that a message is: the one of its variable, if it is only a name.
    fn value_of_name(&self, message: Range<usize>) -> Range<usize> {
        if message.len() != 1 || !self.tokens.is_word(message.start) {
            return message;
        }
        let name = self.tokens.text(message.start);
        match self.outline.value(self.outline.scope_at(message.start), name) {
            Some((_, Value::Expression(value))) => value.clone(),
            _ => message,
        }
    }
}

/// Adds the calls of a chat to a message that is a template with values of its own.
fn fill_template(template: &mut HostPrompt, contracts: &[Contract], supplies: &[Supply]) {
    let own = template.contracts.iter();
    let presets = own.flat_map(|own| own.keys.iter().filter(|key| key.is_preset));
    let presets: Vec<SuppliedKey> = presets.cloned().collect();
    let is_open = template.contracts.iter().any(|own| own.is_open);
    template.contracts.extend(contracts.iter().cloned().map(|contract| {
        let keys = [contract.keys, presets.clone()].concat();
        let is_whole = contract.is_whole && !is_open;
        Contract { keys, is_whole, is_own: false, ..contract }
    }));
    // Calls of other hosts do not have the values of the template. One that is written in the chat has
    // them already.
    let is_alone = presets.is_empty() && !is_open;
    for supply in supplies {
        let call = |supply: &Supply| (supply.file.clone(), supply.contract);
        if template.supplies.iter().all(|known| call(known) != call(supply)) {
            let is_whole = supply.is_whole && is_alone;
            template.supplies.push(Supply { is_whole, ..supply.clone() });
        }
    }
}

/// Adds the chats to the results, whose prompts start with these literals. `calls` are the
/// tokens of framework calls in order, with the first literals of their texts.
pub(crate) fn finish(
    chats: Vec<FoundChat>,
    starts: &[usize],
    calls: &[(Range<usize>, usize)],
    finds: &mut Finds,
) {
    let index: HashMap<usize, usize> =
        starts.iter().enumerate().map(|(index, start)| (*start, index)).collect();
    let prompt = |first: &usize| index.get(first).map(|index| ChatContent::Prompt(*index));
    let prompts: HashMap<&str, usize> =
        finds.prompts.iter().enumerate().map(|(index, it)| (&*it.name, index)).collect();
    let mut taken = Taken::default();
    let mut finished: Vec<Chat> = Vec::new();
    // The messages of each chat that are templates with values of their own.
    let mut filled = Vec::new();
    for mut chat in chats {
        let mut messages = Vec::new();
        let mut templates: BTreeSet<usize> = BTreeSet::new();
        for FoundMessage { role, entry, content, unread, refused } in chat.messages.drain(..) {
            finds.unread.extend(refused);
            let contents = match content {
                FoundContent::Text(first) => prompt(&first).into_iter().collect(),
                FoundContent::Other(content) => vec![content],
                FoundContent::Calls(tokens) => {
                    let first = calls.partition_point(|(call, _)| call.start < tokens.start);
                    let inside = calls[first..].iter();
                    let inside = inside.take_while(|(call, _)| call.start < tokens.end);
                    templates.extend(inside.clone().filter_map(|(_, first)| index.get(first)));
                    inside.filter_map(|(_, first)| prompt(first)).collect()
                }
            };
            let contents: Vec<ChatContent> = contents;
            let is_unknown = contents.is_empty().then_some(ChatContent::Unknown);
            if is_unknown.is_some() || contents == [ChatContent::Unknown] {
                finds.computed.extend(unread);
            }
            messages.extend(contents.into_iter().chain(is_unknown).map(|content| {
                // A chat in the list has its own roles.
                let own = match content {
                    ChatContent::Prompt(index) => finds.prompts[index].role.clone(),
                    _ => None,
                };
                ChatMessage { role: role.clone().or(own), entry: entry.clone(), content }
            }));
        }
        let FoundChat { name, entry, contracts, supplies, .. } = chat;
        let mut chat = Chat { name, entry, messages, contracts, supplies };
        if chat.prompts().next().is_none() {
            continue;
        }
        // A template in the list has the name of the chat.
        let is_other = |name: &str| {
            prompts.get(name).is_some_and(|index| chat.prompts().all(|own| own != *index))
        };
        chat.name = taken.take(&clean(&chat.name), is_other);
        finished.push(chat);
        filled.push(templates);
    }
    for (chat, templates) in finished.iter().zip(filled) {
        for template in templates {
            fill_template(&mut finds.prompts[template], &chat.contracts, &chat.supplies);
        }
    }
    finds.chats = finished;
    // A chat may have a text several times.
    let mut chats_of: HashMap<usize, BTreeSet<&str>> = HashMap::new();
    for chat in &finds.chats {
        for prompt in chat.prompts() {
            chats_of.entry(prompt).or_default().insert(&chat.name);
        }
    }
    for (prompt, mut chats) in chats_of {
        if let (Some(only), true) = (chats.pop_first(), chats.is_empty()) {
            finds.prompts[prompt].chat = Some(only.to_owned());
        }
    }
}
