//! Texts inside YAML scalars: plain, in quotes, and behind a `|` or a `>`.
//!
//! What a scalar means is for the YAML parser to say. Here is found out again which character of
//! that stands where, and whoever asks compares the text with the parser's: where they differ, the
//! scalar is one that we do not understand.

use std::ops::Range;

use memchr::memchr;

use promptls_hosts::Decoded;

use crate::readers::text_map::TextMap;

/// A scalar as it is written.
#[derive(Debug, PartialEq, Eq)]
pub struct Scalar {
    pub text: String,
    pub map: TextMap,
    pub style: Style,
    /// All of it, from its quote or its `|` on; of what stands in lines, with the last line break.
    pub range: Range<usize>,
}

/// The ways to write a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without anything round it.
    Plain,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
    /// `|`, its lines indented by so many blanks.
    Literal(usize),
    /// `>`, the same.
    Folded(usize),
}

/// Decodes the scalar behind a key, where the parser has found it; `None` for an alias, and for
/// what is no scalar. In braces, `|` means nothing.
///
/// Cost: its length, and that of the line before its key.
pub fn decode(
    file: &str,
    key: Range<usize>,
    value: Range<usize>,
    is_in_braces: bool,
) -> Option<Scalar> {
    let colon = key.end + file.get(key.end..value.start)?.find(':')?;
    let start = skip_properties(file, colon + 1);
    if !is_in_braces && file[start..].starts_with(['|', '>']) {
        return block(file, column(file, key.start), start);
    }
    let inner = value.start + 1..value.end.saturating_sub(1);
    let (style, inner) = match file[value.clone()].chars().next() {
        Some('*' | '[' | '{') => return None,
        Some('"') => (Style::Double, inner),
        Some('\'') => (Style::Single, inner),
        _ => (Style::Plain, value.clone()),
    };
    let (text, map) = flow(file, style, inner)?;
    Some(Scalar { text, map, style, range: value })
}

/// How many bytes stand before an offset in its line.
pub fn column(file: &str, offset: usize) -> usize {
    let line = file[..offset].rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
    file[line..offset].trim_start_matches('\u{feff}').len()
}

/// The first byte at or after `start` that belongs to no anchor, tag, blank or comment.
fn skip_properties(file: &str, mut start: usize) -> usize {
    loop {
        let rest = &file[start..];
        start += match rest.as_bytes() {
            [b'&' | b'!', ..] => rest.find([' ', '\t', '\n', '\r']).unwrap_or(rest.len()),
            [b'#', ..] => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            [b' ' | b'\t' | b'\n' | b'\r', ..] => 1,
            _ => return start,
        };
    }
}

/// A text with where each part of it is written, while it is found.
#[derive(Default)]
struct Found {
    text: String,
    starts: Vec<Start>,
}

/// Where a part starts that is written as it is, or in another way.
#[derive(Clone, Copy)]
struct Start {
    text: usize,
    file: usize,
    is_escape: bool,
}

impl Found {
    fn plain(&mut self, file: &str, range: Range<usize>) {
        if !range.is_empty() {
            self.piece(range.start, false);
            self.text.push_str(&file[range]);
        }
    }

    fn escape(&mut self, at: usize, character: char) {
        self.piece(at, true);
        self.text.push(character);
    }

    /// Something that stands in the file and means nothing.
    fn nothing(&mut self, at: usize) {
        self.piece(at, true);
    }

    fn piece(&mut self, file: usize, is_escape: bool) {
        self.starts.push(Start { text: self.text.len(), file, is_escape });
    }

    /// Line breaks, folded: one is a blank, of several the first means nothing.
    fn folded(&mut self, breaks: &[usize]) {
        match breaks {
            [] => {}
            &[only] => self.escape(only, ' '),
            [first @ .., _] => first.iter().for_each(|&at| self.escape(at, '\n')),
        }
    }

    fn end(self, end: usize) -> (String, TextMap) {
        let end = Start { text: self.text.len(), file: end, is_escape: false };
        let next = self.starts.iter().skip(1).chain([&end]);
        let mut decoded = Decoded::default();
        for (start, next) in self.starts.iter().zip(next) {
            let text = &self.text[start.text..next.text];
            match start.is_escape {
                true => decoded.push_atomic(text, start.file..next.file),
                false => decoded.push_equal(text, start.file),
            }
        }
        if decoded.text().is_empty() {
            decoded = Decoded::empty_at(end.file);
        }
        let map = TextMap::of(&decoded, Vec::new());
        (decoded.into_text(), map)
    }
}

/// What stands in quotes or plain, in a range without its quotes.
fn flow(file: &str, style: Style, range: Range<usize>) -> Option<(String, TextMap)> {
    let mut found = Found::default();
    let (mut plain, mut at) = (range.start, range.start);
    let inner = file.get(..range.end)?;
    while at < range.end {
        let rest = &inner[at..];
        let next = match (style, rest.as_bytes()) {
            (_, [b' ' | b'\t' | b'\n' | b'\r', ..]) => match breaks(inner, at) {
                (next, breaks) if breaks.is_empty() => {
                    at = next;
                    continue;
                }
                (next, mut breaks) => {
                    found.plain(file, plain..at);
                    // The blanks before it are part of it.
                    breaks[0] = at;
                    found.folded(&breaks);
                    next
                }
            },
            (Style::Single, [b'\'', ..]) => {
                found.plain(file, plain..at);
                found.escape(at, '\'');
                at + 2
            }
            (Style::Double, [b'\\', b'\n' | b'\r', ..]) => {
                found.plain(file, plain..at);
                found.nothing(at);
                let (next, breaks) = breaks(inner, at + 1);
                breaks.iter().skip(1).for_each(|&at| found.escape(at, '\n'));
                next
            }
            (Style::Double, [b'\\', ..]) => {
                found.plain(file, plain..at);
                let (character, len) = unescape(rest)?;
                found.escape(at, character);
                at + len
            }
            _ => {
                at += rest.chars().next()?.len_utf8();
                continue;
            }
        };
        (plain, at) = (next, next);
    }
    found.plain(file, plain..at);
    Some(found.end(range.end))
}

/// Behind blanks and line breaks, and where each of these breaks is.
fn breaks(text: &str, start: usize) -> (usize, Vec<usize>) {
    let (mut at, mut breaks) = (start, Vec::new());
    loop {
        at += match &text.as_bytes()[at..] {
            [b' ' | b'\t', ..] => 1,
            [b'\r', b'\n', ..] => {
                breaks.push(at);
                2
            }
            [b'\n' | b'\r', ..] => {
                breaks.push(at);
                1
            }
            _ => return (at, breaks),
        };
    }
}

/// The character of the escape that a text starts with, and how long it is in bytes.
fn unescape(text: &str) -> Option<(char, usize)> {
    let in_hex = |digits: usize| {
        let code = u32::from_str_radix(text.get(2..2 + digits)?, 16).ok()?;
        Some((char::from_u32(code)?, 2 + digits))
    };
    let character = match text.as_bytes().get(1)? {
        b'0' => '\0',
        b'a' => '\u{7}',
        b'b' => '\u{8}',
        b't' | b'\t' => '\t',
        b'n' => '\n',
        b'v' => '\u{b}',
        b'f' => '\u{c}',
        b'r' => '\r',
        b'e' => '\u{1b}',
        b' ' => ' ',
        b'"' => '"',
        b'/' => '/',
        b'\\' => '\\',
        b'N' => '\u{85}',
        b'_' => '\u{a0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        b'x' => return in_hex(2),
        b'u' => return in_hex(4),
        b'U' => return in_hex(8),
        _ => return None,
    };
    Some((character, 2))
}

/// A line of a block scalar, without its indentation.
struct Line {
    content: Range<usize>,
    /// Behind its line break; the same as the end of its content where there is none.
    next: usize,
}

impl Line {
    fn is_empty(&self) -> bool {
        self.content.is_empty()
    }

    fn has_break(&self) -> bool {
        self.next > self.content.end
    }
}

/// A block scalar whose `|` or `>` is at `start`, below a key in a column.
fn block(file: &str, key_column: usize, start: usize) -> Option<Scalar> {
    let first = line_at(file, start);
    let header = &file[first.content.clone()];
    let marks = header.split([' ', '\t']).next()?;
    let digit = marks.bytes().find(u8::is_ascii_digit).map(|digit| usize::from(digit - b'0'));
    let found = || indent_of(file, first.next).filter(|&indent| indent > key_column);
    let indent = digit.map(|digit| key_column + digit).or_else(found);
    // Where there are only blanks, all of them are indentation.
    let lines = lines(file, first.next, indent.unwrap_or(usize::MAX));
    let indent = indent.unwrap_or(key_column + 2);
    let filled = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let (body, rest) = lines.split_at(filled);

    let mut found = Found::default();
    let is_folded = header.starts_with('>');
    if is_folded {
        fold(file, body, &mut found)
    } else {
        keep(file, body, &mut found)
    }
    let last = body.last();
    let mut end = last.map_or(first.next, |line| line.content.end);
    if marks.contains('+') {
        for line in last.into_iter().chain(rest).filter(|line| line.has_break()) {
            found.escape(line.content.end, '\n');
            end = line.next;
        }
    } else if let Some(line) = last.filter(|line| line.has_break() && !marks.contains('-')) {
        found.escape(line.content.end, '\n');
        end = line.next;
    }
    let style = if is_folded { Style::Folded(indent) } else { Style::Literal(indent) };
    let range = start..lines.last().map_or(first.next, |line| line.next);
    let (text, map) = found.end(end);
    Some(Scalar { text, map, style, range })
}

/// Lines as they are.
fn keep(file: &str, lines: &[Line], found: &mut Found) {
    let last = lines.len().saturating_sub(1);
    for (index, line) in lines.iter().enumerate() {
        found.plain(file, line.content.clone());
        if index < last {
            found.escape(line.content.end, '\n');
        }
    }
}

/// Lines of which those that are not indented further are put together.
fn fold(file: &str, lines: &[Line], found: &mut Found) {
    let is_prose = |line: &Line| !file[line.content.clone()].starts_with([' ', '\t']);
    let mut before: Option<&Line> = None;
    let mut breaks = Vec::new();
    for line in lines {
        if line.is_empty() {
            breaks.push(line.content.end);
            continue;
        }
        match before {
            Some(before) if is_prose(before) && is_prose(line) => found.folded(&breaks),
            _ => breaks.iter().for_each(|&at| found.escape(at, '\n')),
        }
        found.plain(file, line.content.clone());
        breaks = vec![line.content.end];
        before = Some(line);
    }
}

/// The lines from `start` on that are empty, or indented by at least so many blanks.
fn lines(file: &str, start: usize, indent: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = start;
    while at < file.len() {
        let Line { content, next } = line_at(file, at);
        let blanks = blanks(&file[content.clone()]);
        if blanks < indent && content.start + blanks < content.end {
            break;
        }
        lines.push(Line { content: content.start + blanks.min(indent)..content.end, next });
        at = next;
    }
    lines
}

/// How far the first line from `start` on is indented that holds something.
fn indent_of(file: &str, start: usize) -> Option<usize> {
    let mut at = start;
    while at < file.len() {
        let Line { content, next } = line_at(file, at);
        let blanks = blanks(&file[content.clone()]);
        if content.start + blanks < content.end {
            return Some(blanks);
        }
        at = next;
    }
    None
}

fn blanks(line: &str) -> usize {
    line.bytes().take_while(|&byte| byte == b' ').count()
}

/// The rest of the line at an offset.
fn line_at(file: &str, start: usize) -> Line {
    let rest = &file.as_bytes()[start..];
    let newline = memchr(b'\n', rest).unwrap_or(rest.len());
    let (end, len) = match memchr(b'\r', &rest[..newline]) {
        Some(end) if end + 1 == newline && newline < rest.len() => (end, 2),
        Some(end) => (end, 1),
        None => (newline, usize::from(newline < rest.len())),
    };
    Line { content: start..start + end, next: start + end + len }
}
