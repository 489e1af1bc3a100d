//! Python's literals.

use std::ops::Range;

use memchr::memchr2;
use promptls_data::Decoded;

use crate::scan::{PythonQuotes, python_field_end};

pub(crate) fn decode(source: &str, literal: Range<usize>) -> Option<Decoded> {
    let bytes = source.as_bytes().get(..literal.end)?;
    let prefix =
        bytes[literal.start..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let quote = literal.start + prefix;
    let mark = *bytes.get(quote)?;
    let is_triple = bytes[quote..].starts_with(&[mark; 3]) && literal.end - quote >= 6;
    let width = if is_triple { 3 } else { 1 };
    let start = quote + width;
    let end = literal.end.checked_sub(width).filter(|end| *end >= start)?;
    if !bytes[end..].iter().all(|byte| *byte == mark) {
        return None;
    }
    let spans_lines = !is_triple && memchr2(b'\n', b'\r', &bytes[start..end]).is_some();
    let quotes = PythonQuotes { mark, is_triple, spans_lines };
    let (mut is_raw, mut has_fields) = (false, false);
    for letter in &bytes[literal.start..quote] {
        match letter.to_ascii_lowercase() {
            b'r' => is_raw = true,
            b'f' => has_fields = true,
            b'u' => {}
            _ => return None,
        }
    }
    if start == end {
        return Some(Decoded::empty_at(start));
    }

    let mut decoded = Decoded::default();
    let mut at = start;
    while at < end {
        let is_special = |byte: &u8| match byte {
            b'\\' => !is_raw,
            b'{' | b'}' => has_fields,
            b'\n' => !is_triple && !is_raw,
            b'\r' => true,
            _ => false,
        };
        let next = bytes[at..end].iter().position(is_special).map_or(end, |found| at + found);
        decoded.push_equal(&source[at..next], at);
        at = next;
        let rest = &bytes[at..end];
        let Some(&byte) = rest.first() else { break };
        match byte {
            b'\r' => {
                let len = if rest.starts_with(b"\r\n") { 2 } else { 1 };
                decoded.push_atomic("\n", at..at + len);
                at += len;
            }
            b'\n' => return None,
            b'{' | b'}' if rest.get(1) == Some(&byte) => {
                decoded.push_atomic(&source[at..at + 1], at..at + 2);
                at += 2;
            }
            b'}' => return None,
            b'{' => {
                let field = python_field_end(bytes, at, quotes).filter(|to| *to <= end)?;
                let inside = &source[at + 1..field - 1];
                if inside.trim().is_empty() || is_refused(inside) {
                    return None;
                }
                decoded.push_hole(at..field);
                at = field;
            }
            _ => at = escape(&mut decoded, source, at, end)?,
        }
    }
    if decoded.text().is_empty() { Some(Decoded::empty_at(start)) } else { Some(decoded) }
}

/// `true` for a field such as `{"a": 1}`: its value is a text, and its specification starts with a
/// space, which no text accepts. After a space, `<`, `>`, `=` or `^` aligns.
fn is_refused(field: &str) -> bool {
    let field = field.trim_start();
    let Some(quote @ ('"' | '\'')) = field.chars().next() else { return false };
    let Some(end) = field[1..].find([quote, '\\']).map(|end| end + 1) else { return false };
    let key_and_rest = (end > 1 && field[end..].starts_with(quote)).then(|| &field[end + 1..]);
    let specification = key_and_rest.and_then(|rest| rest.trim_start().strip_prefix(":"));
    let after_space = specification.and_then(|it| it.strip_prefix(' '));
    after_space.is_some_and(|rest| match rest.strip_prefix('{') {
        // The value of a field inside is unknown.
        Some(inner) => is_refused(inner),
        None => !rest.starts_with(['<', '>', '=', '^']),
    })
}

/// `true` for an f-string with a [refused field](is_refused).
pub(super) fn has_quoted_key(literal: &str) -> bool {
    let quote = literal.find(['"', '\'']).unwrap_or(literal.len());
    let opens = |at: &usize| !literal[..*at].ends_with('{');
    let mut openers = memchr::memchr_iter(b'{', literal.as_bytes()).filter(opens);
    literal[..quote].contains(['f', 'F'])
        && openers.any(|at| {
            let inside = &literal[at + 1..];
            is_refused(inside.find('}').map_or(inside, |end| &inside[..end]))
        })
}

/// Adds the character of the escape at `at`. Returns the position after it.
fn escape(decoded: &mut Decoded, source: &str, at: usize, end: usize) -> Option<usize> {
    let rest = &source.as_bytes()[at + 1..end];
    let simple = match rest.first()? {
        b'\n' => return Some(at + 2),
        b'\r' => return Some(at + if rest.starts_with(b"\r\n") { 3 } else { 2 }),
        b'N' => {
            let name = source[at + 2..end].strip_prefix('{')?;
            let close = name.find('}').filter(|len| *len > 0)?;
            let to = at + 3 + close + 1;
            decoded.push_hole(at..to);
            return Some(to);
        }
        b'x' => return number(decoded, source, at, 2..4, 16, end),
        b'u' => return number(decoded, source, at, 2..6, 16, end),
        b'U' => return number(decoded, source, at, 2..10, 16, end),
        b'0'..=b'7' => {
            let digits = rest.iter().take(3).take_while(|it| matches!(it, b'0'..=b'7')).count();
            return number(decoded, source, at, 1..1 + digits, 8, end);
        }
        b'\\' => "\\",
        b'\'' => "'",
        b'"' => "\"",
        b'a' => "\x07",
        b'b' => "\x08",
        b'f' => "\x0c",
        b'n' => "\n",
        b'r' => "\r",
        b't' => "\t",
        b'v' => "\x0b",
        _ => {
            decoded.push_equal("\\", at);
            return Some(at + 1);
        }
    };
    decoded.push_atomic(simple, at..at + 2);
    Some(at + 2)
}

fn number(
    decoded: &mut Decoded,
    source: &str,
    at: usize,
    digits: Range<usize>,
    radix: u32,
    end: usize,
) -> Option<usize> {
    let to = at + digits.end;
    let digits = source.get(at + digits.start..to).filter(|_| to <= end)?;
    if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let char = char::from_u32(u32::from_str_radix(digits, radix).ok()?)?;
    decoded.push_atomic(char.encode_utf8(&mut [0; 4]), at..to);
    Some(to)
}
