//! The terms of our engine of regular expressions.

use std::fmt::Write;

/// A character, or the first and the last of some.
pub(super) type CharRange = (char, char);

/// A set of characters.
pub(super) type Set = &'static [CharRange];

/// A character by itself.
pub(super) fn literal(character: char, out: &mut String) {
    if character.is_ascii_alphanumeric() {
        out.push(character);
    } else {
        // Infallible for a string.
        let _ = write!(out, "\\x{{{:X}}}", u32::from(character));
    }
}

/// A range of characters, for inside of a class.
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

/// The members of a class.
pub(super) fn members(set: Set) -> String {
    let mut out = String::new();
    for &each in set {
        range(each, &mut out);
    }
    out
}

/// The edge of a word, whose characters are these.
pub(super) fn word_edge(word: &str, negated: bool) -> String {
    match negated {
        false => format!("(?:(?<={word})(?!{word})|(?<!{word})(?={word}))"),
        true => format!("(?:(?<={word})(?={word})|(?<!{word})(?!{word}))"),
    }
}
