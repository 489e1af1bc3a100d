//! Decoding of literals in source code, one file per language.

mod go;
mod java;
mod kotlin;
mod python;
mod script;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::language::Language;
use promptls_data::Decoded;

/// `true` if a literal is a text. In Python, some are bytes or templates.
pub(crate) fn is_text(language: Language, literal: &str) -> bool {
    let mut prefix = literal.chars().take_while(char::is_ascii_alphabetic);
    language != Language::Python || !prefix.any(|it| matches!(it, 'b' | 'B' | 't' | 'T'))
}

/// The reason why a literal that does not decode is not read; `None` for one that is no text.
pub(crate) fn why_unread(language: Language, literal: &str) -> Option<&'static str> {
    if !is_text(language, literal) {
        return None;
    }
    if language == Language::Python && python::has_quoted_key(literal) {
        return Some(
            "Python reads this JSON as a format specification and raises an error, so the prompt \
             is not read; double its braces",
        );
    }
    let quote = literal.find(['"', '\'', '`'])?;
    let (prefix, body) = literal.split_at(quote);
    let interpolates = match language {
        Language::Python => prefix.contains(['f', 'F']),
        Language::Kotlin => body.contains('$'),
        Language::Go | Language::Java => false,
        _ => body.starts_with('`'),
    };
    Some(match (body.contains('\\'), interpolates) {
        (true, true) => {
            "this string has an invalid escape or interpolation, so its prompt is not read"
        }
        (true, false) => "this string has an invalid escape, so its prompt is not read",
        (false, true) => "this string has an invalid interpolation, so its prompt is not read",
        (false, false) => "this string is not closed",
    })
}

/// The text of a literal, whose range includes its prefix and quotes. `None` if it cannot be a
/// prompt: bytes, a lone surrogate, an invalid escape, no end.
pub(crate) fn decode(language: Language, source: &str, literal: Range<usize>) -> Option<Decoded> {
    match language {
        Language::Go => go::decode(source, literal),
        Language::Java => java::decode(source, literal),
        Language::Kotlin => kotlin::decode(source, literal),
        Language::Python => python::decode(source, literal),
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            script::decode(language, source, literal)
        }
        _ => None,
    }
}

/// The number in a range of digits; `None` if the range has other characters, or is not in the text.
fn number(text: &str, digits: Range<usize>, radix: u32) -> Option<u32> {
    let digits = text.get(digits)?;
    let is_number = digits.chars().all(|digit| digit.is_digit(radix));
    is_number.then(|| u32::from_str_radix(digits, radix).ok())?
}
