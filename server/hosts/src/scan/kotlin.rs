//! Kotlin's tokens.
//!
//! Strings contain templates, which contain code with nested strings; comments nest.

use memchr::memchr2;

use super::cursor::{self, Cursor, Lexer, line_end, word_bytes};
use crate::token::{Scan, TokenKind};

/// The maximum depth of strings in templates; deeper strings are read as if they had no templates.
const MAX_DEPTH: usize = 32;

pub(crate) fn scan(source: &str) -> Scan {
    cursor::scan(source, &mut Kotlin { may_span_lines: true, line: 0 })
}

struct Kotlin {
    /// `false` after one template without an end: templates in single-line strings then end with
    /// their line, so that the rest of the source is not searched repeatedly.
    may_span_lines: bool,
    /// The end of the line that was examined last.
    line: usize,
}

impl Lexer for Kotlin {
    const WORD: [bool; 256] = word_bytes(b"_");

    fn operator_len(rest: &[u8]) -> usize {
        operator_len(rest)
    }

    fn own(&mut self, cursor: &mut Cursor<'_>, byte: u8) -> Option<TokenKind> {
        let Cursor { bytes, start, .. } = *cursor;
        Some(match byte {
            b'#' if cursor.rest().starts_with(b"#!") && start == 0 => cursor.line_comment(),
            b'/' if cursor.rest().starts_with(b"//") => cursor.line_comment(),
            b'/' if cursor.rest().starts_with(b"/*") => {
                cursor.close(comment_end(bytes, start));
                TokenKind::Comment
            }
            b'"' | b'$' => {
                let is_raw = is_raw(bytes, quote_at(bytes, start)?);
                match self.literal_end(bytes, start, is_raw) {
                    Err(_) if is_raw => cursor.close(None),
                    Ok(end) => cursor.at = end,
                    Err(end) => {
                        cursor.scan.cut_off.get_or_insert(start);
                        cursor.at = end;
                    }
                }
                TokenKind::Literal
            }
            b'\'' => {
                cursor.at = character_end(bytes, start).unwrap_or(start + 1);
                TokenKind::Other
            }
            b'`' => {
                cursor.at = quoted_name_end(bytes, start).unwrap_or(start + 1);
                TokenKind::Word
            }
            _ => return None,
        })
    }
}

impl Kotlin {
    /// The end of a literal; as an error, the position at which it is cut off.
    fn literal_end(&mut self, bytes: &[u8], start: usize, is_raw: bool) -> Result<usize, usize> {
        if self.line <= start {
            self.line = line_end(bytes, start);
        }
        let in_line = &bytes[..self.line];
        let searched = if is_raw || self.may_span_lines { bytes } else { in_line };
        let end = literal_end(searched, start, MAX_DEPTH);
        if !is_raw && end.is_err_and(|stop| stop > self.line) {
            self.may_span_lines = false;
            return literal_end(in_line, start, MAX_DEPTH);
        }
        end
    }
}

fn operator_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'=' | b'!', b'=', b'=', ..] => 3,
        [b'-', b'>', ..] | [b':', b':', ..] | [b'.', b'.', ..] => 2,
        [b'?', b'.' | b':', ..] | [b'!', b'!', ..] => 2,
        [b'+', b'+', ..] | [b'-', b'-', ..] | [b'&', b'&', ..] | [b'|', b'|', ..] => 2,
        [first, b'=', ..] if b"=!<>+-*/%".contains(first) => 2,
        _ => 1,
    }
}

fn comment_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    let mut depth = 0_usize;
    loop {
        at += memchr2(b'/', b'*', bytes.get(at..)?)?;
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
}

/// The end of a character literal, on its line.
fn character_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'\n' | b'\r' => return None,
            b'\'' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// The end of a name in backticks, on its line.
pub(crate) fn quoted_name_end(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = bytes.get(start + 1..)?;
    let end = rest.iter().position(|byte| matches!(byte, b'`' | b'\n' | b'\r'))?;
    (rest[end] == b'`').then_some(start + end + 2)
}

/// The position of the quotes of a literal, after the dollars of its prefix.
pub(crate) fn quote_at(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = start + dollars(&bytes[start..]);
    (bytes.get(quote) == Some(&b'"')).then_some(quote)
}

/// The number of dollars at the start.
pub(crate) fn dollars(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| **byte == b'$').count()
}

pub(crate) fn is_raw(bytes: &[u8], quote: usize) -> bool {
    bytes[quote..].starts_with(b"\"\"\"")
}

/// The end of the literal that starts at `start`; as an error, the position at which it is cut off.
fn literal_end(bytes: &[u8], start: usize, depth: usize) -> Result<usize, usize> {
    let quote = quote_at(bytes, start).ok_or(bytes.len())?;
    let opener = (quote - start).max(1);
    let is_raw = is_raw(bytes, quote);
    let mut at = quote + if is_raw { 3 } else { 1 };
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let found = if is_raw {
            memchr2(b'"', b'$', rest)
        } else {
            rest.iter().position(|byte| matches!(byte, b'"' | b'$' | b'\\' | b'\n' | b'\r'))
        };
        at += found.ok_or(bytes.len())?;
        match bytes[at] {
            b'"' if is_raw => {
                // Quotes beyond three belong to the text.
                let quotes = bytes[at..].iter().take_while(|byte| **byte == b'"').count();
                at += quotes;
                if quotes >= 3 {
                    return Ok(at);
                }
            }
            b'"' => return Ok(at + 1),
            b'$' => {
                let count = dollars(&bytes[at..]);
                at += count;
                let is_template = depth > 0 && count >= opener;
                match bytes.get(at) {
                    Some(b'`') if is_template => at = quoted_name_end(bytes, at).unwrap_or(at + 1),
                    Some(b'{') if is_template => match code_end(bytes, at + 1, depth - 1) {
                        Ok(end) => at = end,
                        Err(stop) if is_raw && stop < bytes.len() => at = stop,
                        Err(stop) => return Err(stop),
                    },
                    _ => {}
                }
            }
            // A backslash does not continue a line.
            b'\\' if matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 1,
            b'\\' => at += 2,
            _ => return Err(at),
        }
    }
}

/// The end of a template after its `${`; `None` if it has none.
pub(crate) fn template_end(bytes: &[u8], at: usize) -> Option<usize> {
    code_end(bytes, at, MAX_DEPTH - 1).ok()
}

/// The end of the code of a template, after its brace; as an error, the position at which it is cut
/// off.
fn code_end(bytes: &[u8], mut at: usize, depth: usize) -> Result<usize, usize> {
    let mut braces = 0_usize;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let found = rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'$' | b'\'' | b'`' | b'/' | b'{' | b'}'));
        at += found.ok_or(bytes.len())?;
        match bytes[at] {
            b'"' | b'$' if quote_at(bytes, at).is_some() => at = literal_end(bytes, at, depth)?,
            b'$' => at += dollars(&bytes[at..]),
            b'\'' => at = character_end(bytes, at).unwrap_or(at + 1),
            b'`' => at = quoted_name_end(bytes, at).unwrap_or(at + 1),
            b'/' if bytes[at..].starts_with(b"//") => at = line_end(bytes, at),
            b'/' if bytes[at..].starts_with(b"/*") => {
                at = comment_end(bytes, at).ok_or(bytes.len())?;
            }
            b'{' => {
                braces += 1;
                at += 1;
            }
            b'}' if braces == 0 => return Ok(at + 1),
            b'}' => {
                braces -= 1;
                at += 1;
            }
            _ => at += 1,
        }
    }
}
