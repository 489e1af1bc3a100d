//! Go's literals.

use std::ops::Range;

use super::number;
use promptls_data::Decoded;

pub(crate) fn decode(source: &str, literal: Range<usize>) -> Option<Decoded> {
    let written = source.get(literal.clone())?;
    let start = literal.start + 1;
    let decoded = match written.strip_prefix('`') {
        Some(rest) => raw(rest.strip_suffix('`')?, start),
        None => interpreted(written.strip_prefix('"')?.strip_suffix('"')?, start)?,
    };
    Some(decoded.or_empty_at(start))
}

/// The text between backticks, from an offset on: everything but carriage returns.
fn raw(inner: &str, start: usize) -> Decoded {
    let mut decoded = Decoded::default();
    let mut at = start;
    for part in inner.split('\r') {
        decoded.push_equal(part, at);
        at += part.len() + 1;
    }
    decoded
}

/// The text between double quotes; `None` if it contains a newline or an invalid escape.
fn interpreted(inner: &str, start: usize) -> Option<Decoded> {
    let mut decoded = Decoded::default();
    let mut at = 0;
    while at < inner.len() {
        let rest = &inner[at..];
        let plain = rest.find('\\').unwrap_or(rest.len());
        if rest[..plain].contains('\n') {
            return None;
        }
        decoded.push_equal(&rest[..plain], start + at);
        at += plain;
        if at == inner.len() {
            break;
        }
        let (character, len) = escape(&inner[at..])?;
        let source = start + at..start + at + len;
        decoded.push_atomic(character.encode_utf8(&mut [0; 4]), source);
        at += len;
    }
    Some(decoded)
}

/// The character of the escape at the start, and the length of the escape.
fn escape(text: &str) -> Option<(char, usize)> {
    let simple = match text.as_bytes().get(1)? {
        b'a' => '\x07',
        b'b' => '\x08',
        b'f' => '\x0c',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'v' => '\x0b',
        b'\\' => '\\',
        b'"' => '"',
        b'u' => return Some((char::from_u32(number(text, 2..6, 16)?)?, 6)),
        b'U' => return Some((char::from_u32(number(text, 2..10, 16)?)?, 10)),
        b'x' | b'0'..=b'7' => return bytes(text),
        _ => return None,
    };
    Some((simple, 2))
}

/// The character whose bytes are written as escapes, and the length of these.
fn bytes(text: &str) -> Option<(char, usize)> {
    let mut bytes = Vec::with_capacity(4);
    let len = loop {
        let at = bytes.len() * 4;
        bytes.push(byte(text.get(at..)?)?);
        let count = match bytes[0] {
            0..0x80 => 1,
            0xC2..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0..0xF5 => 4,
            _ => return None,
        };
        if bytes.len() == count {
            break at + 4;
        }
    };
    Some((std::str::from_utf8(&bytes).ok()?.chars().next()?, len))
}

/// The byte of `\xHH` or `\ooo`, which have the same length.
fn byte(text: &str) -> Option<u8> {
    let number = match text.strip_prefix('\\')?.starts_with('x') {
        true => number(text, 2..4, 16),
        false => number(text, 1..4, 8),
    };
    u8::try_from(number?).ok()
}

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::decode::tests::{check_literals, check_unclosed};

    #[test]
    fn literals_have_the_values_of_the_language() {
        check_literals(
            &[Language::Go],
            &[
                (r#"f("a", "")"#, &[Some("a"), Some("")]),
                (r#"x := '"' + "a" // "b" "#, &[Some("a")]),
                (r"'\'' '`' `b`", &[Some("b")]),
                (r#"/* "a" */ "b""#, &[Some("b")]),
                ("\"a\n\"b\"", &[None, Some("b")]),
                ("`a\r\n\\n`", &[Some("a\n\\n")]),
                ("return `a`", &[Some("a")]),
                ("a\n`b`", &[Some("b")]),
                ("A string `b`; B []x.Y \"c\"\nC struct{} `d`", &[]),
                (r#""\xe2\202\xac\u00e9\U0001F600\101""#, &[Some("€é😀A")]),
                (r#""\xff" + "\xe2\x82" + "\ud800" + "\'" + "\400" + "\x4""#, &[None; 6]),
                ("\"", &[None]),
                ("`a", &[None]),
            ],
        );
    }

    #[test]
    fn unclosed_literals_and_comments_are_reported() {
        check_unclosed(Language::Go, &[("x `\n a", Some(2)), ("/* a", Some(0)), ("\"a", None)]);
    }
}
