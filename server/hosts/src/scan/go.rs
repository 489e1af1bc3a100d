//! Go's tokens.
//!
//! A string behind a type is a struct tag: Go has no other place where one follows a value without
//! anything between them.

use memchr::{memchr, memmem};

use super::words::word_bytes;
use crate::token::{Scan, Token, TokenKind};

/// Words that a string may follow.
const BEFORE_STRINGS: [&str; 10] =
    ["import", "return", "case", "range", "switch", "if", "for", "go", "defer", "else"];

/// The tokens of Go.
pub(crate) fn scan(source: &str) -> Scan {
    let bytes = source.as_bytes();
    let mut scan = Scan { tokens: Vec::with_capacity(bytes.len() / 5), unclosed: None };
    let mut at = if source.starts_with('\u{FEFF}') { 3 } else { 0 };
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let rest = &bytes[at..];
        let mut is_cut_off = false;
        let kind = match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                at = memchr(b'\n', rest).map_or(bytes.len(), |end| at + end);
                // The carriage return belongs to the line end.
                at -= usize::from(bytes[..at].ends_with(b"\r"));
                TokenKind::Comment
            }
            b'/' if rest.starts_with(b"/*") => {
                let end = memmem::find(&rest[2..], b"*/");
                is_cut_off = end.is_none();
                at = end.map_or(bytes.len(), |end| at + end + 4);
                TokenKind::Comment
            }
            b'`' => {
                let end = memchr(b'`', &rest[1..]);
                is_cut_off = end.is_none();
                at = end.map_or(bytes.len(), |end| at + end + 2);
                literal_kind(source, &scan.tokens, start)
            }
            b'"' => {
                at = quoted_end(bytes, at, b'"').unwrap_or_else(|end| end);
                literal_kind(source, &scan.tokens, start)
            }
            b'\'' => {
                at = quoted_end(bytes, at, b'\'').unwrap_or(at + 1);
                TokenKind::Other
            }
            b'(' | b'[' | b'{' => {
                at += 1;
                TokenKind::Open
            }
            b')' | b']' | b'}' => {
                at += 1;
                TokenKind::Close
            }
            _ if is_word(byte) => {
                at += rest.iter().take_while(|byte| is_word(**byte)).count();
                TokenKind::Word
            }
            _ => {
                at += operator_len(rest);
                TokenKind::Punctuation
            }
        };
        if is_cut_off {
            scan.unclosed.get_or_insert(start);
        }
        // Longer sources are no hosts, so that four bytes suffice.
        scan.tokens.push(Token { kind, start: start as u32, end: at as u32 });
    }
    scan
}

/// What a string at an offset is: a literal, or a tag of the field before it.
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

fn is_word(byte: u8) -> bool {
    const WORD: [bool; 256] = word_bytes(b"_");
    WORD[usize::from(byte)]
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

/// The end of a string or rune, or where its line ends without one.
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
