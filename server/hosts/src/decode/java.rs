//! Java's literals, decoded in the order of the language: Unicode escapes, the lines of text
//! blocks, all other escapes.

use std::ops::Range;

use crate::scan::java_unicode_escape;
use promptls_data::Decoded;

pub(crate) fn decode(source: &str, literal: Range<usize>) -> Option<Decoded> {
    let written = source.get(literal.clone())?;
    if let Some(inner) = written.strip_prefix("\"\"\"") {
        let inner = inner.strip_suffix("\"\"\"")?;
        let start = literal.start + 3;
        let characters = characters(source, start..start + inner.len())?;
        return unescape(&block(&characters)?, start + inner.len());
    }
    let inner = written.strip_prefix('"')?.strip_suffix('"')?;
    let start = literal.start + 1;
    let characters = characters(source, start..start + inner.len())?;
    if characters.text().contains(['\n', '\r']) {
        return None;
    }
    unescape(&characters, start)
}

/// Replaces Unicode escapes. Those for a backslash, a quote or a line end would affect the other
/// steps: `None`.
fn characters(source: &str, range: Range<usize>) -> Option<Decoded> {
    let mut decoded = Decoded::default();
    let mut at = range.start;
    while at < range.end {
        let rest = source.get(at..range.end)?;
        let plain = rest.find('\\').unwrap_or(rest.len());
        decoded.push_equal(&rest[..plain], at);
        at += plain;
        let rest = &rest[plain..];
        if !rest.starts_with("\\u") {
            // A second backslash starts no Unicode escape.
            let len = if rest.starts_with("\\\\") { 2 } else { rest.len().min(1) };
            decoded.push_equal(&rest[..len], at);
            at += len;
            continue;
        }
        let (first, mut len) = java_unicode_escape(rest.as_bytes())?;
        let mut code = first;
        if (0xD800..0xDC00).contains(&first) {
            let (second, second_len) = java_unicode_escape(&rest.as_bytes()[len..])?;
            let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
            code = 0x10000 + ((first - 0xD800) << 10) + low;
            len += second_len;
        }
        let character = char::from_u32(code)?;
        if matches!(character, '\\' | '"' | '\n' | '\r') {
            return None;
        }
        decoded.push_atomic(character.encode_utf8(&mut [0; 4]), at..at + len);
        at += len;
    }
    Some(decoded)
}

/// The lines of a text block without indentation and trailing whitespace.
fn block(written: &Decoded) -> Option<Decoded> {
    let text = written.text();
    let opening = text.find(|it| !matches!(it, ' ' | '\t' | '\x0c'))?;
    let start = opening + line_end_len(&text[opening..]).filter(|len| *len > 0)?;

    let lines = lines(text, start);
    let last = lines.len() - 1;
    let counted = lines
        .iter()
        .enumerate()
        .filter(|(number, line)| *number == last || !text[(*line).clone()].chars().all(is_white));
    let leading =
        |line: &Range<usize>| text[line.clone()].chars().take_while(|it| is_white(*it)).count();
    let indentation = counted.map(|(_, line)| leading(line)).min().unwrap_or(0);

    let mut decoded = Decoded::default();
    for (number, line) in lines.iter().enumerate() {
        let content = text[line.clone()].trim_end_matches(is_white);
        let removed = content.char_indices().nth(indentation).map_or(content.len(), |it| it.0);
        decoded.push_part(written, line.start + removed..line.start + content.len());
        if number < last {
            let len = line_end_len(&text[line.end..])?;
            let end = line.end..line.end + len;
            if &text[end.clone()] == "\n" {
                decoded.push_part(written, end);
            } else {
                decoded.push_atomic("\n", written.source(end));
            }
        }
    }
    Some(decoded)
}

/// The ranges of the lines from an offset on, without line ends.
fn lines(text: &str, start: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut at = start;
    while let Some(found) = text[at..].find(['\n', '\r']) {
        let end = at + found;
        lines.push(at..end);
        at = end + line_end_len(&text[end..]).unwrap_or(1);
    }
    lines.push(at..text.len());
    lines
}

fn line_end_len(text: &str) -> Option<usize> {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => Some(2),
        [b'\r' | b'\n', ..] => Some(1),
        _ => None,
    }
}

/// Whitespace as defined by Java's `Character.isWhitespace`.
fn is_white(character: char) -> bool {
    match character {
        '\u{A0}' | '\u{2007}' | '\u{202F}' | '\u{85}' => false,
        '\x1c'..='\x1f' => true,
        _ => character.is_whitespace(),
    }
}

/// Replaces all other escapes. `empty` is the insertion point of an empty text.
fn unescape(written: &Decoded, empty: usize) -> Option<Decoded> {
    let text = written.text();
    let mut decoded = Decoded::default();
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        let start = at + found;
        decoded.push_part(written, at..start);
        let rest = &text.as_bytes()[start + 1..];
        let octal = rest.iter().take_while(|byte| matches!(byte, b'0'..=b'7'));
        let (character, len) = match *rest.first()? {
            first @ b'0'..=b'7' => {
                let most = if first <= b'3' { 3 } else { 2 };
                let digits = octal.take(most);
                let (code, len) = digits.fold((0, 0), |(code, len), digit| {
                    (code * 8 + u32::from(digit - b'0'), len + 1)
                });
                (Some(char::from_u32(code)?), len)
            }
            b'\n' => (None, 1),
            b'b' => (Some('\x08'), 1),
            b's' => (Some(' '), 1),
            b't' => (Some('\t'), 1),
            b'n' => (Some('\n'), 1),
            b'f' => (Some('\x0c'), 1),
            b'r' => (Some('\r'), 1),
            byte @ (b'"' | b'\'' | b'\\') => (Some(char::from(byte)), 1),
            _ => return None,
        };
        at = start + 1 + len;
        if let Some(character) = character {
            let source = written.source(start..at);
            decoded.push_atomic(character.encode_utf8(&mut [0; 4]), source);
        }
    }
    decoded.push_part(written, at..text.len());
    Some(decoded.or_empty_at(empty))
}

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::decode::tests::{check_literals, check_unclosed};

    #[test]
    fn literals_have_the_values_of_the_language() {
        check_literals(
            &[Language::Java],
            &[
                (r#"f("a", "")"#, &[Some("a"), Some("")]),
                (r#"'"' + "a" // "b" "#, &[Some("a")]),
                (r#"/* "a" */ "b""#, &[Some("b")]),
                ("\"a\n\"b\"", &[None, Some("b")]),
                (r#""\u005c"" + "b""#, &[None, Some("b")]),
                (r#""a\u0022 + "b""#, &[None, Some("b")]),
                (r#""\\u0041 \uu0041""#, &[Some("\\u0041 A")]),
                (r#""\uD83D\uDE00" + "\uD83D""#, &[Some("😀"), None]),
                (r#""\1234\477\s""#, &[Some("S4'7 ")]),
                (r#""\q" + "\u12""#, &[None, None]),
                ("\"\"\"\n  a\\040 \n\n    b\\\n  c\"\"\"", &[Some("a \n\n  bc")]),
                ("\"\"\"\r\n  a\\\"\"\"\r\n  \"\"\"", &[Some("a\"\"\"\n")]),
                ("\"\"\"\n  \"\"\"", &[Some("")]),
                ("\"\"\"a\"\"\"", &[None]),
                ("\"\"\"\n a", &[None]),
                ("\"", &[None]),
            ],
        );
    }

    #[test]
    fn unclosed_text_blocks_and_comments_are_reported() {
        let cases = [("x \"\"\"\n a", Some(2)), ("/* a", Some(0)), ("\"a", None)];
        check_unclosed(Language::Java, &cases);
    }
}
