//! The texts of arguments that may be lists of messages: `[("system", "…"), {"content": "…"}]`.

use std::ops::Range;

use super::arguments::{argument, options};
use crate::code::grammars::grammar;
use crate::code::outline::objects::without_quotes;
use crate::code::outline::{Outline, Value};
use crate::code::recogniser::{Messages, Parameter};
use crate::code::tokens::Tokens;

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
}

/// The texts of an argument: those of a list of messages, or else the argument itself.
pub(crate) fn texts<'s>(
    tokens: &Tokens<'s>,
    outline: &Outline<'s>,
    argument: Range<usize>,
    parameter: &'static Parameter,
) -> Vec<ArgumentText<'s>> {
    let new = |tokens: Range<usize>, role| ArgumentText {
        parameter,
        tokens,
        role,
        is_own: !parameter.is_fallback(),
        may_be_object: false,
    };
    let list = parameter.messages.zip(list(tokens, outline, argument.clone()));
    let Some((messages, list)) = list else { return vec![new(argument, None)] };
    let mut texts = Vec::new();
    let all = tokens.split(list);
    let is_only = all.len() == 1;
    for message in all {
        let is_word = message.len() == 1 && tokens.is_word(message.start);
        let is_bare = tokens.is_literal(message.start) || is_word;
        let (role, content) = match messages.bare.filter(|_| is_bare) {
            Some(role) => (Some(role), message),
            None => match messages.read(tokens, message) {
                Some(found) => found,
                None => continue,
            },
        };
        let role = role.filter(|_| !messages.roles.is_empty());
        let blocks = text_blocks(tokens, content.clone());
        let mut contents = blocks.unwrap_or_else(|| vec![content]);
        contents.retain(|content| !content.is_empty());
        texts.extend(
            contents
                .into_iter()
                .map(|content| ArgumentText { may_be_object: is_word, ..new(content, role) }),
        );
    }
    if !is_only || texts.len() > 1 {
        texts.iter_mut().for_each(|text| text.is_own = false);
    }
    texts
}

impl Messages {
    /// The role and the text of a message; `None` for one that is no prompt.
    fn read<'s>(
        &self,
        tokens: &Tokens<'s>,
        message: Range<usize>,
    ) -> Option<(Option<&'s str>, Range<usize>)> {
        let pair = inside(tokens, message.clone(), self.pair);
        let (role, content) = match pair.map(|pair| tokens.split(pair)) {
            Some(pair) => match <[_; 2]>::try_from(pair) {
                Ok([role, content]) => (Some(role), content),
                Err(_) => return None,
            },
            None => {
                let options = options(tokens, message);
                let value = |key| Some(argument(&options, key, None)?.value.clone());
                (value("role"), value(self.content)?)
            }
        };
        let role = role.filter(|role| role.len() == 1 && tokens.is_literal(role.start));
        let role = role.map(|role| without_quotes(tokens.text(role.start)));
        let is_prompt = self.roles.is_empty() || role.is_some_and(|it| self.roles.contains(&it));
        is_prompt.then_some((role, content))
    }
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

/// The texts of the blocks in a list: `[{"type": "text", "text": "…"}]`.
fn text_blocks(tokens: &Tokens<'_>, content: Range<usize>) -> Option<Vec<Range<usize>>> {
    let blocks = tokens.split(inside(tokens, content, "[")?).into_iter();
    let texts = blocks.filter_map(|block| {
        let options = options(tokens, block);
        let kind = &argument(&options, "type", None)?.value;
        let is_text = kind.len() == 1 && without_quotes(tokens.text(kind.start)) == "text";
        let text = argument(&options, "text", None).filter(|_| is_text)?;
        Some(text.value.clone())
    });
    Some(texts.collect())
}

/// The tokens in a pair of brackets that is a whole expression.
fn inside(tokens: &Tokens<'_>, expression: Range<usize>, open: &str) -> Option<Range<usize>> {
    let close = tokens.closer(expression.start, open)?;
    (close + 1 == expression.end).then_some(expression.start + 1..close)
}
