//! The texts of arguments that may be lists of messages: `[("system", "…"), {"content": "…"}]`.

use std::ops::Range;

use rapidfuzz::distance::osa;

use super::arguments::{Argument, argument, arguments, options};
use crate::code::grammars::grammar;
use crate::code::outline::objects::without_quotes;
use crate::code::outline::{Outline, Value};
use crate::code::recogniser::{Messages, Parameter};
use crate::code::tokens::Tokens;
use crate::unread::Unread;

/// The role in a pair of a name for messages: `("placeholder", "{history}")`.
pub(super) const PLACEHOLDER: &str = "placeholder";

/// A text of an argument.
#[derive(Clone)]
pub(crate) struct ArgumentText<'s> {
    pub parameter: &'static Parameter,
    pub tokens: Range<usize>,
    /// The role of its message, if the name of its prompt ends with that.
    pub role: Option<&'s str>,
    /// `true` if no other text reads the values of the call.
    pub is_own: bool,
    /// `true` for a message that may be an object instead of a text.
    pub may_be_object: bool,
    /// The range of the expression, if it chooses between several texts.
    pub choice: Option<Range<usize>>,
}

impl<'s> ArgumentText<'s> {
    /// A text that is a whole argument.
    pub fn of(parameter: &'static Parameter, tokens: Range<usize>) -> ArgumentText<'s> {
        let is_own = !parameter.is_fallback();
        ArgumentText { parameter, tokens, role: None, is_own, may_be_object: false, choice: None }
    }
}

/// The texts of an argument, and the messages that they are in.
#[derive(Default)]
pub(crate) struct ArgumentTexts<'s> {
    pub texts: Vec<ArgumentText<'s>>,
    /// `None` unless the argument is a list of messages with roles.
    pub messages: Option<Vec<ListedMessage<'s>>>,
}

/// An entry of a list of messages.
pub(crate) struct ListedMessage<'s> {
    pub tokens: Range<usize>,
    /// Its role, if it is written beside its text.
    pub role: Option<&'s str>,
    /// Its texts, as indices; empty if it has none that is a prompt.
    pub texts: Range<usize>,
    /// The parts of its content that are no texts, such as images, and may have placeholders.
    pub others: Vec<Range<usize>>,
}

/// The texts of an argument: those of a list of messages, or else the argument itself.
pub(crate) fn texts<'s>(
    tokens: &Tokens<'s>,
    outline: &Outline<'s>,
    argument: Range<usize>,
    parameter: &'static Parameter,
) -> ArgumentTexts<'s> {
    let list = parameter.messages.zip(list(tokens, outline, argument.clone()));
    let Some((messages, list)) = list else {
        return ArgumentTexts {
            texts: vec![ArgumentText::of(parameter, argument)],
            messages: None,
        };
    };
    let mut texts: Vec<ArgumentText<'s>> = Vec::new();
    let mut listed = Vec::new();
    for message in tokens.split(list) {
        let message = without_cast(tokens, message);
        let first = texts.len();
        let is_word = message.len() == 1 && tokens.is_word(message.start);
        let is_bare = tokens.is_literal(message.start) || is_word;
        let content = match messages.bare.filter(|_| is_bare) {
            Some(role) => Some((Some(role), message.clone())),
            None => messages.read(tokens, message.clone()),
        };
        let mut role = None;
        let mut others = Vec::new();
        if let Some((of_text, content)) = content {
            role = of_text.filter(|_| !messages.roles.is_empty());
            let mut contents = match blocks(tokens, content.clone()) {
                Some(blocks) => {
                    others = blocks.others;
                    blocks.texts
                }
                None => vec![content],
            };
            contents.retain(|content| !content.is_empty());
            texts.extend(contents.into_iter().map(|content| ArgumentText {
                role,
                may_be_object: is_word,
                ..ArgumentText::of(parameter, content)
            }));
        }
        listed.push(ListedMessage { tokens: message, role, texts: first..texts.len(), others });
    }
    let has_others = listed.iter().any(|message| !message.others.is_empty());
    if listed.len() > 1 || texts.len() > 1 || has_others {
        texts.iter_mut().for_each(|text| text.is_own = false);
    }
    ArgumentTexts { texts, messages: (!messages.roles.is_empty()).then_some(listed) }
}

impl Messages {
    /// The role and the text of a message; `None` for one that is no prompt.
    fn read<'s>(
        &self,
        tokens: &Tokens<'s>,
        message: Range<usize>,
    ) -> Option<(Option<&'s str>, Range<usize>)> {
        let (role, content) = self.parts(tokens, message)?;
        let role = role.and_then(|role| self.role(tokens, role));
        (self.roles.is_empty() || role.is_some()).then_some((role, content))
    }

    /// The tokens of the role and of the text of a message; `None` for another notation.
    fn parts(
        &self,
        tokens: &Tokens<'_>,
        message: Range<usize>,
    ) -> Option<(Option<Range<usize>>, Range<usize>)> {
        if let Some(pair) = inside(tokens, message.clone(), self.pair) {
            let [role, content] = <[_; 2]>::try_from(tokens.split(pair)).ok()?;
            return Some((Some(role), content));
        }
        let options = match self.object {
            "" => options(tokens, message),
            class => of_object(tokens, message, class),
        };
        let value = |key, place| Some(argument(&options, key, place)?.value.clone());
        let first = (!self.object.is_empty()).then_some(0);
        Some((value("role", None), value(self.content, first)?))
    }

    /// The error of a framework that refuses the role of a message.
    pub(super) fn unknown_role(
        &self,
        tokens: &Tokens<'_>,
        message: Range<usize>,
    ) -> Option<Unread> {
        let (Some(role), _) = self.parts(tokens, message)? else { return None };
        let is_text = role.len() == 1 && tokens.is_literal(role.start);
        let text = tokens.text(role.start);
        let word = without_quotes(text);
        let is_plain = word.len() + 2 == text.len() && word.bytes().all(|it| it.is_ascii_graphic());
        let is_known = word == PLACEHOLDER || self.roles.contains(&word);
        if !self.refuses_roles || !is_text || !is_plain || is_known {
            return None;
        }
        let hint = match nearest_role(word, self.roles) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("use one of `{}`", self.roles.join("`, `")),
        };
        let reason = format!("the framework raises an error for the role `{word}`; {hint}");
        Some(Unread::new(tokens.range(role), reason))
    }
}

/// The role that a word misspells, by one slip, or by two in a long role.
fn nearest_role(word: &str, roles: &[&'static str]) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    let slips = |role: &str| osa::distance(word.chars(), role.chars());
    let is_near = |(slips, role): &(usize, &str)| *slips <= (role.len() / 3).clamp(1, 2);
    let near = roles.iter().map(|role| (slips(role), *role)).filter(is_near);
    near.min().map(|(_, role)| role)
}

impl Messages {
    /// The role that an expression is, as far as its messages are prompts: a text, or a member of an
    /// enum (`MessageRole.SYSTEM`). Without roles, any text.
    fn role<'s>(&self, tokens: &Tokens<'s>, role: Range<usize>) -> Option<&'s str> {
        let last = role.end.checked_sub(1)?;
        let word = without_quotes(tokens.text(last));
        let is_text = role.len() == 1 && tokens.is_literal(last);
        let is_member = !self.object.is_empty() && role.len() == 3 && tokens.is_word(last);
        let is_known = |known: &&str| match is_member {
            true => word.eq_ignore_ascii_case(known),
            false => is_text && word == *known,
        };
        match self.roles {
            [] => is_text.then_some(word),
            roles => roles.iter().copied().find(|known| is_known(known)),
        }
    }
}

/// The arguments of a call of a class that is a whole expression.
fn of_object(tokens: &Tokens<'_>, message: Range<usize>, class: &str) -> Vec<Argument> {
    let open = (message.start..message.end).find(|token| tokens.text(*token) == "(");
    let is_it = |open: &usize| {
        tokens.callee(*open).last() == Some(&class)
            && tokens.closer(*open, "(").is_some_and(|close| close + 1 == message.end)
    };
    open.filter(is_it).map_or_else(Vec::new, |open| arguments(tokens, open, message.end - 1))
}

/// The parts of a list, or of the list that a name stands for.
fn list<'s>(
    tokens: &Tokens<'s>,
    outline: &Outline<'s>,
    argument: Range<usize>,
) -> Option<Range<usize>> {
    let is_name = argument.len() == 1 && tokens.is_word(argument.start);
    let named = is_name.then(|| {
        let name = tokens.text(argument.start);
        match outline.value(outline.scope_at(argument.start), name)? {
            (_, Value::Expression(value)) => Some(value.clone()),
            _ => None,
        }
    });
    let value = named.flatten().unwrap_or(argument);
    let close = tokens.closer(value.start, "[")?;
    let is_cast = grammar(tokens.language).casts.contains(&tokens.text(close + 1));
    (close + 1 == value.end || is_cast).then_some(value.start + 1..close)
}

/// A bracket without the cast after it: `["system", "…"] as const`.
fn without_cast(tokens: &Tokens<'_>, message: Range<usize>) -> Range<usize> {
    let close = tokens.partner(message.start).filter(|close| *close < message.end);
    let is_cast = |close: &usize| grammar(tokens.language).casts.contains(&tokens.text(close + 1));
    close.filter(is_cast).map_or(message.clone(), |close| message.start..close + 1)
}

/// The parts of a content that has several.
#[derive(Default)]
struct Blocks {
    texts: Vec<Range<usize>>,
    /// Those that are no texts, such as images, and may have placeholders.
    others: Vec<Range<usize>>,
}

/// The parts of a content: `[{"type": "text", "text": "…"}, {"type": "image_url", "image_url": "…"}]`;
/// `None` for one text.
fn blocks(tokens: &Tokens<'_>, content: Range<usize>) -> Option<Blocks> {
    let mut found = Blocks::default();
    for block in tokens.split(inside(tokens, content, "[")?) {
        let options = options(tokens, block.clone());
        let kind = argument(&options, "type", None).map(|kind| &kind.value);
        let is_text = kind.is_some_and(|kind| {
            kind.len() == 1 && without_quotes(tokens.text(kind.start)) == "text"
        });
        match argument(&options, "text", None).filter(|_| is_text) {
            Some(text) => found.texts.push(text.value.clone()),
            None if kind.is_some() && tokens.may_hold(block.clone(), "{") => {
                found.others.push(block);
            }
            None => {}
        }
    }
    Some(found)
}

/// The tokens in a pair of brackets that is a whole expression.
fn inside(tokens: &Tokens<'_>, expression: Range<usize>, open: &str) -> Option<Range<usize>> {
    let close = tokens.closer(expression.start, open)?;
    (close + 1 == expression.end).then_some(expression.start + 1..close)
}
