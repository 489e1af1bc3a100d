//! Parts of code in which keys are written: literals, paths of names, and declarations.

use std::ops::Range;

use super::super::access::is_key;
use crate::code::Tokens;
use crate::language::Language;

/// Members and methods of a constant of an enumeration that are its key.
pub(super) const KEY_OF_CONSTANT: [&str; 6] =
    ["value", "key", "id", "getKey", "getValue", "toString"];

/// The words before the name of a function.
const FUNCTION: [&str; 4] = ["def", "function", "fun", "func"];

/// The maximum distance between the head of a function and what it returns, in tokens.
const MAX_BODY: usize = 300;

/// The maximum number of tokens of a type between a name and `=`.
pub(super) const MAX_TYPE: usize = 12;

/// The content of a literal that may be a key. Keys in practice contain no escapes.
pub(crate) fn body(tokens: &Tokens<'_>, literal: usize) -> Option<Range<usize>> {
    let range = tokens.kind(literal).map(|_| tokens.range(literal..literal + 1))?;
    let written = &tokens.source[range.clone()];
    let prefix = written.find(['"', '\'', '`'])?;
    let quote = written[prefix..].chars().next()?;
    let inner = written[prefix..].trim_matches(quote);
    if inner.is_empty() || !is_key(inner) {
        return None;
    }
    let quotes = written[prefix..].len() - written[prefix..].trim_start_matches(quote).len();
    let start = range.start + prefix + quotes;
    Some(start..start + inner.len())
}

/// `true` if a word before a colon is itself a key.
pub(in crate::flow) fn has_bare_keys(language: Language) -> bool {
    matches!(language, Language::TypeScript | Language::Tsx | Language::JavaScript)
}

/// A word in lower case and without `_`.
pub(super) fn plain(word: &str) -> String {
    word.chars().filter(|char| *char != '_').flat_map(char::to_lowercase).collect()
}

/// The ends of the names of values with a state, in lower case and without `_`.
const HAVE_STATE: [&str; 3] = ["session", "context", "ctx"];

/// `true` for such a name.
pub(super) fn has_state(name: &str) -> bool {
    let name = plain(name);
    HAVE_STATE.iter().any(|end| name.ends_with(end))
}

/// `true` if the text around the word of a state may have one of its members, or declare variables
/// for them.
pub(super) fn may_have_member(language: Language, before: &str, behind: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let holder = before.trim_end_matches(['.', '?', '!']);
    let name = &holder[holder.trim_end_matches(is_part).len()..];
    let is_destructured = || {
        let path = before.trim_end_matches(|char| is_part(char) || ".?!".contains(char));
        path.trim_end().strip_suffix('=').is_some_and(|rest| rest.trim_end().ends_with('}'))
    };
    has_bare_keys(language)
        && holder.len() < before.len()
        && has_state(name)
        && (behind.trim_start_matches(['?', '!']).starts_with('.') || is_destructured())
}

/// The last token of a path such as `State.USER_PREFIX`.
pub(super) fn last_of_path(tokens: &Tokens<'_>, at: usize) -> usize {
    let mut last = at;
    while tokens.text(last + 1) == "." && tokens.is_word(last + 2) {
        last += 2;
    }
    last
}

/// `true` for a name with a capital at its start, as constants, classes and enumerations have.
pub(super) fn is_constant(name: &str) -> bool {
    name.trim_start_matches('_').starts_with(char::is_uppercase)
}

/// The start of the value that a declaration gives to the name at a token.
pub(super) fn value_of(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    let (before, next) = (at.checked_sub(1).map_or("", |at| tokens.text(at)), at + 1);
    // `f(values=values)` gives the variable no other value.
    let is_passed_on = tokens.text(next + 1) == tokens.text(at)
        && matches!(before, "(" | ",")
        && matches!(tokens.text(next + 2), ")" | ",");
    match tokens.text(next) {
        "=" if is_passed_on => None,
        "=" | ":=" if tokens.text(next + 1) != "=" => Some(next + 1),
        // A type, or the value of a member.
        ":" => {
            let typed = (next + 1..next + MAX_TYPE).take_while(|sign| {
                !tokens.starts_line(*sign) && !matches!(tokens.text(*sign), "," | ")" | "{" | ";")
            });
            let sign = typed.into_iter().find(|sign| tokens.text(*sign) == "=");
            sign.map(|sign| sign + 1).or_else(|| tokens.is_literal(next + 1).then_some(next + 1))
        }
        "(" => {
            let close = tokens.partner(next)?;
            let ends = matches!(tokens.text(close + 1), "," | ";" | "}");
            if tokens.is_literal(next + 1) && close == next + 2 && ends {
                return Some(next + 1);
            }
            let has_body = tokens.text(close + 1) == "{" && at > 0 && tokens.is_word(at - 1);
            (FUNCTION.contains(&before) || has_body).then(|| returned(tokens, close))?
        }
        // In Go, the type follows the name.
        _ if tokens.language == Language::Go
            && tokens.is_word(next)
            && tokens.text(next + 1) == "=" =>
        {
            Some(next + 2)
        }
        _ => None,
    }
}

/// The end of the argument or statement that starts at a token, or of its first tokens.
pub(super) fn end_of(tokens: &Tokens<'_>, start: usize, most: usize) -> usize {
    let mut at = start;
    while !matches!(tokens.text(at), "" | "," | ";" | ")" | "}" | "]")
        && at - start < most
        && (at == start || !tokens.starts_line(at))
    {
        at = tokens.next(at);
    }
    at
}

/// `true` for an expression whose text is known only when it runs: a call, a sum, or a string with
/// fields.
pub(super) fn computes(tokens: &Tokens<'_>, mut value: Range<usize>) -> bool {
    value.any(|token| match tokens.is_literal(token) {
        true => body(tokens, token).is_none() && tokens.text(token).contains(['{', '$']),
        false => matches!(tokens.text(token), "(" | "+" | "%"),
    })
}

/// The start of what a function returns, if it has one `return` or only an expression.
fn returned(tokens: &Tokens<'_>, close: usize) -> Option<usize> {
    let mut body = close + 1..(close + MAX_BODY).min(tokens.all.len());
    let sign = body.find(|at| {
        matches!(tokens.text(*at), "return" | "=") || FUNCTION.contains(&tokens.text(*at))
    })?;
    (!FUNCTION.contains(&tokens.text(sign))).then_some(sign + 1)
}
