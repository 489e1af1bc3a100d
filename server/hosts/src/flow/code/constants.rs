//! Constants whose value is a key: `PLAN = "plan"`, `PLAN("plan")` in an enumeration, and
//! `const Keys = {plan: "plan"}`.

use std::collections::HashMap;
use std::ops::Range;

use super::super::access::{ConstantKey, KeyConstant, hash_of};
use super::syntax::{
    KEY_OF_CONSTANT, body, end_of, has_bare_keys, is_constant, last_of_path, value_of,
};
use crate::code::Tokens;
use crate::language::Language;

/// The maximum length of an expression that joins a key, and of a class before a member, in tokens.
const MAX_EXPRESSION: usize = 32;
const MAX_CLASS: usize = 2000;

/// The values of the constants in a file, by the holders of members and their names; `None` for a
/// name with several declarations, or without a value.
#[derive(Default)]
pub(crate) struct Constants<'s> {
    by_name: HashMap<(&'s str, &'s str), Option<ConstantValue>>,
}

/// The value of a constant.
#[derive(Clone)]
pub(super) enum ConstantValue {
    /// A literal with a key, at this range of the source without quotes.
    Literal(Range<usize>),
    /// Another expression, which starts at this token.
    Expression(usize),
    /// `auto()` of a `StrEnum`: the name of the member at this token, in lower case.
    Member(usize),
}

impl ConstantValue {
    /// The offset in the source where it is written.
    pub fn start(&self, tokens: &Tokens<'_>) -> usize {
        match self {
            ConstantValue::Literal(range) => range.start,
            ConstantValue::Expression(token) | ConstantValue::Member(token) => {
                tokens.range(*token..token + 1).start
            }
        }
    }

    /// The tokens of its expression, or its text.
    pub fn written(&self, tokens: &Tokens<'_>) -> Result<Range<usize>, String> {
        match self {
            ConstantValue::Literal(range) => Err(tokens.source[range.clone()].to_owned()),
            ConstantValue::Expression(start) => Ok(*start..end_of(tokens, *start, MAX_EXPRESSION)),
            ConstantValue::Member(name) => Err(tokens.text(*name).to_lowercase()),
        }
    }
}

impl<'s> Constants<'s> {
    /// The constants of a file.
    ///
    /// Cost: its tokens.
    pub fn new(tokens: &Tokens<'s>) -> Constants<'s> {
        let mut constants = Constants::default();
        for at in (0..tokens.all.len()).filter(|at| tokens.is_word(*at)) {
            let Some(value) = value_of(tokens, at) else { continue };
            let sign = tokens.text(at + 1);
            // The argument of a call, or the default of a parameter; Go has neither, but blocks of
            // constants in brackets.
            let is_argument = sign == "="
                && at > 0
                && matches!(tokens.text(at - 1), "(" | ",")
                && tokens.language != Language::Go;
            // The entry of an object counts with its holder.
            let is_entry = sign == ":" && value == at + 2;
            if !is_argument && !is_entry {
                let of_member = || is_of_string_enum(tokens, at, value);
                let known = match lone_key(tokens, value) {
                    Some(key) => ConstantValue::Literal(key),
                    None if of_member() => ConstantValue::Member(at),
                    None => ConstantValue::Expression(value),
                };
                constants.add(("", tokens.text(at)), known);
            }
            if has_bare_keys(tokens.language) && is_constant(tokens.text(at)) {
                constants.add_members(tokens, tokens.text(at), value);
            }
        }
        constants
    }

    /// Adds the entries of an object, which starts at a token.
    fn add_members(&mut self, tokens: &Tokens<'s>, holder: &'s str, open: usize) {
        let Some(close) = tokens.closer(open, "{") else { return };
        for entry in tokens.split(open + 1..close) {
            if tokens.is_word(entry.start) && tokens.text(entry.start + 1) == ":" {
                let value = entry.start + 2;
                let key = lone_key(tokens, value).map(ConstantValue::Literal);
                let known = key.unwrap_or(ConstantValue::Expression(value));
                self.add((holder, tokens.text(entry.start)), known);
            }
        }
    }

    fn add(&mut self, name: (&'s str, &'s str), value: ConstantValue) {
        self.by_name.entry(name).and_modify(|known| *known = None).or_insert(Some(value));
    }

    /// The literal key of a constant that is no member of an object.
    pub fn key(&self, name: &str) -> Option<Range<usize>> {
        match self.by_name.get(&("", name))? {
            Some(ConstantValue::Literal(range)) => Some(range.clone()),
            _ => None,
        }
    }

    /// The value of a constant or of a member; `None` if the file declares none of that name.
    pub(super) fn declared(
        &self,
        holder: &'s str,
        name: &'s str,
    ) -> Option<&Option<ConstantValue>> {
        self.by_name.get(&(holder, name)).or_else(|| self.by_name.get(&("", name)))
    }

    /// `true` if a name is declared, with whatever value.
    pub fn has(&self, name: &str) -> bool {
        self.has_member("", name)
    }

    /// The same for a member of an object.
    pub fn has_member(&self, holder: &str, name: &str) -> bool {
        self.by_name.contains_key(&(holder, name))
    }

    /// The constants that other files may name, sorted by their names.
    pub fn of_other_files(&self, tokens: &Tokens<'s>) -> Vec<KeyConstant> {
        let is_shared = |name: &&(&str, &str)| !name.0.is_empty() || is_constant(name.1);
        let shared = self.by_name.iter().filter(|(name, _)| is_shared(name));
        let key = |value: &Option<ConstantValue>| match value.as_ref()? {
            ConstantValue::Literal(range) => Some(ConstantKey::Literal(range.clone())),
            value => {
                let key = self.key_of(tokens, value)?;
                Some(ConstantKey::Joined(key.into(), value.start(tokens)))
            }
        };
        let mut all: Vec<KeyConstant> = shared
            .map(|(name, value)| KeyConstant { name: hash(*name), key: key(value) })
            .collect();
        all.sort_unstable_by_key(|constant| constant.name);
        all
    }
}

/// `true` for the member of a `StrEnum` at a token with the value `auto()`.
fn is_of_string_enum(tokens: &Tokens<'_>, member: usize, value: usize) -> bool {
    let last = last_of_path(tokens, value);
    let is_auto = tokens.text(last) == "auto" && tokens.text(last + 2) == ")";
    if tokens.language != Language::Python || !is_auto {
        return false;
    }
    let mut before = (member.saturating_sub(MAX_CLASS)..member).rev();
    let class = before.find(|at| tokens.text(*at) == "class");
    let bases = class.and_then(|class| Some(class + 3..tokens.closer(class + 2, "(")?));
    bases.is_some_and(|bases| bases.into_iter().any(|base| tokens.text(base) == "StrEnum"))
}

/// The key in a literal that is a whole value.
fn lone_key(tokens: &Tokens<'_>, value: usize) -> Option<Range<usize>> {
    let next = tokens.text(value + 1);
    let is_alone = !tokens.is_literal(value + 1) && !matches!(next, "+" | "." | "%");
    body(tokens, value).filter(|_| tokens.is_literal(value) && is_alone)
}

/// The hash of a name, with the holder of a member.
pub(super) fn hash(name: (&str, &str)) -> u64 {
    hash_of(name)
}

/// The name of a constant in an expression: `FACTS`, `keys.FACTS`, `Keys.FACTS.value`, `KEYS.facts`.
pub(super) struct ConstantPath<'s> {
    pub name: &'s str,
    /// The name before the last dot.
    pub holder: &'s str,
    /// The last token of the expression.
    pub end: usize,
}

impl<'s> ConstantPath<'s> {
    /// The path that starts at a token.
    pub fn at(tokens: &Tokens<'s>, start: usize) -> ConstantPath<'s> {
        let end = last_of_path(tokens, start);
        let is_member_of_constant = end >= start + 2 && KEY_OF_CONSTANT.contains(&tokens.text(end));
        let last = if is_member_of_constant { end - 2 } else { end };
        let holder = if last >= start + 2 { tokens.text(last - 2) } else { "" };
        let is_call = tokens.text(end + 1) == "(" && tokens.text(end + 2) == ")";
        let end = if is_call && is_member_of_constant { end + 2 } else { end };
        ConstantPath { name: tokens.text(last), holder, end }
    }
}
