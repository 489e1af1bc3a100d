//! The data in a file: in Markdown, the YAML between two lines `---` at the start.

use std::ops::Range;

use memchr::memchr2;
use promptls_data::Decoded;

use crate::language::Language;

/// The range of the data of a file: the front matter of Markdown, and else the whole file. `None`
/// for Markdown without front matter.
pub fn data_range(language: Language, source: &str) -> Option<Range<usize>> {
    match language {
        Language::Markdown => front_matter(source),
        _ => Some(0..source.len()),
    }
}

/// The range of the front matter, without its lines `---`; `None` for a file without.
fn front_matter(source: &str) -> Option<Range<usize>> {
    let is_fence = |line: &str| line.trim_end() == "---";
    let mut at = source.len() - source.trim_start_matches('\u{feff}').len();
    let first = line_len(&source[at..]);
    if !is_fence(&source[at..at + first]) {
        return None;
    }
    at += first;
    let start = at;
    while at < source.len() {
        let end = at + line_len(&source[at..]);
        if is_fence(&source[at..end]) {
            return Some(start..at);
        }
        at = end;
    }
    None
}

/// The range of the text after the front matter, which ends at an offset; without whitespace at its
/// ends, as frameworks read it. `None` if there is none.
pub fn body(source: &str, front_matter_end: usize) -> Option<Range<usize>> {
    let fence = front_matter_end + line_len(&source[front_matter_end..]);
    let text = source[fence..].trim();
    let start = fence + source[fence..].find(text)?;
    (!text.is_empty()).then(|| start..start + text.len())
}

/// The text of a range, with the line ends that a program reads.
pub fn text(source: &str, range: Range<usize>) -> Decoded {
    let mut decoded = Decoded::default();
    let mut at = range.start;
    for part in source[range].split_inclusive("\r\n") {
        let line = part.strip_suffix("\r\n").unwrap_or(part);
        decoded.push_equal(line, at);
        if line.len() < part.len() {
            decoded.push_atomic("\n", at + line.len()..at + part.len());
        }
        at += part.len();
    }
    decoded
}

/// The length of the first line with its end, which may be a carriage return alone, as in YAML.
fn line_len(text: &str) -> usize {
    match memchr2(b'\n', b'\r', text.as_bytes()) {
        Some(end) if text[end..].starts_with("\r\n") => end + 2,
        Some(end) => end + 1,
        None => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_supports_all_line_endings_of_yaml() {
        for end in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                let source = format!("{mark}---\na: 1\n\n--- \nb").replace('\n', end);
                let range = front_matter(&source).expect("it has a front matter");
                assert_eq!(&source[range], format!("a: 1{end}{end}"), "{source:?}");
            }
        }
        for source in ["", "---", "---\n", "---\na: 1\n", "a\n---\n---\n"] {
            assert_eq!(front_matter(source), None, "{source:?}");
        }
    }
}
