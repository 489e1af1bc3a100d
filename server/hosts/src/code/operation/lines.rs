//! Line operations of Kotlin.

use std::ops::Range;

use super::Blanks;
use promptls_data::Decoded;

/// Kotlin's `trimIndent()`: removes the common indentation, and blank first and last lines.
pub(super) fn trim_indent(text: &Decoded) -> Decoded {
    let all = text.text();
    let lines = lines(all);
    let full = lines.iter().map(|line| &all[line.clone()]).filter(|line| !is_blank(line));
    let indentation =
        |line: &str| line.chars().take_while(|it| Blanks::Kotlin.contain(*it)).count();
    let shared = full.map(indentation).min().unwrap_or(0);
    cut_lines(text, &lines, |line| line.char_indices().nth(shared).map_or(line.len(), |it| it.0))
}

/// Kotlin's `trimMargin()`: removes everything up to a leading `|`, and blank first and last lines.
pub(super) fn trim_margin(text: &Decoded) -> Decoded {
    cut_lines(text, &lines(text.text()), |line| {
        let content = line.trim_start_matches(|it| Blanks::Kotlin.contain(it));
        if content.starts_with('|') { line.len() - content.len() + 1 } else { 0 }
    })
}

/// Python's reading of a file as text: each line end becomes a line feed.
pub(super) fn line_feeds(text: &Decoded) -> Decoded {
    let all = text.text();
    let mut read = Decoded::default();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\r', &all.as_bytes()[at..]) {
        let start = at + found;
        let end = start + if all[start..].starts_with("\r\n") { 2 } else { 1 };
        read.push_part(text, at..start);
        read.push_atomic("\n", text.source(start..end));
        at = end;
    }
    read.push_part(text, at..all.len());
    read.or_empty_at(text.source(0..0).start)
}

/// Python's `inspect.cleandoc()`. `None` if the text has a hole, a tab, or blanks other than spaces
/// at the start of a line, whose meaning differs between versions.
pub(super) fn clean_doc(text: &Decoded) -> Option<Decoded> {
    let all = text.text();
    let lines: Vec<&str> = all.split('\n').collect();
    let has_other_blanks =
        |line: &&str| line.trim_start().len() != line.trim_start_matches(' ').len();
    if all.contains('\t') || text.has_hole(0..all.len()) || lines.iter().any(has_other_blanks) {
        return None;
    }
    let indentation = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let full = lines[1..].iter().filter(|line| indentation(line) < line.len());
    let shared = full.map(indentation).min().unwrap_or(0);
    let mut kept: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for (number, line) in lines.iter().enumerate() {
        let cut = if number == 0 { indentation(line) } else { shared.min(line.len()) };
        kept.push(at + cut..at + line.len());
        at += line.len() + 1;
    }
    let first = kept.iter().position(|line| !line.is_empty()).unwrap_or(kept.len());
    let last = kept.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    let mut cleaned = Decoded::default();
    for (number, line) in kept[first..last].iter().enumerate() {
        if number > 0 {
            let before = kept[first + number - 1].end;
            cleaned.push_part(text, before..before + 1);
        }
        cleaned.push_part(text, line.clone());
    }
    Some(cleaned.or_empty_at(text.source(0..0).start))
}

fn is_blank(line: &str) -> bool {
    line.chars().all(|it| Blanks::Kotlin.contain(it))
}

/// The lines of a text, without line ends.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &text.as_bytes()[start..]) {
        let end = start + found;
        lines.push(start..end);
        start = end + if text[end..].starts_with("\r\n") { 2 } else { 1 };
    }
    lines.push(start..text.len());
    lines
}

/// Removes as many bytes from the start of each line as `cut` returns, and the first and the last
/// line if they are blank.
fn cut_lines(text: &Decoded, lines: &[Range<usize>], cut: impl Fn(&str) -> usize) -> Decoded {
    let all = text.text();
    let last = lines.len().saturating_sub(1);
    let mut trimmed = Decoded::default();
    let mut end: Option<Range<usize>> = None;
    for (number, line) in lines.iter().enumerate() {
        let content = &all[line.clone()];
        let next = lines.get(number + 1).map_or(line.end, |next| next.start);
        if (number == 0 || number == last) && is_blank(content) {
            continue;
        }
        if let Some(end) = end {
            // All line ends are normalized.
            match &all[end.clone()] {
                "\n" => trimmed.push_part(text, end),
                _ => trimmed.push_atomic("\n", text.source(end)),
            }
        }
        trimmed.push_part(text, line.start + cut(content)..line.end);
        end = Some(line.end..next);
    }
    let first = lines.iter().find(|line| !is_blank(&all[(*line).clone()]));
    let start = first.map_or(0, |line| line.start);
    trimmed.or_empty_at(text.source(start..start).start)
}
