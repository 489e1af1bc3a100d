//! The data in a file: in Markdown, the YAML between two lines `---` at the start.

use std::ops::Range;

use memchr::memchr2;

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
    fn every_line_end_of_yaml_ends_a_fence() {
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
