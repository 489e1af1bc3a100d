//! Keys and maps of a state that are names: `state[Keys.CITY]`, `state=INITIAL`, `**app_state()`.
//!
//! Another file may declare them, so an application decides whether their keys are known.

use std::collections::HashMap;
use std::ops::Range;

use super::constants::{ConstantPath, ConstantValue, Constants, hash};
use super::syntax::{KEY_OF_CONSTANT, MAX_TYPE, body, end_of, is_constant, value_of};
use super::{FlowReader, METHODS, TAKES_MAP};
use crate::code::Tokens;
use crate::flow::access::{AccessKind, JoinedKey, NamedAccess};

/// Methods and functions that return the map that they are called on or with, or its keys.
const COPIES: [&str; 12] = [
    "copy",
    "deepcopy",
    "dict",
    "items",
    "keys",
    "entries",
    "toMap",
    "toMutableMap",
    "clone",
    "structuredClone",
    "MappingProxyType",
    "entrySet",
];

/// Methods that add to a list or a map, other than those of a state.
const CHANGES: [&str; 6] = ["append", "extend", "add", "addAll", "push", "insert"];

/// The maximum distance between a loop and its variable, and between `import` and a name, in tokens.
const MAX_DISTANCE: usize = 300;

/// The maximum number of names that are followed to a loop.
const MAX_LOOPS: u8 = 2;

impl FlowReader<'_, '_> {
    /// Records that keys, or the keys of a map, have the value of an expression.
    pub(super) fn unknown(&mut self, expression: Range<usize>) {
        let tokens = self.tokens;
        if let Some(key) = self.constants().joined(tokens, expression.clone()) {
            self.joined.push(key);
            return;
        }
        if self.computes_keys {
            return;
        }
        match (!self.is_declaring).then(|| self.names_elsewhere(expression, 0)).flatten() {
            Some(names) => self.elsewhere.extend(names),
            None => self.computes_keys = true,
        }
    }

    /// The end of the argument or statement that starts at a token.
    pub(super) fn end_of(&self, start: usize) -> usize {
        end_of(self.tokens, start, usize::MAX)
    }

    /// The names that an application must declare for an expression to be known; `None` for one that
    /// is not the name of a constant or a function.
    fn names_elsewhere(&mut self, expression: Range<usize>, followed: u8) -> Option<Vec<String>> {
        let tokens = self.tokens;
        let mut start = expression.start;
        while matches!(tokens.text(start), "*" | "**" | "." | "...") || tokens.text(start) == "new"
        {
            start += 1;
        }
        if !tokens.is_word(start) {
            return None;
        }
        let mut last = start;
        while last + 2 < expression.end && tokens.text(last + 1) == "." {
            last += 2;
        }
        let name = tokens.text(last);
        let holder = (last >= start + 2).then(|| tokens.text(last - 2));
        let close = tokens.closer(last + 1, "(").filter(|close| *close < expression.end);
        if close.map_or(last + 1, |close| close + 1) < expression.end {
            return None;
        }
        let constant = holder.filter(|holder| is_constant(holder));
        match close {
            Some(close) if COPIES.contains(&name) => {
                if close > last + 2 {
                    return self.names_elsewhere(last + 2..close, followed);
                }
                let holder = last.checked_sub(1).filter(|dot| *dot > start)?;
                self.names_elsewhere(start..holder, followed)
            }
            _ if holder.is_some() && KEY_OF_CONSTANT.contains(&name) => {
                Some(vec![constant?.to_owned()])
            }
            Some(_) => holder.is_none().then(|| vec![name.to_owned()]),
            None if is_constant(name) => Some(vec![name.to_owned()]),
            // Members with small letters have common names.
            None if holder.is_some() => Some(vec![constant?.to_owned(), name.to_owned()]),
            None => match self.loop_over(start, followed) {
                Some(list) => self.names_elsewhere(list, followed + 1),
                None => self.is_declared_once(start).then(|| vec![name.to_owned()]),
            },
        }
    }

    /// The list of the nearest loop before a token that has this name as its variable.
    fn loop_over(&self, at: usize, followed: u8) -> Option<Range<usize>> {
        let (tokens, name) = (self.tokens, self.tokens.text(at));
        let first = at.saturating_sub(MAX_DISTANCE);
        let start = (first..at).rev().find(|start| tokens.text(*start) == "for")?;
        let sign = (start + 1..at).find(|sign| matches!(tokens.text(*sign), "in" | "of" | ":"))?;
        // The first variable is the key; in Java, its type precedes it.
        let is_variable = |at: &usize| {
            tokens.is_word(*at) && !matches!(tokens.text(*at), "const" | "let" | "var" | "val")
        };
        let mut variables = (start + 1..sign).filter(is_variable);
        let key = if tokens.text(sign) == ":" { variables.last() } else { variables.next() };
        let has_name = key.is_some_and(|key| tokens.text(key) == name);
        let end = self.end_of(sign + 1);
        let end = (sign + 1..end).find(|end| tokens.text(*end) == ":").unwrap_or(end);
        (has_name && followed < MAX_LOOPS).then_some(sign + 1..end)
    }

    /// `true` if a variable is imported, or is assigned known keys in this file and has no other
    /// value.
    fn is_declared_once(&mut self, at: usize) -> bool {
        let (tokens, name) = (self.tokens, self.tokens.text(at));
        let firsts = self.first_places.get_or_insert_with(|| {
            let words = (0..tokens.all.len()).rev().filter(|place| tokens.is_word(*place));
            words.map(|place| (tokens.text(place), place)).collect()
        });
        if firsts.get(name).is_some_and(|first| is_imported(tokens, *first)) {
            return true;
        }
        self.declared.get_or_insert_with(|| declared_names(tokens)).get(name) == Some(&true)
    }

    /// `true` if the file gives the variable at a token a value.
    pub(super) fn declares(&mut self, at: usize) -> bool {
        let tokens = self.tokens;
        let declared = self.declared.get_or_insert_with(|| declared_names(tokens));
        declared.contains_key(tokens.text(at))
    }
}

/// `true` for a word in an import.
fn is_imported(tokens: &Tokens<'_>, place: usize) -> bool {
    let mut next = place;
    for token in (place.saturating_sub(MAX_DISTANCE)..place).rev() {
        match tokens.text(token) {
            "import" => return true,
            "," | "(" | "{" | "." | "as" => {}
            _ if tokens.is_word(token) && tokens.text(next) != "(" => {}
            _ => return false,
        }
        next = token;
    }
    false
}

/// The names that are assigned known keys: a key, a list of keys, a map, or a function that returns
/// a map; and with `false`, names that also have other values.
pub(super) fn declared_names<'s>(tokens: &Tokens<'s>) -> HashMap<&'s str, bool> {
    let mut reader = FlowReader { is_declaring: true, ..FlowReader::new(tokens) };
    let mut names = HashMap::new();
    for at in (0..tokens.all.len()).filter(|at| tokens.is_word(*at)) {
        let is_known = match value_of(tokens, at) {
            Some(value) => reader.has_known_keys(value),
            None if is_changed(tokens, at) => false,
            None => continue,
        };
        names.entry(tokens.text(at)).and_modify(|all| *all &= is_known).or_insert(is_known);
    }
    for (name, is_known) in names.iter_mut().filter(|(_, is_known)| !**is_known) {
        *is_known = reader.constants().is_joined(tokens, name);
    }
    names
}

/// `true` if an entry is added to the map or list with the name at a token.
fn is_changed(tokens: &Tokens<'_>, at: usize) -> bool {
    let is_method = |name: &str| {
        let sets = METHODS.iter().any(|(method, supplies)| *supplies && *method == name);
        sets || TAKES_MAP.contains(&name) || CHANGES.contains(&name)
    };
    match tokens.text(at + 1) {
        "[" => tokens
            .partner(at + 1)
            .is_some_and(|close| tokens.text(close + 1) == "=" && tokens.text(close + 2) != "="),
        "." => is_method(tokens.text(at + 2)) && tokens.text(at + 3) == "(",
        _ => false,
    }
}

impl FlowReader<'_, '_> {
    /// `true` for a key, a list of keys, and a map with known keys.
    fn has_known_keys(&mut self, start: usize) -> bool {
        let tokens = self.tokens;
        if tokens.is_literal(start) {
            let is_alone =
                !matches!(tokens.text(start + 1), "+" | "." | "%") && !tokens.is_literal(start + 1);
            return is_alone && body(tokens, start).is_some();
        }
        let mut at = start;
        let arrow = tokens.closer(at, "(").and_then(|close| {
            let mut types = (close + 1..close + MAX_TYPE)
                .take_while(|it| !matches!(tokens.text(*it), "{" | "," | ";" | ")"));
            types.find(|it| tokens.text(*it) == "=>")
        });
        at = arrow.map_or(at, |arrow| arrow + 1);
        if tokens.text(at) == "(" && tokens.text(at + 1) == "{" {
            at += 1;
        }
        let list = (at..at + 4).find(|open| matches!(tokens.text(*open), "[" | "("));
        let is_list_start = |open: &usize| {
            (at..*open).all(|it| {
                matches!(tokens.text(it), "List" | "." | "of" | "listOf" | "setOf" | "Set")
            })
        };
        if let Some(open) = list.filter(is_list_start)
            && let Some(close) = tokens.partner(open)
        {
            let items = tokens.split(open + 1..close);
            let is_key =
                |item: &Range<usize>| item.len() == 1 && body(tokens, item.start).is_some();
            if !items.is_empty() && items.iter().all(is_key) {
                return true;
            }
        }
        self.accesses.clear();
        self.computes_keys = false;
        self.map_from(at, AccessKind::StateKey);
        !self.accesses.is_empty() && !self.computes_keys
    }
}

impl FlowReader<'_, '_> {
    /// The last token of the constant that starts at a token.
    pub(super) fn end_of_constant(&self, at: usize) -> usize {
        ConstantPath::at(self.tokens, at).end
    }

    /// The key in the constant at a token.
    pub(super) fn constant(&mut self, at: usize) -> Option<Range<usize>> {
        let ConstantPath { name, holder, .. } = ConstantPath::at(self.tokens, at);
        match self.constants().declared(holder, name)? {
            Some(ConstantValue::Literal(range)) => Some(range.clone()),
            _ => None,
        }
    }

    /// Records the key of the constant at a token, if it is no literal; `false` if it has none.
    pub(super) fn set_joined(&mut self, at: usize) -> bool {
        let tokens = self.tokens;
        let ConstantPath { name, holder, .. } = ConstantPath::at(tokens, at);
        let constants = self.constants();
        let value = constants.declared(holder, name).and_then(Option::as_ref);
        let key = value.and_then(|value| {
            let key = constants.key_of(tokens, value)?;
            Some(JoinedKey::known(key, value.start(tokens)))
        });
        let is_key = key.is_some();
        self.joined.extend(key);
        is_key
    }

    /// Notes an access by the name of a constant that this file does not declare.
    pub(super) fn note_named(&mut self, at: usize, kind: AccessKind, supplies: bool) {
        let tokens = self.tokens;
        let ConstantPath { name, holder, end } = ConstantPath::at(tokens, at);
        let is_whole =
            matches!(tokens.text(end + 1), "" | "]" | ")" | "," | "}" | ":" | "to" | ";")
                || tokens.starts_line(end + 1);
        let name = match (is_constant(name), is_constant(holder)) {
            (true, _) => ("", name),
            (false, true) => (holder, name),
            (false, false) => return,
        };
        if is_whole && !self.is_declaring && !self.constants().has_member(name.0, name.1) {
            let value = if supplies { super::assigned(self.tokens, end) } else { None };
            self.named.push(NamedAccess {
                word: name.1.to_owned(),
                name: hash(name),
                kind,
                supplies,
                value,
            });
        }
    }

    fn constants(&mut self) -> &Constants<'_> {
        let tokens = self.tokens;
        self.constants.get_or_insert_with(|| Constants::new(tokens))
    }
}
