//! Mark comments, which decide about the next string.

use std::ops::Range;

use promptls_syntax::Dialect;

use crate::unread::Unread;

/// The content of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The string is a prompt in this dialect.
    Dialect(Dialect),
    /// The string is no prompt, overriding recognisers.
    Off,
}

/// The prefixes of marks: `promptls:`, and that of editors for injected languages.
pub(crate) const OPENERS: [&str; 2] = ["promptls:", "language=prompt-"];

/// The first mark in a comment; `None` if there is none, or if its dialect is unknown.
///
/// Cost: the length of the comment.
pub(crate) fn mark(comment: &str) -> Option<Mark> {
    OPENERS.iter().find_map(|opener| {
        comment.match_indices(opener).find_map(|(at, _)| {
            let rest = comment[at + opener.len()..].trim_start_matches([' ', '\t']);
            let is_word = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
            match &rest[..rest.find(|char| !is_word(char)).unwrap_or(rest.len())] {
                "off" if opener.ends_with(':') => Some(Mark::Off),
                id => Dialect::from_id(id).map(Mark::Dialect),
            }
        })
    })
}

/// A comment without its delimiters if it is just a mark, whose dialect may not exist; `None` for
/// prose that has such words.
///
/// Cost: the length of the comment.
pub(crate) fn only_mark(comment: &str) -> Option<&str> {
    let is_sign = |char: char| char.is_whitespace() || "#/*<>!-".contains(char);
    let text = comment.trim_matches(is_sign);
    let id = OPENERS.iter().find_map(|opener| text.strip_prefix(opener))?.trim_start();
    let is_word = !id.is_empty() && id.chars().all(|it| it.is_alphanumeric() || "_-".contains(it));
    is_word.then_some(text)
}

/// The report about a mark whose dialect does not exist; `comment` is its range.
pub(crate) fn unknown(mark: &str, comment: Range<usize>) -> Unread {
    let id = OPENERS.iter().find_map(|opener| mark.strip_prefix(opener)).unwrap_or(mark).trim();
    let known = Dialect::ALL.map(|dialect| dialect.spec().id).join(", ");
    let reason =
        format!("there is no dialect `{id}`, so this mark has no effect; the dialects are {known}");
    Unread::new(comment, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_names_a_dialect_or_is_off() {
        let adk = Some(Mark::Dialect(Dialect::Adk));
        for (comment, expected) in [
            ("# promptls: adk", adk),
            ("// see promptls:adk, please", adk),
            ("/* language=prompt-adk prefix=x suffix=y */", adk),
            ("# promptls: nothing, then promptls: adk", adk),
            ("# promptls: off", Some(Mark::Off)),
            ("# promptls: offline", None),
            ("# language=prompt-off", None),
            ("# promptls: adk2", None),
            ("# adk", None),
        ] {
            assert_eq!(mark(comment), expected, "{comment}");
        }
    }

    #[test]
    fn only_a_comment_with_nothing_else_is_just_a_mark() {
        for (comment, expected) in [
            ("# promptls: adk2", Some("promptls: adk2")),
            ("/* language=prompt-adk */", Some("language=prompt-adk")),
            ("<!-- promptls: off -->", Some("promptls: off")),
            ("# promptls: reads this", None),
            ("# promptls:", None),
            ("# see promptls: adk2", None),
        ] {
            assert_eq!(only_mark(comment), expected, "{comment}");
        }
    }
}
