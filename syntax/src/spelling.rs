//! Spelling of names and literal braces, so that a prompt has the intended meaning.
//!
//! The rules for names are not repeated here: a name is put into braces, and must be lexed as that
//! name.

use std::ops::Range;

use crate::grammar::Grammar;
use crate::lexer::{name_range, tokenize};
use crate::token::{Token, TokenKind};

/// `true` if a name in braces is a placeholder with exactly that name.
///
/// ```
/// use promptls_syntax::{Dialect, is_name};
///
/// assert!(is_name(Dialect::Adk, "app:user") && !is_name(Dialect::Entaingine, "app:user"));
/// ```
pub fn is_name(grammar: impl Into<Grammar>, name: &str) -> bool {
    let grammar = grammar.into();
    let text = in_braces(grammar, name);
    only_token(grammar, &text).is_some_and(|token| {
        token.kind == TokenKind::Placeholder
            && text[name_range(grammar, token.kind, &text)] == *name
    })
}

/// A valid spelling of a name: in upper case if no other is valid. `None` if it has no valid
/// spelling.
///
/// ```
/// use promptls_syntax::{Dialect, spelled};
///
/// assert_eq!(spelled(Dialect::Entaingine, "topic").as_deref(), Some("TOPIC"));
/// assert_eq!(spelled(Dialect::Entaingine, "a topic"), None);
/// ```
pub fn spelled(grammar: impl Into<Grammar>, name: &str) -> Option<String> {
    let grammar = grammar.into();
    [name.to_owned(), name.to_uppercase()].into_iter().find(|name| is_name(grammar, name))
}

/// The escape that is sent as this placeholder with its braces; `None` if there is no such syntax.
///
/// ```
/// use promptls_syntax::{Dialect, escaped};
///
/// assert_eq!(escaped(Dialect::AgentEnsemble, "{name}").as_deref(), Some("{{name}}"));
/// assert_eq!(escaped(Dialect::Adk, "{name}"), None);
/// ```
pub fn escaped(grammar: impl Into<Grammar>, placeholder: &str) -> Option<String> {
    let grammar = grammar.into();
    if grammar.doubles_braces() {
        return Some(placeholder.replace('{', "{{").replace('}', "}}"));
    }
    let text = in_braces(grammar, placeholder);
    let is_escape = only_token(grammar, &text).is_some_and(|it| it.kind == TokenKind::Escape);
    is_escape.then_some(text)
}

/// The text that an escape is sent as, braces included.
///
/// ```
/// use promptls_syntax::unescaped;
///
/// assert_eq!((unescaped("{{name}}"), unescaped("{{")), ("{name}", "{"));
/// ```
pub fn unescaped(escape: &str) -> &str {
    match escape.len() {
        // One of two equal braces.
        2 => &escape[1..],
        len => &escape[1..len - 1],
    }
}

/// The parts of a text that must be escaped to be sent as they are, with their escapes: each brace,
/// or each placeholder. Those without an escape are left out.
///
/// ```
/// use promptls_syntax::{Dialect, escapes};
///
/// assert_eq!(escapes(Dialect::AgentEnsemble, "a {b}"), [(2..5, "{{b}}".to_owned())]);
/// let braces = escapes(Dialect::Format, "a {b}");
/// assert_eq!(braces, [(2..3, "{{".to_owned()), (4..5, "}}".to_owned())]);
/// ```
pub fn escapes(grammar: impl Into<Grammar>, text: &str) -> Vec<(Range<usize>, String)> {
    let grammar = grammar.into();
    if grammar.doubles_braces() {
        let braces = text.match_indices(['{', '}']);
        return braces.map(|(at, brace)| (at..at + 1, brace.repeat(2))).collect();
    }
    let mut found = Vec::new();
    tokenize(grammar, text, |token| {
        if token.kind == TokenKind::Placeholder {
            let escape = escaped(grammar, &text[token.range()]);
            found.extend(escape.map(|escape| (token.range(), escape)));
        }
    });
    found
}

fn in_braces(grammar: Grammar, text: &str) -> String {
    let spec = grammar.dialect().spec();
    format!("{}{text}{}", spec.open, spec.close)
}

/// The only token of a text, if it covers the whole text.
fn only_token(grammar: Grammar, text: &str) -> Option<Token> {
    let mut only = None;
    tokenize(grammar, text, |token| only = (token.range() == (0..text.len())).then_some(token));
    only
}
