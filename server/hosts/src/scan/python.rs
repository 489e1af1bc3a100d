//! Python's tokens.
//!
//! The difficult part is the fields of f-strings, in which strings may use the same quotes again.

use memchr::memchr2;

use super::cursor::{self, Cursor, Lexer, line_end, word_bytes};
use crate::token::{Scan, TokenKind};

/// The maximum depth of strings in fields; deeper strings are read as if they had no fields.
const MAX_DEPTH: usize = 32;

/// The maximum total length of rescanned fields, as a multiple of the source length. These fields
/// seemed to span lines and did not; beyond the limit, no field spans lines.
const MAX_READ_AGAIN: usize = 8;

pub(crate) fn scan(source: &str) -> Scan {
    cursor::scan(source, &mut Python::default())
}

#[derive(Default)]
struct Python {
    /// The number of rescanned bytes.
    read_again: usize,
}

impl Lexer for Python {
    const WORD: [bool; 256] = word_bytes(b"_");
    const HAS_LINE_JOINS: bool = true;

    fn operator_len(rest: &[u8]) -> usize {
        operator_len(rest)
    }

    fn own(&mut self, cursor: &mut Cursor<'_>, byte: u8) -> Option<TokenKind> {
        match byte {
            b'#' => Some(cursor.line_comment()),
            b'"' | b'\'' => Some(self.literal(cursor)),
            _ => None,
        }
    }

    fn word(&mut self, cursor: &mut Cursor<'_>) -> TokenKind {
        let is_quoted = matches!(cursor.rest().first(), Some(b'"' | b'\''));
        match is_quoted && is_prefix(&cursor.bytes[cursor.start..cursor.at]) {
            true => self.literal(cursor),
            false => TokenKind::Word,
        }
    }
}

impl Python {
    /// Advances to the end of a literal from its quotes, which may follow a prefix.
    fn literal(&mut self, cursor: &mut Cursor<'_>) -> TokenKind {
        let Cursor { bytes, start, at: quote, .. } = *cursor;
        let mut end = literal_end(bytes, start, quote, false, MAX_DEPTH);
        // Incomplete code has fields without an end, which must not swallow the following code.
        if end.is_in_field && self.read_again <= MAX_READ_AGAIN * bytes.len() {
            let longer = literal_end(bytes, start, quote, true, MAX_DEPTH);
            self.read_again += longer.at - start;
            if longer.is_closed {
                end = longer;
            }
        }
        if !end.is_closed {
            cursor.scan.cut_off.get_or_insert(start);
        }
        cursor.close((!end.is_cut_off).then_some(end.at));
        TokenKind::Literal
    }
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

#[derive(Clone, Copy, Default)]
struct End {
    at: usize,
    /// `true` if the source ends in it.
    is_cut_off: bool,
    /// `true` if a field in it has no end in its line.
    is_in_field: bool,
    is_closed: bool,
}

/// The quotes around a field.
#[derive(Clone, Copy)]
pub(crate) struct Quotes {
    pub mark: u8,
    pub is_triple: bool,
    /// `true` if fields may span lines although the literal may not, as since Python 3.12.
    pub spans_lines: bool,
}

impl Quotes {
    fn allows_lines(self) -> bool {
        self.is_triple || self.spans_lines
    }

    /// `true` if they close the literal.
    fn close(self, bytes: &[u8]) -> bool {
        match self.is_triple {
            true => bytes.starts_with(&[self.mark; 3]),
            false => bytes.first() == Some(&self.mark),
        }
    }
}

fn literal_end(bytes: &[u8], start: usize, quote: usize, spans_lines: bool, depth: usize) -> End {
    let mark = bytes[quote];
    let is_triple = bytes[quote..].starts_with(&[mark; 3]);
    let quotes = Quotes { mark, is_triple, spans_lines };
    let has_fields = has_fields(&bytes[start..quote]) && depth > 0;
    let is_raw = bytes[start..quote].iter().any(|byte| matches!(byte, b'r' | b'R'));
    let mut at = quote + if is_triple { 3 } else { 1 };
    loop {
        // Fast search for the common bytes; other cases are examined byte by byte.
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
            return End { at: bytes.len(), is_cut_off: is_triple, ..End::default() };
        };
        at += found;
        match bytes[at] {
            // A character name is not a field.
            b'\\' if has_fields && !is_raw && bytes[at + 1..].starts_with(b"N{") => at += 3,
            b'\\' if has_fields && bytes.get(at + 1) == Some(&b'{') => at += 1,
            b'\\' => at += if bytes[at + 1..].starts_with(b"\r\n") { 3 } else { 2 },
            b'{' if bytes.get(at + 1) == Some(&b'{') => at += 2,
            b'{' => match field_end_within(bytes, at, quotes, depth - 1) {
                Ok(end) => at = end,
                Err(stop) if is_triple && stop < bytes.len() => at = stop,
                Err(stop) if is_triple => {
                    return End { at: stop, is_cut_off: true, ..End::default() };
                }
                Err(stop) if bytes.get(stop) == Some(&mark) => at = stop,
                Err(stop) => return End { at: stop, is_in_field: true, ..End::default() },
            },
            byte if byte == mark => {
                if quotes.close(&bytes[at..]) {
                    let width = if is_triple { 3 } else { 1 };
                    return End { at: at + width, is_closed: true, ..End::default() };
                }
                at += 1;
            }
            _ => return End { at, ..End::default() },
        }
    }
}

/// The end of a field of an f-string that starts with the brace at `at`, in a literal with these
/// quotes; `None` if it has none.
pub(crate) fn field_end(bytes: &[u8], at: usize, quotes: Quotes) -> Option<usize> {
    field_end_within(bytes, at, quotes, MAX_DEPTH - 1).ok()
}

/// The end of a field; as an error, the position at which it is cut off.
fn field_end_within(
    bytes: &[u8],
    open: usize,
    quotes: Quotes,
    depth: usize,
) -> Result<usize, usize> {
    let mut at = open + 1;
    let mut brackets = 0_usize;
    loop {
        let Some(found) = bytes[at..].iter().position(|byte| {
            matches!(
                byte,
                b'\n'
                    | b'\r'
                    | b'"'
                    | b'\''
                    | b'('
                    | b'['
                    | b'{'
                    | b')'
                    | b']'
                    | b'}'
                    | b':'
                    | b'#'
            )
        }) else {
            return Err(bytes.len());
        };
        at += found;
        match bytes[at] {
            b'\n' | b'\r' if !quotes.allows_lines() => return Err(at),
            b'#' if quotes.spans_lines => {
                at = line_end(bytes, at);
                continue;
            }
            b'}' if brackets == 0 => return Ok(at + 1),
            b':' if brackets == 0 => return spec_end(bytes, at + 1, quotes, depth),
            b'(' | b'[' | b'{' => brackets += 1,
            b')' | b']' | b'}' => brackets = brackets.saturating_sub(1),
            quote @ (b'"' | b'\'') => {
                if quotes.is_triple && quote == quotes.mark && quotes.close(&bytes[at..]) {
                    return Err(at);
                }
                let before = &bytes[open + 1..at];
                let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
                let letters = before.iter().rev().take(3).take_while(|it| is_letter(it)).count();
                let start =
                    if is_prefix(&before[before.len() - letters..]) { at - letters } else { at };
                let end = literal_end(bytes, start, at, quotes.spans_lines, depth);
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
fn spec_end(bytes: &[u8], mut at: usize, quotes: Quotes, depth: usize) -> Result<usize, usize> {
    loop {
        match bytes.get(at) {
            None => return Err(at.min(bytes.len())),
            Some(b'}') => return Ok(at + 1),
            Some(b'\\') if matches!(bytes.get(at + 1), Some(b'"' | b'\'' | b'\\')) => at += 2,
            Some(b'{') if depth == 0 => return Err(at + 1),
            Some(b'{') => at = field_end_within(bytes, at, quotes, depth - 1)?,
            Some(b'\n' | b'\r') if !quotes.is_triple => return Err(at),
            Some(_) if quotes.close(&bytes[at..]) => return Err(at),
            Some(_) => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each may extend to the end of the source.
    #[test]
    fn unclosed_fields_are_not_all_scanned_to_the_end() {
        let source = "a = f\"{x\n".repeat(5_000);
        let mut python = Python::default();
        let scan = cursor::scan(&source, &mut python);
        assert_eq!(scan.tokens.len(), 3 * 5_000);
        let read_again = python.read_again;
        assert!(read_again <= (MAX_READ_AGAIN + 1) * source.len(), "{read_again}");
    }
}
