//! TOML strings.

use std::ops::Range;

use crate::decoded::Decoded;

/// Decodes the string at a range, quotes included; `None` if there is no valid string.
///
/// Cost: its length.
pub fn decode(source: &str, range: Range<usize>) -> Option<Decoded> {
    let written = source.get(range.clone())?;
    let quote = written.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let triple = [quote; 3].iter().collect::<String>();
    let is_long = written.len() >= 6 && written.starts_with(&triple);
    let quotes = if is_long { 3 } else { 1 };
    let body = source.get(..range.end.checked_sub(quotes)?)?;
    let mut at = range.start + quotes;
    if is_long {
        at += line_end(body.get(at..)?);
    }
    let mut decoded = Decoded::default();
    while at < body.len() {
        let rest = body.get(at..)?;
        let special = |char: char| char == '\r' || char == '\\' && quote == '"';
        at += match rest.find(special).unwrap_or(rest.len()) {
            0 if rest.starts_with("\r\n") => {
                decoded.push_atomic("\n", at..at + 2);
                2
            }
            0 if rest.starts_with('\\') => match continuation(rest) {
                Some(len) => len,
                None => {
                    let (char, len) = unescape(rest)?;
                    decoded.push_atomic(char.encode_utf8(&mut [0; 4]), at..at + len);
                    len
                }
            },
            plain => {
                let plain = plain.max(1);
                decoded.push_equal(&rest[..plain], at);
                plain
            }
        };
    }
    Some(if decoded.pieces().is_empty() { Decoded::empty_at(at) } else { decoded })
}

/// The length of the line end at the start of a text; 0 if there is none.
fn line_end(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    }
}

/// The length of a `\` with a line end and all whitespace after it.
fn continuation(text: &str) -> Option<usize> {
    let rest = text.get(1..)?;
    let blanks = rest.trim_start_matches([' ', '\t']);
    (line_end(blanks) > 0)
        .then(|| text.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len())
}

/// The character of the escape at the start of a text, and the length of the escape in bytes.
fn unescape(text: &str) -> Option<(char, usize)> {
    let in_hex = |digits: usize| {
        let code = u32::from_str_radix(text.get(2..2 + digits)?, 16).ok()?;
        Some((char::from_u32(code)?, 2 + digits))
    };
    let char = match text.as_bytes().get(1)? {
        b'b' => '\u{8}',
        b't' => '\t',
        b'n' => '\n',
        b'f' => '\u{c}',
        b'r' => '\r',
        b'e' => '\u{1b}',
        b'"' => '"',
        b'\\' => '\\',
        b'x' => return in_hex(2),
        b'u' => return in_hex(4),
        b'U' => return in_hex(8),
        _ => return None,
    };
    Some((char, 2))
}
