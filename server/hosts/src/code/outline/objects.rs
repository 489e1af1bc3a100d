//! The notation of objects: keys and values in braces, and changes of them.

use std::collections::HashSet;
use std::ops::Range;

use super::{Outline, Value};
use crate::code::tokens::Tokens;
use crate::language::Language;

/// Functions that return the object that they are passed, or one of their keyword arguments.
const HOLDERS: [&str; 5] =
    ["Object.freeze", "MappingProxyType", "types.MappingProxyType", "dict", "SimpleNamespace"];

/// The maximum number of tokens of the type before the braces of a composite value.
const MAX_TYPE: usize = 32;

/// The notation of a key in brackets: a quoted text, a number, any key, or a name in brackets.
pub(in crate::code) fn is_index(key: &str) -> bool {
    key.starts_with(['"', '\'', '*', '[']) || is_number(key)
}

/// `true` for the number of an item.
pub(in crate::code) fn is_number(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_digit())
}

pub(in crate::code) fn without_quotes(key: &str) -> &str {
    key.trim_matches(['"', '\'', '`'])
}

/// The tokens between the braces of an object, and the sign between key and value.
pub(in crate::code) fn parts_of_object<'t>(
    tokens: &Tokens<'_>,
    value: Range<usize>,
) -> Option<(Range<usize>, &'t str)> {
    let last = value.end.checked_sub(1)?;
    let start = value.start;
    // `{…}`, `{…} as const`, and the braces of an enum.
    if let Some(close) = tokens.closer(start, "{") {
        let is_whole = close == last || matches!(tokens.text(close + 1), "as" | "satisfies");
        let sign = if tokens.text(start.wrapping_sub(2)) == "enum" { "=" } else { ":" };
        return is_whole.then_some((start + 1..close, sign));
    }
    let open = tokens.partner(last).filter(|open| *open > start && *open - start < MAX_TYPE)?;
    if tokens.language == Language::Go {
        return (tokens.text(open) == "{").then_some((open + 1..last, ":"));
    }
    let callee = tokens.callee(open).join(".");
    let is_start = open == start + callee.split('.').count() * 2 - 1;
    if !is_start || tokens.text(open) != "(" || !HOLDERS.contains(&callee.as_str()) {
        return None;
    }
    match tokens.closer(open + 1, "{") {
        Some(close) if close + 1 == last => Some((open + 2..close, ":")),
        Some(_) => None,
        None => Some((open + 1..last, "=")),
    }
}

/// The names whose members a host assigns or changes, and the members that it assigns.
///
/// Cost: the tokens.
pub(in crate::code) fn changed<'s>(tokens: &Tokens<'s>) -> (HashSet<&'s str>, HashSet<&'s str>) {
    const CHANGES: [&str; 9] =
        ["update", "setdefault", "pop", "clear", "popitem", "push", "splice", "append", "set"];
    let (mut changed, mut assigned) = (HashSet::new(), HashSet::new());
    let head = |last: usize| {
        let mut at = last;
        for _ in 0..16 {
            if tokens.text(at) == "]" {
                at = tokens.partner(at)?.checked_sub(1)?;
                continue;
            }
            match at.checked_sub(2).filter(|_| tokens.is_word(at)) {
                Some(before) if tokens.text(at - 1) == "." => at = before,
                _ => return tokens.is_word(at).then(|| tokens.text(at)),
            }
        }
        None
    };
    for at in 1..tokens.all.len() {
        let text = tokens.text(at);
        let assigns =
            text.ends_with('=') && !matches!(text, "==" | "!=" | "<=" | ">=" | "===" | "!==");
        let is_member = tokens.text(at - 1) == "]"
            || at > 1 && tokens.is_word(at - 1) && tokens.text(at - 2) == ".";
        if assigns && is_member
            || text == "(" && is_member && CHANGES.contains(&tokens.text(at - 1))
        {
            changed.extend(head(at - 1));
            assigned.insert(tokens.text(at - 1));
        }
        // `del a["b"]`, `delete a.b`, `Object.assign(a, …)`.
        let takes =
            matches!(text, "del" | "delete") || text == "(" && tokens.text(at - 1) == "assign";
        if takes && tokens.is_word(at + 1) {
            changed.insert(tokens.text(at + 1));
        }
    }
    (changed, assigned)
}

impl<'s> Outline<'s> {
    /// The object that is the value of a name in a scope, if nothing changes it.
    pub(in crate::code) fn object(&self, scope: usize, name: &'s str) -> Option<Range<usize>> {
        match self.value(scope, name)? {
            (_, Value::Expression(value)) if !self.changed.contains(name) => Some(value.clone()),
            _ => None,
        }
    }
}
