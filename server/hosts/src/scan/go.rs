//! Go's tokens.
//!
//! A string after a type is a struct tag: nowhere else in Go does a string directly follow a value.

use memchr::memchr;

use super::cursor::{self, Cursor, Lexer, word_bytes};
use crate::token::{Scan, Token, TokenKind};

/// Words that a string may follow.
const BEFORE_STRINGS: [&str; 10] =
    ["import", "return", "case", "range", "switch", "if", "for", "go", "defer", "else"];

pub(crate) fn scan(source: &str) -> Scan {
    cursor::scan(source, &mut Go)
}

struct Go;

impl Lexer for Go {
    const WORD: [bool; 256] = word_bytes(b"_");

    fn operator_len(rest: &[u8]) -> usize {
        operator_len(rest)
    }

    fn own(&mut self, cursor: &mut Cursor<'_>, byte: u8) -> Option<TokenKind> {
        let Cursor { source, bytes, start, .. } = *cursor;
        Some(match byte {
            b'/' if cursor.rest().starts_with(b"//") => {
                let end = memchr(b'\n', cursor.rest()).map_or(bytes.len(), |end| start + end);
                // The carriage return belongs to the line end.
                cursor.at = end - usize::from(bytes[..end].ends_with(b"\r"));
                TokenKind::Comment
            }
            b'/' if cursor.rest().starts_with(b"/*") => cursor.block_comment(),
            b'`' => {
                cursor.close(memchr(b'`', &bytes[start + 1..]).map(|end| start + end + 2));
                literal_kind(source, &cursor.scan.tokens, start)
            }
            b'"' => {
                cursor.at = quoted_end(bytes, start, b'"').unwrap_or_else(|end| end);
                literal_kind(source, &cursor.scan.tokens, start)
            }
            b'\'' => {
                cursor.at = quoted_end(bytes, start, b'\'').unwrap_or(start + 1);
                TokenKind::Other
            }
            _ => return None,
        })
    }
}

/// The kind of a string at an offset: a literal, or a tag of the preceding field.
fn literal_kind(source: &str, tokens: &[Token], start: usize) -> TokenKind {
    let before = tokens.iter().rev().find(|token| token.kind != TokenKind::Comment);
    let Some(before) = before else { return TokenKind::Literal };
    let is_value = match before.kind {
        TokenKind::Word => !BEFORE_STRINGS.contains(&&source[before.range()]),
        TokenKind::Close => true,
        _ => false,
    };
    let is_same_line = memchr(b'\n', &source.as_bytes()[before.range().end..start]).is_none();
    if is_value && is_same_line { TokenKind::Other } else { TokenKind::Literal }
}

fn operator_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'.', b'.', b'.', ..] | [b'<', b'<', b'=', ..] | [b'>', b'>', b'=', ..] => 3,
        [b'&', b'^', b'=', ..] => 3,
        [b'<', b'-' | b'<', ..] | [b'>', b'>', ..] | [b'&', b'&' | b'^', ..] => 2,
        [b'+', b'+', ..] | [b'-', b'-', ..] | [b'|', b'|', ..] => 2,
        [first, b'=', ..] if b":=!<>+-*/%&|^".contains(first) => 2,
        _ => 1,
    }
}

/// The end of a string or rune; as an error, the end of the line that cuts it off.
fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> Result<usize, usize> {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => return Err(at),
            b'\\' if !matches!(bytes.get(at + 1), Some(b'\n') | None) => at += 2,
            _ if byte == quote => return Ok(at + 1),
            _ => at += 1,
        }
    }
    Err(bytes.len())
}
