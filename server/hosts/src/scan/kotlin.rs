//! Kotlin's tokens.
//!
//! Strings hold templates, which hold code with strings again; comments nest.

use memchr::memchr2;

use super::words::word_bytes;
use crate::token::{Scan, Token, TokenKind};

/// Strings in templates of strings beyond this depth are read as if they had no templates.
const MAX_DEPTH: usize = 32;

/// The tokens of Kotlin.
pub(crate) fn scan(source: &str) -> Scan {
    let bytes = source.as_bytes();
    let mut scan = Scan { tokens: Vec::with_capacity(bytes.len() / 5), unclosed: None };
    let mut at = if source.starts_with('\u{FEFF}') { 3 } else { 0 };
    // After one template without an end, those of strings on one line end with their line, so that
    // the rest of the source is not searched again and again.
    let mut may_span_lines = true;
    let mut line = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        let rest = &bytes[at..];
        let mut is_cut_off = false;
        let kind = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => {
                at += 1;
                continue;
            }
            b'#' if rest.starts_with(b"#!") && at == 0 => {
                at = line_end(bytes, at);
                TokenKind::Comment
            }
            b'/' if rest.starts_with(b"//") => {
                at = line_end(bytes, at);
                TokenKind::Comment
            }
            b'/' if rest.starts_with(b"/*") => {
                let end = comment_end(bytes, at);
                is_cut_off = end.is_none();
                at = end.unwrap_or(bytes.len());
                TokenKind::Comment
            }
            b'"' | b'$' if quote_at(bytes, at).is_some() => {
                let is_raw = quote_at(bytes, at).is_some_and(|quote| is_raw(bytes, quote));
                if line <= at {
                    line = line_end(bytes, at);
                }
                let searched = if is_raw || may_span_lines { bytes } else { &bytes[..line] };
                let mut end = literal_end(searched, at, MAX_DEPTH);
                if !is_raw && end.is_err_and(|stop| stop > line) {
                    may_span_lines = false;
                    end = literal_end(&bytes[..line], at, MAX_DEPTH);
                }
                is_cut_off = is_raw && end.is_err();
                at = end.unwrap_or_else(|end| end);
                TokenKind::Literal
            }
            b'\'' => {
                at = character_end(bytes, at).unwrap_or(at + 1);
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
            b'`' => {
                at = quoted_name_end(bytes, at).unwrap_or(at + 1);
                TokenKind::Word
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

fn is_word(byte: u8) -> bool {
    const WORD: [bool; 256] = word_bytes(b"_");
    WORD[usize::from(byte)]
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

fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |end| at + end)
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

/// The end of a character, on its line.
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

/// Where the quotes of a literal start, behind the dollars that say how many start a template.
pub(crate) fn quote_at(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = start + dollars(&bytes[start..]);
    (bytes.get(quote) == Some(&b'"')).then_some(quote)
}

/// How many dollars there are at the start.
pub(crate) fn dollars(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| **byte == b'$').count()
}

pub(crate) fn is_raw(bytes: &[u8], quote: usize) -> bool {
    bytes[quote..].starts_with(b"\"\"\"")
}

/// The end of the literal that starts at `start`, or where it stops without one.
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
            // A line ends in spite of a backslash.
            b'\\' if matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 1,
            b'\\' => at += 2,
            _ => return Err(at),
        }
    }
}

/// The end of a template behind its `${`; `None` if it has none.
pub(crate) fn template_end(bytes: &[u8], at: usize) -> Option<usize> {
    code_end(bytes, at, MAX_DEPTH - 1).ok()
}

/// The end of the code of a template, behind its brace, or where it stops without one.
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
