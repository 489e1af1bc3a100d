//! Constants whose value is a key: `PLAN = "plan"`, `PLAN("plan")` in an enumeration, and
//! `const Keys = {plan: "plan"}`.

use std::collections::HashMap;
use std::ops::Range;

use super::super::access::{KeyConstant, hash_of};
use super::syntax::{KEY_OF_CONSTANT, body, has_bare_keys, is_constant, last_of_path, value_of};
use crate::code::Tokens;
use crate::language::Language;

/// The keys of the constants in a file, without quotes, by the holders of members and their names;
/// `None` for a name with several declarations, or another value.
#[derive(Default)]
pub(crate) struct Constants<'s> {
    pub(super) by_name: HashMap<(&'s str, &'s str), Option<Range<usize>>>,
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
                constants.add(("", tokens.text(at)), lone_key(tokens, value));
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
                let key = lone_key(tokens, entry.start + 2);
                self.add((holder, tokens.text(entry.start)), key);
            }
        }
    }

    fn add(&mut self, name: (&'s str, &'s str), key: Option<Range<usize>>) {
        self.by_name.entry(name).and_modify(|known| *known = None).or_insert(key);
    }

    /// The key of a constant that is no member of an object.
    pub fn key(&self, name: &str) -> Option<Range<usize>> {
        self.by_name.get(&("", name)).cloned().flatten()
    }

    /// `true` if a name is declared, with whatever value.
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(&("", name))
    }

    /// The constants that other files may name, sorted by their names.
    pub fn of_other_files(&self) -> Vec<KeyConstant> {
        let is_shared = |name: &&(&str, &str)| !name.0.is_empty() || is_constant(name.1);
        let shared = self.by_name.iter().filter(|(name, _)| is_shared(name));
        let mut all: Vec<KeyConstant> =
            shared.map(|(name, key)| KeyConstant { name: hash(*name), key: key.clone() }).collect();
        all.sort_unstable_by_key(|constant| constant.name);
        all
    }
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
