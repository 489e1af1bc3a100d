//! The data in a file: in Markdown, the YAML between two lines `---` at the start.

use std::ops::Range;

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
    let mut lines = source[at..].split_inclusive('\n');
    let first = lines.next().filter(|line| is_fence(line))?;
    at += first.len();
    let start = at;
    for line in lines {
        if is_fence(line) {
            return Some(start..at);
        }
        at += line.len();
    }
    None
}
