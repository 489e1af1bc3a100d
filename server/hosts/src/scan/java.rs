//! Java's tokens.
//!
//! `\u005c` and `\u0022` are a backslash and a quote everywhere; strings are scanned as the
//! compiler reads them.

use memchr::memchr2;

use super::cursor::{self, Cursor, Lexer, word_bytes};
use crate::token::{Scan, TokenKind};

pub(crate) fn scan(source: &str) -> Scan {
    cursor::scan(source, &mut Java)
}

struct Java;

impl Lexer for Java {
    const WORD: [bool; 256] = word_bytes(b"_$");

    fn operator_len(rest: &[u8]) -> usize {
        operator_len(rest)
    }

    fn own(&mut self, cursor: &mut Cursor<'_>, byte: u8) -> Option<TokenKind> {
        let Cursor { bytes, start, .. } = *cursor;
        Some(match byte {
            b'/' if cursor.rest().starts_with(b"//") => cursor.line_comment(),
            b'/' if cursor.rest().starts_with(b"/*") => cursor.block_comment(),
            b'"' if cursor.rest().starts_with(b"\"\"\"") => {
                cursor.close(block_end(bytes, start + 3));
                TokenKind::Literal
            }
            b'"' => {
                cursor.at = quoted_end(bytes, start + 1, b'"').unwrap_or_else(|end| end);
                TokenKind::Literal
            }
            b'\'' => {
                cursor.at = quoted_end(bytes, start + 1, b'\'').unwrap_or(start + 1);
                TokenKind::Other
            }
            _ => return None,
        })
    }
}

/// `>>` is split, because it closes two type lists.
fn operator_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'.', b'.', b'.', ..] | [b'<', b'<', b'=', ..] => 3,
        [b'-', b'>', ..] | [b':', b':', ..] => 2,
        [b'+', b'+', ..] | [b'-', b'-', ..] | [b'&', b'&', ..] | [b'|', b'|', ..] => 2,
        [first, b'=', ..] if b"=!<>+-*/%&|^".contains(first) => 2,
        _ => 1,
    }
}

/// The end of a string or character after its opening quote; as an error, the end of the line that
/// cuts it off.
fn quoted_end(bytes: &[u8], mut at: usize, quote: u8) -> Result<usize, usize> {
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' | b'\r' => return Err(at),
            b'\\' => match unicode_escape(&bytes[at..]) {
                Some((unit, len)) if unit == u32::from(quote) => return Ok(at + len),
                _ => at = escape_end(bytes, at),
            },
            _ if byte == quote => return Ok(at + 1),
            _ => at += 1,
        }
    }
    Err(bytes.len())
}

/// The end of a text block after its opening quotes.
fn block_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at..].starts_with(b"\"\"\"") {
            return Some(at + 3);
        }
        at = if bytes[at] == b'\\' { escape_end(bytes, at) } else { at + 1 };
    }
}

/// The position after the escape at `at`: a Unicode escape, or a backslash and the escaped
/// character.
fn escape_end(bytes: &[u8], at: usize) -> usize {
    let escaped = match unicode_escape(&bytes[at..]) {
        Some((0x5c, len)) => at + len,
        Some((_, len)) => return at + len,
        None => at + 1,
    };
    match bytes.get(escaped) {
        Some(b'\\') => escaped + unicode_escape(&bytes[escaped..]).map_or(1, |(_, len)| len),
        // An escaped line end is valid only in text blocks; there it is like any other.
        Some(b'\n' | b'\r') | None => escaped,
        Some(_) => escaped + 1,
    }
}

/// The UTF-16 unit of `\uHHHH`, with any number of `u`, and the length in bytes.
pub(crate) fn unicode_escape(bytes: &[u8]) -> Option<(u32, usize)> {
    let us = bytes.strip_prefix(b"\\")?.iter().take_while(|byte| **byte == b'u').count();
    let digits = bytes.get(1 + us..5 + us).filter(|_| us > 0)?;
    let unit = digits
        .iter()
        .try_fold(0, |unit, digit| Some(unit * 16 + char::from(*digit).to_digit(16)?))?;
    Some((unit, us + 5))
}
