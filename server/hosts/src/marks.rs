//! Mark comments, which decide about the next string.

use promptls_syntax::Dialect;

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
}
