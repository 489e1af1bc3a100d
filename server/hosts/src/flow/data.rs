//! Names in YAML, JSON, TOML and Markdown.

use std::ops::Range;

use memchr::memmem;

use super::{Access, AccessKind, Flow, is_key, mention};

/// The key under which configurations of agents say where an answer goes.
const OUTPUT_KEY: &str = "output_key";

/// Whether there may be an access.
pub(super) fn may_access(source: &str) -> bool {
    memmem::find(source.as_bytes(), OUTPUT_KEY.as_bytes()).is_some()
}

/// Every word is a mention: whoever reads the file may make a key of it.
pub(super) fn flow(source: &str) -> Flow {
    let mentions = words(source).map(|range| mention(&source[range])).collect();
    let outputs = memmem::find_iter(source.as_bytes(), OUTPUT_KEY);
    let accesses = outputs.filter_map(|at| output(source, at + OUTPUT_KEY.len()));
    Flow::new(accesses.collect(), mentions, false)
}

/// The value behind a key: `: plan`, `": "plan"`.
fn output(source: &str, behind: usize) -> Option<Access> {
    let rest = source[behind..].trim_start_matches(['"', '\'']).trim_start_matches([' ', '\t']);
    let value = rest.strip_prefix(':')?.trim_start_matches([' ', '\t']);
    let value = value.trim_start_matches(['"', '\'']);
    let start = source.len() - value.len();
    let range = word_at(source, start)?;
    let name = source[range.clone()].to_owned();
    Some(Access { name, range, kind: AccessKind::OutputKey, supplies: true })
}

/// What stands alone, in quotes or as a value or key without any.
pub(super) fn whole_strings(source: &str, name: &str) -> Vec<Range<usize>> {
    let is_alone = |range: &Range<usize>| {
        let before = source[..range.start].trim_end_matches([' ', '\t']).bytes().next_back();
        let after = source[range.end..].trim_start_matches([' ', '\t']).bytes().next();
        before.is_none_or(|it| b"\"':-[,{\n=".contains(&it))
            && after.is_none_or(|it| b"\"':,]}\r\n#=".contains(&it))
    };
    words(source).filter(|range| source[range.clone()] == *name).filter(is_alone).collect()
}

fn words(source: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < source.len() {
            if let Some(range) = word_at(source, at) {
                at = range.end;
                return Some(range);
            }
            at += source[at..].chars().next().map_or(1, char::len_utf8);
        }
        None
    })
}

/// The word that starts at a place. A sign at its end is none of it: `plan:` is a key with a colon.
fn word_at(source: &str, start: usize) -> Option<Range<usize>> {
    let rest = &source[start..];
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | ':' | '.' | '-');
    let end = rest.find(|char| !is_part(char)).unwrap_or(rest.len());
    let word = rest[..end].trim_end_matches([':', '.', '-']);
    // A number, or something without an end.
    let range = start..start + word.len();
    is_key(word).then_some(range)
}
