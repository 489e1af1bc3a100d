//! Names in text that is no valid data, such as a template of YAML: each word may be a key.

use std::ops::Range;

use memchr::memmem;

use super::super::access::{Access, AccessKind, Flow, MAX_KEY, is_key, mention};
use super::OUTPUT_KEY;

/// Every word is a mention, because the code that reads the file may use it as a key.
pub(in crate::flow) fn flow(source: &str) -> Flow {
    let mentions = words(source).map(|range| mention(&source[range])).collect();
    let outputs = memmem::find_iter(source.as_bytes(), OUTPUT_KEY);
    let accesses = outputs.filter_map(|at| output(source, at + OUTPUT_KEY.len()));
    Flow { accesses: accesses.collect(), ..Flow::default() }.with_words(mentions, Vec::new())
}

/// The value after a key: `: plan`, `": "plan"`.
fn output(source: &str, behind: usize) -> Option<Access> {
    let rest = source[behind..].trim_start_matches(['"', '\'']).trim_start_matches([' ', '\t']);
    let value = rest.strip_prefix(':')?.trim_start_matches([' ', '\t']);
    let value = value.trim_start_matches(['"', '\'']);
    let start = source.len() - value.len();
    let range = word_at(source, start)?;
    let name = source[range.clone()].to_owned();
    Some(Access { name, range, kind: AccessKind::OutputKey, supplies: true, value: None })
}

/// The ranges where a name stands alone, in quotes or as an unquoted value or key.
pub(in crate::flow) fn whole_strings(source: &str, name: &str) -> Vec<Range<usize>> {
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
        loop {
            let start = at + source[at..].find(is_part)?;
            let end =
                source[start..].find(|char| !is_part(char)).map_or(source.len(), |len| start + len);
            at = end;
            let word = key_in(source, start..end);
            if word.is_some() {
                return word;
            }
        }
    })
}

fn is_part(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | ':' | '.' | '-')
}

/// The longest key at the end of letters. A trailing sign is not part of it: `plan:` is a key with
/// a colon.
fn key_in(source: &str, letters: Range<usize>) -> Option<Range<usize>> {
    let end = letters.start + source[letters.clone()].trim_end_matches([':', '.', '-']).len();
    // A longer word is data, possibly megabytes of it.
    let longest = letters.start.max(end.saturating_sub(MAX_KEY));
    let starts = (longest..end).filter(|at| source.is_char_boundary(*at));
    starts.map(|start| start..end).find(|range| is_key(&source[range.clone()]))
}

/// The word that starts at an offset.
fn word_at(source: &str, start: usize) -> Option<Range<usize>> {
    let rest = &source[start..];
    let end = start + rest.find(|char| !is_part(char)).unwrap_or(rest.len());
    key_in(source, start..end).filter(|range| range.start == start)
}
