//! Texts of YAML scalars: plain, quoted, and block scalars after a `|` or a `>`.
//!
//! The parser decides what a scalar means. This module recovers the source position of each
//! character. A scalar for which it computes a different text is unsupported.

use std::ops::Range;

use memchr::memchr2;

use crate::decoded::Decoded;

/// Decodes the scalar at a range. `source` ends where the YAML does; `expected` is the text from
/// the parser, for a scalar that may be a block.
///
/// Cost: its length; for a block, including the empty lines after it.
pub fn decode(source: &str, range: Range<usize>, expected: Option<&str>) -> Option<Decoded> {
    let written = source.get(range.clone())?;
    let inner = range.start + 1..range.end.saturating_sub(1);
    match (written.bytes().next(), expected) {
        (Some(b'|' | b'>'), Some(expected)) => block(source, range.start, expected),
        (Some(b'"'), _) => flow(source, Style::Double, inner),
        (Some(b'\''), _) => flow(source, Style::Single, inner),
        _ => flow(source, Style::Plain, range),
    }
}

/// The styles of scalars other than blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Plain,
    Single,
    Double,
}

/// The text of a quoted or plain scalar, in a range without its quotes.
fn flow(source: &str, style: Style, range: Range<usize>) -> Option<Decoded> {
    let inner = source.get(..range.end)?;
    let mut decoded = Decoded::default();
    let (mut plain, mut at) = (range.start, range.start);
    while at < range.end {
        let rest = inner.get(at..)?;
        let next = match (style, rest.as_bytes()) {
            (_, [b' ' | b'\t' | b'\n' | b'\r', ..]) => match breaks(inner, at) {
                (next, breaks) if breaks.is_empty() => {
                    at = next;
                    continue;
                }
                (next, breaks) => {
                    decoded.push_equal(&inner[plain..at], plain);
                    fold_breaks(inner, &breaks, &mut decoded);
                    next
                }
            },
            (Style::Single, [b'\'', ..]) => {
                decoded.push_equal(&inner[plain..at], plain);
                decoded.push_atomic("'", at..at + 2);
                at + 2
            }
            (Style::Double, [b'\\', b'\n' | b'\r', ..]) => {
                decoded.push_equal(&inner[plain..at], plain);
                let (next, breaks) = breaks(inner, at + 1);
                breaks
                    .iter()
                    .skip(1)
                    .for_each(|line_end| push_break(inner, line_end, &mut decoded));
                next
            }
            (Style::Double, [b'\\', ..]) => {
                decoded.push_equal(&inner[plain..at], plain);
                let (char, len) = unescape(rest)?;
                decoded.push_atomic(char.encode_utf8(&mut [0; 4]), at..at + len);
                at + len
            }
            _ => {
                at += rest.chars().next()?.len_utf8();
                continue;
            }
        };
        (plain, at) = (next, next);
    }
    decoded.push_equal(inner.get(plain..at)?, plain);
    Some(if decoded.pieces().is_empty() { Decoded::empty_at(range.start) } else { decoded })
}

/// Adds a line end, of one or two bytes, as `\n`.
fn push_break(source: &str, line_end: &Range<usize>, decoded: &mut Decoded) {
    match &source[line_end.clone()] {
        "\n" => decoded.push_equal("\n", line_end.start),
        _ => decoded.push_atomic("\n", line_end.clone()),
    }
}

/// Adds the folded form of line ends: one becomes a space; of several, the first is dropped.
fn fold_breaks(source: &str, line_ends: &[Range<usize>], decoded: &mut Decoded) {
    match line_ends {
        [] => {}
        [only] => decoded.push_atomic(" ", only.clone()),
        [_, others @ ..] => others.iter().for_each(|it| push_break(source, it, decoded)),
    }
}

/// The offset after whitespace and line ends, and the ranges of these line ends.
fn breaks(text: &str, start: usize) -> (usize, Vec<Range<usize>>) {
    let (mut at, mut breaks) = (start, Vec::new());
    loop {
        let len = match &text.as_bytes()[at..] {
            [b' ' | b'\t', ..] => {
                at += 1;
                continue;
            }
            [b'\r', b'\n', ..] => 2,
            [b'\n' | b'\r', ..] => 1,
            _ => return (at, breaks),
        };
        breaks.push(at..at + len);
        at += len;
    }
}

/// The character of the escape at the start of a text, and the length of the escape in bytes.
fn unescape(text: &str) -> Option<(char, usize)> {
    let in_hex = |digits: usize| {
        let code = u32::from_str_radix(text.get(2..2 + digits)?, 16).ok()?;
        Some((char::from_u32(code)?, 2 + digits))
    };
    let char = match text.as_bytes().get(1)? {
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
    Some((char, 2))
}

/// A line of a block scalar, without its indentation.
struct Line {
    content: Range<usize>,
    /// Its line end; empty if there is none.
    line_end: Range<usize>,
}

/// A block scalar whose `|` or `>` is at `start`.
fn block(source: &str, start: usize, expected: &str) -> Option<Decoded> {
    let first = line_at(source, start);
    let header = &source[first.content.clone()];
    let marks = header.split([' ', '\t']).next()?;
    let body_start = first.line_end.end;
    // An indicator counts from the parent's indentation; the text from the parser gives the same
    // result.
    let (written, left) = (first_lines(source, body_start), first_lines(expected, 0));
    let indent = match (written.indent, left.indent) {
        (Some(written), Some(left)) => written.checked_sub(left)?,
        (_, None) if left.longest_empty > 0 => {
            written.longest_empty.checked_sub(left.longest_empty)?
        }
        // All spaces of empty lines are indentation.
        _ => usize::MAX,
    };
    let lines = lines(source, body_start, indent);
    let filled = lines.iter().rposition(|line| !line.content.is_empty()).map_or(0, |it| it + 1);
    let (body, rest) = lines.split_at(filled);

    let mut decoded = Decoded::default();
    if header.starts_with('>') {
        fold(source, body, &mut decoded);
    } else {
        keep(source, body, &mut decoded);
    }
    let last = body.last().into_iter();
    if marks.contains('+') {
        last.chain(rest).for_each(|line| push_line_end(source, line, &mut decoded));
    } else if !marks.contains('-') {
        last.for_each(|line| push_line_end(source, line, &mut decoded));
    }
    let is_empty = decoded.pieces().is_empty();
    Some(if is_empty { Decoded::empty_at(body_start) } else { decoded })
}

fn push_line_end(source: &str, line: &Line, decoded: &mut Decoded) {
    if !line.line_end.is_empty() {
        push_break(source, &line.line_end, decoded);
    }
}

/// Adds lines verbatim, without the last line end.
fn keep(source: &str, lines: &[Line], decoded: &mut Decoded) {
    for (index, line) in lines.iter().enumerate() {
        decoded.push_equal(&source[line.content.clone()], line.content.start);
        if index + 1 < lines.len() {
            push_line_end(source, line, decoded);
        }
    }
}

/// Adds lines folded: those that are not indented further are joined.
fn fold(source: &str, lines: &[Line], decoded: &mut Decoded) {
    let is_prose = |line: &Line| !source[line.content.clone()].starts_with([' ', '\t']);
    let mut before: Option<&Line> = None;
    let mut breaks = Vec::new();
    for line in lines {
        if line.content.is_empty() {
            breaks.push(line.line_end.clone());
            continue;
        }
        match before {
            Some(before) if is_prose(before) && is_prose(line) => {
                fold_breaks(source, &breaks, decoded);
            }
            _ => breaks.iter().for_each(|line_end| push_break(source, line_end, decoded)),
        }
        decoded.push_equal(&source[line.content.clone()], line.content.start);
        breaks = vec![line.line_end.clone()];
        before = Some(line);
    }
}

/// The lines from `start` on that are empty, or indented by at least this number of spaces.
fn lines(source: &str, start: usize, indent: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = start;
    while at < source.len() {
        let Line { content, line_end } = line_at(source, at);
        let blanks = blanks(&source[content.clone()]);
        if blanks < indent && content.start + blanks < content.end {
            break;
        }
        at = line_end.end;
        lines.push(Line { content: content.start + blanks.min(indent)..content.end, line_end });
    }
    lines
}

/// The lines up to the first with more than spaces.
struct FirstLines {
    /// The number of spaces before its text; `None` if there is no such line.
    indent: Option<usize>,
    /// The number of spaces in the longest line before it.
    longest_empty: usize,
}

fn first_lines(text: &str, start: usize) -> FirstLines {
    let (mut at, mut longest_empty) = (start, 0);
    while at < text.len() {
        let Line { content, line_end } = line_at(text, at);
        let blanks = blanks(&text[content.clone()]);
        if content.start + blanks < content.end {
            return FirstLines { indent: Some(blanks), longest_empty };
        }
        longest_empty = longest_empty.max(blanks);
        at = line_end.end;
    }
    FirstLines { indent: None, longest_empty }
}

fn blanks(line: &str) -> usize {
    line.bytes().take_while(|&byte| byte == b' ').count()
}

/// The rest of the line at an offset.
fn line_at(text: &str, start: usize) -> Line {
    let rest = &text.as_bytes()[start..];
    let end = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    let len = match &rest[end..] {
        [b'\r', b'\n', ..] => 2,
        [] => 0,
        _ => 1,
    };
    Line { content: start..start + end, line_end: start + end..start + end + len }
}
