//! Python's tokens.
//!
//! What makes it more than a search for quotes are the fields of f-strings, in which strings may
//! use the same quotes again.

use memchr::memchr2;

use super::words::word_bytes;
use crate::token::{Scan, Token, TokenKind};

/// Strings in fields of strings beyond this depth are read as if they had no fields.
const MAX_DEPTH: usize = 32;

/// The tokens of Python.
pub(crate) fn scan(source: &str) -> Scan {
    let bytes = source.as_bytes();
    let mut scan = Scan { tokens: Vec::with_capacity(bytes.len() / 5), unclosed: None };
    let mut at = if source.starts_with('\u{FEFF}') { 3 } else { 0 };
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let kind = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'\\' => {
                at += 1;
                continue;
            }
            b'#' => {
                at = memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |found| at + found);
                TokenKind::Comment
            }
            b'"' | b'\'' => {
                at = literal(bytes, start, at, &mut scan);
                TokenKind::Literal
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
                at += bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
                let is_quoted = matches!(bytes.get(at), Some(b'"' | b'\''));
                if is_quoted && is_prefix(&bytes[start..at]) {
                    at = literal(bytes, start, at, &mut scan);
                    TokenKind::Literal
                } else {
                    TokenKind::Word
                }
            }
            _ => {
                at += operator_len(&bytes[at..]);
                TokenKind::Punctuation
            }
        };
        // Longer sources are no hosts, so that four bytes suffice.
        scan.tokens.push(Token { kind, start: start as u32, end: at as u32 });
    }
    scan
}

fn is_word(byte: u8) -> bool {
    const WORD: [bool; 256] = word_bytes(b"_");
    WORD[usize::from(byte)]
}

fn is_prefix(word: &[u8]) -> bool {
    let mut lower = [0; 2];
    let Some(lower) = lower.get_mut(..word.len()) else { return false };
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    matches!(
        &*lower,
        b"r" | b"u" | b"b" | b"f" | b"t" | b"rb" | b"br" | b"rf" | b"fr" | b"rt" | b"tr"
    )
}

fn has_fields(prefix: &[u8]) -> bool {
    prefix.iter().any(|byte| matches!(byte, b'f' | b'F' | b't' | b'T'))
}

fn operator_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'*', b'*', b'=', ..]
        | [b'/', b'/', b'=', ..]
        | [b'<', b'<', b'=', ..]
        | [b'>', b'>', b'=', ..]
        | [b'.', b'.', b'.', ..] => 3,
        [b'*', b'*', ..] | [b'/', b'/', ..] | [b'<', b'<', ..] | [b'>', b'>', ..] => 2,
        [b'-', b'>', ..] => 2,
        [first, b'=', ..] if b"=!<>+-*/%&|^@:".contains(first) => 2,
        _ => 1,
    }
}

/// The end of the literal whose quotes start at `quote`, behind its prefix.
fn literal(bytes: &[u8], start: usize, quote: usize, scan: &mut Scan) -> usize {
    let end = literal_end(bytes, start, quote, MAX_DEPTH);
    if end.is_cut_off {
        scan.unclosed.get_or_insert(start);
    }
    end.at
}

struct End {
    at: usize,
    /// Whether the source ends in it.
    is_cut_off: bool,
    is_closed: bool,
}

fn literal_end(bytes: &[u8], start: usize, quote: usize, depth: usize) -> End {
    let mark = bytes[quote];
    let is_triple = bytes[quote..].starts_with(&[mark; 3]);
    let has_fields = has_fields(&bytes[start..quote]) && depth > 0;
    let is_raw = bytes[start..quote].iter().any(|byte| matches!(byte, b'r' | b'R'));
    let mut at = quote + if is_triple { 3 } else { 1 };
    loop {
        // What is common is found fast; the rest is looked at byte by byte.
        let found = if has_fields || !is_triple {
            let rest = &bytes[at.min(bytes.len())..];
            rest.iter().position(|byte| {
                *byte == mark
                    || matches!(byte, b'\\')
                    || has_fields && *byte == b'{'
                    || !is_triple && matches!(byte, b'\n' | b'\r')
            })
        } else {
            memchr2(mark, b'\\', &bytes[at.min(bytes.len())..])
        };
        let Some(found) = found else {
            return End { at: bytes.len(), is_cut_off: is_triple, is_closed: false };
        };
        at += found;
        match bytes[at] {
            // A name of a character is not a field.
            b'\\' if has_fields && !is_raw && bytes[at + 1..].starts_with(b"N{") => at += 3,
            b'\\' if has_fields && bytes.get(at + 1) == Some(&b'{') => at += 1,
            b'\\' => at += if bytes[at + 1..].starts_with(b"\r\n") { 3 } else { 2 },
            b'{' if bytes.get(at + 1) == Some(&b'{') => at += 2,
            b'{' => match field_end_within(bytes, at, mark, is_triple, depth - 1) {
                Ok(end) => at = end,
                Err(stop) if is_triple && stop < bytes.len() => at = stop,
                Err(stop) if is_triple => {
                    return End { at: stop, is_cut_off: true, is_closed: false };
                }
                Err(stop) if bytes.get(stop) == Some(&mark) => at = stop,
                Err(stop) => return End { at: stop, is_cut_off: false, is_closed: false },
            },
            byte if byte == mark && is_triple => {
                if bytes[at..].starts_with(&[mark; 3]) {
                    return End { at: at + 3, is_cut_off: false, is_closed: true };
                }
                at += 1;
            }
            byte if byte == mark => {
                return End { at: at + 1, is_cut_off: false, is_closed: true };
            }
            _ => return End { at, is_cut_off: false, is_closed: false },
        }
    }
}

/// The end of a field of an f-string that starts with the brace at `at`, in a literal of these
/// quotes; `None` if it has none.
pub(crate) fn field_end(bytes: &[u8], at: usize, mark: u8, is_triple: bool) -> Option<usize> {
    field_end_within(bytes, at, mark, is_triple, MAX_DEPTH - 1).ok()
}

/// The end of a field, or where it stops without one.
fn field_end_within(
    bytes: &[u8],
    open: usize,
    mark: u8,
    is_triple: bool,
    depth: usize,
) -> Result<usize, usize> {
    let mut at = open + 1;
    let mut brackets = 0_usize;
    loop {
        let Some(found) = bytes[at..].iter().position(|byte| {
            matches!(
                byte,
                b'\n' | b'\r' | b'"' | b'\'' | b'(' | b'[' | b'{' | b')' | b']' | b'}' | b':'
            )
        }) else {
            return Err(bytes.len());
        };
        at += found;
        match bytes[at] {
            b'\n' | b'\r' if !is_triple => return Err(at),
            b'}' if brackets == 0 => return Ok(at + 1),
            b':' if brackets == 0 => return spec_end(bytes, at + 1, mark, is_triple, depth),
            b'(' | b'[' | b'{' => brackets += 1,
            b')' | b']' | b'}' => brackets = brackets.saturating_sub(1),
            quote @ (b'"' | b'\'') => {
                if is_triple && quote == mark && bytes[at..].starts_with(&[mark; 3]) {
                    return Err(at);
                }
                let before = &bytes[open + 1..at];
                let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
                let letters = before.iter().rev().take(3).take_while(|it| is_letter(it)).count();
                let start =
                    if is_prefix(&before[before.len() - letters..]) { at - letters } else { at };
                let end = literal_end(bytes, start, at, depth);
                if !end.is_closed {
                    return Err(end.at);
                }
                at = end.at;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
}

/// The end of a field from its format on.
fn spec_end(
    bytes: &[u8],
    mut at: usize,
    mark: u8,
    is_triple: bool,
    depth: usize,
) -> Result<usize, usize> {
    loop {
        match bytes.get(at) {
            None => return Err(at.min(bytes.len())),
            Some(b'}') => return Ok(at + 1),
            Some(b'{') if depth == 0 => return Err(at + 1),
            Some(b'{') => at = field_end_within(bytes, at, mark, is_triple, depth - 1)?,
            Some(b'\n' | b'\r') if !is_triple => return Err(at),
            Some(byte) if *byte == mark && (!is_triple || bytes[at..].starts_with(&[mark; 3])) => {
                return Err(at);
            }
            Some(_) => at += 1,
        }
    }
}
