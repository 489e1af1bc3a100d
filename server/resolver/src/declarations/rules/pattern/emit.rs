//! The syntax of the regex engine.

use std::fmt::Write;

/// A character range, both ends included.
pub(super) type CharRange = (char, char);

/// Appends a character, escaped as `\x{…}` unless it is an ASCII letter or digit.
pub(super) fn literal(character: char, out: &mut String) {
    if character.is_ascii_alphanumeric() {
        out.push(character);
    } else {
        // Writing to a string is infallible.
        let _ = write!(out, "\\x{{{:X}}}", u32::from(character));
    }
}

/// A range of characters inside of a class.
pub(super) fn range((first, last): CharRange, out: &mut String) {
    literal(first, out);
    out.push('-');
    literal(last, out);
}

/// A class of these characters, or of all others.
pub(super) fn class(negated: bool, members: &str) -> String {
    match (negated, members) {
        (false, "") => "[^\\s\\S]".to_owned(),
        (true, "") => "[\\s\\S]".to_owned(),
        (false, members) => format!("[{members}]"),
        (true, members) => format!("[^{members}]"),
    }
}

/// A word boundary, for words of these characters.
pub(super) fn word_edge(word: &str, negated: bool) -> String {
    match negated {
        false => format!("(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"),
        true => format!("(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"),
    }
}
