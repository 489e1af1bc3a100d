//! Removes or renames many entries together, so that a file is parsed twice, not twice for each
//! entry.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use promptls_resolver::{Format, Value, ValueKind};
use serde_json::{Map, Value as Json};

use super::change::FileEdit;
use super::keys::written_key;
use super::read::{as_json, read};
use super::yaml;

/// Applies the edits that can be applied together. Returns the new text, and the other edits with
/// their offsets in it. `None` if another value would change.
///
/// Cost: the file.
pub(super) fn edited(
    text: &str,
    format: Format,
    edits: &[FileEdit],
) -> Option<(String, Vec<FileEdit>)> {
    let root = read(text, format)?;
    let mut expected = as_json(&root)?;
    let mut batch = Batch::of(text, format, edits);
    batch.collect(&root, &mut expected)?;
    let Batch { mut replacements, done, .. } = batch;
    replacements.sort_by_key(|(range, _)| range.start);
    let after = promptls_data::replaced(text, &replacements)?;
    if as_json(&read(&after, format)?)? != expected {
        return None;
    }
    let shift = Shift::of(&replacements);
    let is_left = |edit: &&FileEdit| place(edit).is_none_or(|at| !done.contains(&at));
    let rest = edits.iter().filter(is_left).filter_map(|edit| shift.edit(edit)).collect();
    Some((after, rest))
}

/// The offset that an edit refers to, if it has one.
pub(super) fn place(edit: &FileEdit) -> Option<usize> {
    match edit {
        FileEdit::Remove { at } | FileEdit::Nest { at, .. } => Some(*at),
        FileEdit::Rename { key, .. } => Some(key.start),
        _ => None,
    }
}

struct Batch<'t> {
    text: &'t str,
    format: Format,
    removed: HashSet<usize>,
    renamed: HashMap<usize, (&'t Range<usize>, &'t str)>,
    replacements: Vec<(Range<usize>, String)>,
    /// The offsets of the applied edits.
    done: HashSet<usize>,
}

impl<'t> Batch<'t> {
    fn of(text: &'t str, format: Format, edits: &'t [FileEdit]) -> Self {
        let (mut removed, mut renamed) = (HashSet::new(), HashMap::new());
        for edit in edits {
            match edit {
                FileEdit::Remove { at } => _ = removed.insert(*at),
                FileEdit::Rename { key, name } => {
                    renamed.entry(key.start).or_insert((key, &**name));
                }
                _ => {}
            }
        }
        // A removed entry is not renamed.
        renamed.retain(|at, _| !removed.contains(at));
        let (replacements, done) = (Vec::new(), HashSet::new());
        Batch { text, format, removed, renamed, replacements, done }
    }

    /// Applies the edits inside a value, and the same ones to its expected result.
    fn collect(&mut self, value: &Value, expected: &mut Json) -> Option<()> {
        match (&value.kind, expected) {
            (ValueKind::Object(object), Json::Object(members)) => {
                let entries = object.entries();
                let ranges = entries.iter().map(|entry| {
                    let end = entry.value.span.end.max(entry.key_span.end) as usize;
                    entry.key_span.start as usize..end
                });
                let gone = self.remove(value, &ranges.collect::<Vec<_>>());
                let mut kept = Map::new();
                let mut new_names = HashSet::new();
                for (index, (key, mut member)) in std::mem::take(members).into_iter().enumerate() {
                    let entry = entries.get(index).filter(|entry| *entry.key == *key)?;
                    if gone.contains(&index) {
                        continue;
                    }
                    self.collect(&entry.value, &mut member)?;
                    let at = entry.key_span.start as usize;
                    let renamed = self.renamed.get(&at).copied();
                    let Some((range, name)) = renamed else {
                        kept.insert(key, member);
                        continue;
                    };
                    self.done.insert(at);
                    // A second entry of the same name would hide a value.
                    if object.get(name).is_some() || !new_names.insert(name) {
                        kept.insert(key, member);
                        continue;
                    }
                    self.replacements.push((range.clone(), written_key(self.format, name)));
                    kept.insert(name.to_owned(), member);
                }
                *members = kept;
            }
            (ValueKind::List(items), Json::Array(expected)) => {
                let ranges: Vec<_> = items.iter().map(|item| item.span.range()).collect();
                let gone = self.remove(value, &ranges);
                let all = std::mem::take(expected);
                for (index, mut member) in all.into_iter().enumerate() {
                    if !gone.contains(&index) {
                        self.collect(items.get(index)?, &mut member)?;
                        expected.push(member);
                    }
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Removes the requested entries or items of a value, as far as possible. Returns their
    /// indexes.
    fn remove(&mut self, outer: &Value, ranges: &[Range<usize>]) -> HashSet<usize> {
        let is_removed = |range: &Range<usize>| self.removed.contains(&range.start);
        let removed: Vec<usize> = (0..ranges.len()).filter(|&it| is_removed(&ranges[it])).collect();
        if removed.is_empty() {
            return HashSet::new();
        }
        let is_in_brackets =
            self.text.get(outer.span.range()).is_some_and(|it| it.starts_with(['{', '[']));
        let removals = match is_in_brackets {
            true => in_brackets(self.text, outer.span.range(), ranges, &removed),
            // Removing the last entry of a block requires brackets, which is not done here.
            false if removed.len() == ranges.len() => lines(self.text, ranges, &removed[1..]),
            false => lines(self.text, ranges, &removed),
        };
        let mut gone = HashSet::new();
        for (indexes, range) in removals {
            self.done.extend(indexes.clone().map(|index| ranges[index].start));
            gone.extend(indexes);
            self.replacements.push((range, String::new()));
        }
        gone
    }
}

/// The indexes of neighbours that are removed together, and the range of their text.
type Removal = (Range<usize>, Range<usize>);

/// Removals of lines in YAML.
fn lines(text: &str, ranges: &[Range<usize>], removed: &[usize]) -> Vec<Removal> {
    let lines = |&index: &usize| Some((index..index + 1, yaml::lines_of(text, &ranges[index])?));
    removed.iter().filter_map(lines).collect()
}

/// Removals between brackets, including commas. Entries with a comment beside them are skipped.
fn in_brackets(
    text: &str,
    outer: Range<usize>,
    ranges: &[Range<usize>],
    removed: &[usize],
) -> Vec<Removal> {
    let (first, last) = (outer.start + 1, outer.end.saturating_sub(1));
    // The text before an entry, and at the end before the bracket.
    let gap = |index: usize| {
        let start = index.checked_sub(1).map_or(first, |before| ranges[before].end);
        let end = ranges.get(index).map_or(last, |range| range.start);
        text.get(start..end).unwrap_or("?")
    };
    let is_clean = |index: usize| {
        let gap = gap(index).trim_ascii();
        gap.is_empty() || gap == "," && index > 0
    };
    let mut removals: Vec<Removal> = Vec::new();
    for &index in removed.iter().filter(|&&index| is_clean(index) && is_clean(index + 1)) {
        match removals.last_mut() {
            Some((run, _)) if run.end == index => run.end += 1,
            _ => removals.push((index..index + 1, 0..0)),
        }
    }
    for (run, range) in &mut removals {
        *range = match (run.start, ranges.get(run.end)) {
            (start, Some(next)) => ranges[start].start..next.start,
            (0, None) => first..last,
            (start, None) => ranges[start - 1].end..ranges[run.end - 1].end,
        };
    }
    removals
}

/// Maps offsets to those after replacements.
struct Shift<'r> {
    replacements: &'r [(Range<usize>, String)],
    /// For each replacement, the bytes added and removed up to and including it.
    sums: Vec<(usize, usize)>,
}

impl<'r> Shift<'r> {
    fn of(replacements: &'r [(Range<usize>, String)]) -> Self {
        let (mut added, mut removed) = (0, 0);
        let sum = |(range, new): &(Range<usize>, String)| {
            added += new.len();
            removed += range.len();
            (added, removed)
        };
        Shift { replacements, sums: replacements.iter().map(sum).collect() }
    }

    /// `None` for an offset in removed text.
    fn offset(&self, at: usize) -> Option<usize> {
        let before = self.replacements.partition_point(|(range, _)| range.end <= at);
        if self.replacements.get(before).is_some_and(|(range, _)| range.start <= at) {
            return None;
        }
        let (added, removed) = before.checked_sub(1).map_or((0, 0), |last| self.sums[last]);
        Some(at + added - removed)
    }

    fn edit(&self, edit: &FileEdit) -> Option<FileEdit> {
        Some(match edit {
            FileEdit::Remove { at } => FileEdit::Remove { at: self.offset(*at)? },
            FileEdit::Nest { at, path } => {
                FileEdit::Nest { at: self.offset(*at)?, path: path.clone() }
            }
            FileEdit::Rename { key, name } => {
                let start = self.offset(key.start)?;
                FileEdit::Rename { key: start..start + key.len(), name: name.clone() }
            }
            other => other.clone(),
        })
    }
}
