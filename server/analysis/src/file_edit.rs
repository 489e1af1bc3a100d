//! Changes of inputs and variables files that leave everything else as it is written: comments,
//! order, indentation, trailing commas, line endings.
//!
//! JSON is edited by the `jsonc-parser` crate, except that it would break an object in one
//! line into several. YAML is edited in `yaml.rs`. Both are read again afterwards, and an
//! edit that would change any other value is refused: no edit is better than a wrong one.

mod json;
mod set;
mod yaml;

use std::ops::Range;

use promptls_resolver::{FileId, Format, Object, Span, Value, ValueKind, parse_value};
use serde_json::{Map, Value as Json};

/// One change of a JSON or YAML file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FileEdit {
    /// A new entry at the end of an object. The path leads to it from the top of the file;
    /// objects on the way that are missing are made. The value is JSON.
    ///
    /// An entry that is there is only replaced if it is `null`.
    Insert {
        /// The keys from the top, the new one last.
        path: Vec<String>,
        /// What it shall be.
        value: String,
    },
    /// A new item at the end of a list; as for [`FileEdit::Insert`].
    Append {
        /// The keys from the top to the list.
        path: Vec<String>,
        /// What it shall be.
        value: String,
    },
    /// The entry whose key starts at an offset goes, or the item of a list that starts there.
    Remove {
        /// In bytes.
        at: usize,
    },
    /// Another value, or a new entry as for [`FileEdit::Insert`]. A number among the keys leads
    /// into a list, or to its end.
    ///
    /// What is the same in both values stays as it is written, and what changes keeps its style:
    /// quotes, lines, brackets.
    Set {
        /// The keys from the top.
        path: Vec<String>,
        /// What it shall be.
        value: String,
    },
    /// The entry or the item at the end of a path goes, if it is there.
    Unset {
        /// The keys from the top.
        path: Vec<String>,
    },
    /// Another key for an entry.
    Rename {
        /// Where the key stands, quotes included, in bytes.
        key: Range<usize>,
        /// The new key.
        name: String,
    },
    /// All of it is new.
    Replace {
        /// The text.
        text: String,
    },
}

/// The text of a file after some edits, which all speak of the text as it is; `None` if it cannot
/// be read, or an edit cannot be done without changing something else.
///
/// Cost: the file, for each edit.
pub fn edit_file(text: &str, format: Format, edits: &[FileEdit]) -> Option<String> {
    // From the end to the start, so that places stay where they are.
    let place = |edit: &FileEdit| match edit {
        FileEdit::Remove { at } => Some(*at),
        FileEdit::Rename { key, .. } => Some(key.start),
        _ => None,
    };
    let mut sorted: Vec<&FileEdit> = edits.iter().collect();
    sorted.sort_by_key(|edit| std::cmp::Reverse(place(edit).map_or(0, |at| at + 1)));
    sorted.into_iter().try_fold(text.to_owned(), |text, edit| edit_once(&text, format, edit))
}

/// The smallest change that makes one text of another: a range of the old one, and what comes.
pub fn difference(before: &str, after: &str) -> (Range<usize>, String) {
    let same = |(a, b): &(char, char)| a == b;
    let start: usize =
        before.chars().zip(after.chars()).take_while(same).map(|(a, _)| a.len_utf8()).sum();
    let (rest_before, rest_after) = (&before[start..], &after[start..]);
    let backwards = rest_before.chars().rev().zip(rest_after.chars().rev());
    let end: usize = backwards.take_while(same).map(|(a, _)| a.len_utf8()).sum();
    let (mut start, mut end) = (start, before.len() - end);
    // Never between the two characters of a line ending: editors have no such place.
    let is_inside = |at: usize| before[..at].ends_with('\r') && before[at..].starts_with('\n');
    start -= usize::from(is_inside(start));
    end += usize::from(is_inside(end));
    let new = after[start..after.len() - (before.len() - end)].to_owned();
    (start..end, new)
}

fn edit_once(text: &str, format: Format, edit: &FileEdit) -> Option<String> {
    let (after, expected) = match edit {
        FileEdit::Replace { text } => return Some(text.clone()),
        FileEdit::Insert { path, value } => {
            let root = read(text, format)?;
            let value: Json = serde_json::from_str(value).ok()?;
            let mut expected = as_json(&root)?;
            *entry(&mut expected, path)? = value.clone();
            (insert(text, format, &root, path, value)?, expected)
        }
        FileEdit::Append { path, value } => {
            let root = read(text, format)?;
            let value: Json = serde_json::from_str(value).ok()?;
            let mut expected = as_json(&root)?;
            let list = entry(&mut expected, path)?;
            if list.is_null() {
                *list = Json::Array(Vec::new());
            }
            list.as_array_mut()?.push(value.clone());
            (append(text, format, &root, path, value)?, expected)
        }
        FileEdit::Remove { at } => return remove(text, format, *at),
        FileEdit::Set { path, value } => return set::set(text, format, path, value),
        FileEdit::Unset { path } => return set::unset(text, format, path),
        FileEdit::Rename { key, name } => {
            let written = match format {
                Format::Json => Json::from(name.as_str()).to_string(),
                Format::Yaml => yaml::key(name),
            };
            let mut after = text.to_owned();
            after.replace_range(key.clone(), &written);
            read(&after, format)?;
            return Some(after);
        }
    };
    (as_json(&read(&after, format)?)? == expected).then_some(after)
}

fn remove(text: &str, format: Format, at: usize) -> Option<String> {
    let root = read(text, format)?;
    let mut expected = as_json(&root)?;
    let found = find(&root, at);
    if let Some(found) = &found {
        found.take_from(&mut expected)?;
    }
    let after = removed(text, format, at, found)?;
    (as_json(&read(&after, format)?)? == expected).then_some(after)
}

/// The text without what starts at an offset. Nobody has looked what else that changes.
fn removed(text: &str, format: Format, at: usize, found: Option<Found<'_>>) -> Option<String> {
    match (format, found) {
        (_, Some(found)) if found.is_in_line(text) => Some(found.remove_in_line(text)),
        (Format::Json, _) => json::remove(text, at),
        (Format::Yaml, found) => yaml::remove(text, &found?),
    }
}

fn read(text: &str, format: Format) -> Option<Value> {
    let parsed = parse_value(text, format, FileId::PROMPT, "nothing");
    match parsed.value {
        // An empty JSON file is an empty object that is still to be written.
        None if text.trim().is_empty() => {
            Some(Value { kind: ValueKind::Object(Object::default()), span: Span::default() })
        }
        value => value,
    }
}

/// Values without places; `None` for more than a megabyte of them.
fn as_json(value: &Value) -> Option<Json> {
    serde_json::from_str(&value.to_json()).ok()
}

/// The place of a path in a value, which is made if it is missing; `None` if something that is no
/// object is in its way, or is there already.
fn entry<'j>(root: &'j mut Json, path: &[String]) -> Option<&'j mut Json> {
    path.iter().try_fold(root, |here, key| {
        if here.is_null() {
            *here = Json::Object(Map::new());
        }
        Some(here.as_object_mut()?.entry(key).or_insert(Json::Null))
    })
}

/// As far as a path leads into objects.
enum Descent<'v, 'p> {
    /// To an object that does not have the first of these keys.
    Object(&'v Value, &'p [String]),
    /// To a `null`, with the key it stands at, and the keys behind it.
    Null(&'v Value, Span, &'p [String]),
    /// To its end, where a value is.
    Value(&'v Value),
}

/// `None` if something that is no object is in the way.
fn descend<'v, 'p>(root: &'v Value, path: &'p [String]) -> Option<Descent<'v, 'p>> {
    let mut here = root;
    for (depth, key) in path.iter().enumerate() {
        if let Some(items) = here.as_list() {
            here = items.get(key.parse::<usize>().ok()?)?;
            continue;
        }
        let object = here.as_object()?;
        // The text of another file is no object, though it is written as one.
        if let [only] = object.entries()
            && *only.key == *"$file"
        {
            return None;
        }
        let Some(entry) = object.get(key) else {
            return Some(Descent::Object(here, &path[depth..]));
        };
        if entry.value.is_null() {
            return Some(Descent::Null(&entry.value, entry.key_span, &path[depth + 1..]));
        }
        here = &entry.value;
    }
    Some(Descent::Value(here))
}

/// A value inside objects, a key for each.
fn wrapped(value: Json, keys: &[String]) -> Json {
    keys.iter().rev().fold(value, |inner, key| {
        let mut object = Map::new();
        object.insert(key.clone(), inner);
        Json::Object(object)
    })
}

fn insert(
    text: &str,
    format: Format,
    root: &Value,
    path: &[String],
    value: Json,
) -> Option<String> {
    match descend(root, path)? {
        Descent::Object(object, missing) => {
            let (first, inner) = missing.split_first()?;
            let value = wrapped(value, inner);
            let span = object.span.range();
            let is_bracketed = text[span.clone()].starts_with('{');
            let is_filled = object.as_object().is_some_and(|object| !object.is_empty());
            if is_bracketed && is_filled && !text[span].contains('\n') {
                let key = match format {
                    Format::Json => Json::from(first.as_str()).to_string(),
                    Format::Yaml => yaml::key(first),
                };
                let last = object.as_object()?.entries().iter().map(|entry| entry.value.span.end);
                let new = format!("{key}: {}", one_line(&value));
                return add_in_line(text, object.span, last.max()? as usize, &new);
            }
            match format {
                Format::Json => {
                    let existing = &path[..path.len() - missing.len()];
                    json::insert(text, existing, first, value)
                }
                Format::Yaml => yaml::insert(text, object, first, &value),
            }
        }
        Descent::Null(null, key, inner) => {
            let value = one_line(&wrapped(value, inner));
            let mut after = text.to_owned();
            let range = null.span.range();
            if range.is_empty() {
                // In YAML, nothing is null, too.
                let colon = key.end as usize + text[key.end as usize..].find(':')?;
                after.insert_str(colon + 1, &format!(" {value}"));
            } else {
                after.replace_range(range, &value);
            }
            Some(after)
        }
        Descent::Value(_) => None,
    }
}

fn append(text: &str, format: Format, root: &Value, path: &[String], item: Json) -> Option<String> {
    let Descent::Value(list) = descend(root, path)? else {
        return insert(text, format, root, path, Json::Array(vec![item]));
    };
    let items = list.as_list()?;
    let span = list.span.range();
    if let Some(last) = items.last()
        && text[span.clone()].starts_with('[')
        && !text[span].contains('\n')
    {
        return add_in_line(text, list.span, last.span.end as usize, &one_line(&item));
    }
    match format {
        Format::Json => json::append(text, path, item),
        Format::Yaml => yaml::append(text, list, &item),
    }
}

/// Adds to an object or a list that stands in one line, behind the last of what it holds.
fn add_in_line(text: &str, outer: Span, last_end: usize, new: &str) -> Option<String> {
    let rest = text.get(last_end..outer.end as usize - 1)?;
    let mut after = text.to_owned();
    match rest.find(',') {
        Some(comma) => after.insert_str(last_end + comma + 1, &format!(" {new},")),
        None => after.insert_str(last_end, &format!(", {new}")),
    }
    Some(after)
}

/// JSON in one line, with a blank behind each colon and comma.
fn one_line(value: &Json) -> String {
    match value {
        Json::Object(members) => {
            let members = members
                .iter()
                .map(|(key, value)| format!("{}: {}", Json::from(key.as_str()), one_line(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Json::Array(items) => {
            format!("[{}]", items.iter().map(one_line).collect::<Vec<_>>().join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// A value, and what is around it.
struct Spot<'v> {
    value: &'v Value,
    /// The key that it stands at; `None` for an item of a list.
    key: Option<Span>,
    /// What it is part of.
    outer: &'v Value,
}

/// An entry or an item, and where it is in the whole.
struct Found<'v> {
    /// The way to it from the top.
    path: Vec<Step>,
    /// Where it starts, and where it ends.
    range: Range<usize>,
    /// What it is part of.
    outer: &'v Value,
    /// The key that `outer` stands at.
    outer_key: Option<Span>,
    /// Whether it is all that `outer` holds.
    is_only: bool,
}

enum Step {
    Key(String),
    Index(usize),
}

impl Found<'_> {
    /// Whether it stands in brackets that open and close in one line.
    fn is_in_line(&self, text: &str) -> bool {
        let outer = &text[self.outer.span.range()];
        outer.starts_with(['{', '[']) && !outer.contains('\n')
    }

    /// Removes it and its comma.
    fn remove_in_line(&self, text: &str) -> String {
        let mut range = self.range.clone();
        let blank = |character: char| character.is_ascii_whitespace();
        match text[range.end..].trim_start_matches(blank).strip_prefix(',') {
            Some(rest) => range.end = text.len() - rest.trim_start_matches(blank).len(),
            None => {
                let before = text[..range.start].trim_end_matches(blank);
                range.start = before.strip_suffix(',').map_or(range.start, str::len);
            }
        }
        let mut after = text.to_owned();
        after.replace_range(range, "");
        after
    }

    fn take_from(&self, root: &mut Json) -> Option<()> {
        let (last, path) = self.path.split_last()?;
        let outer = path.iter().try_fold(root, |here, step| match step {
            Step::Key(key) => here.get_mut(key),
            Step::Index(index) => here.get_mut(index),
        })?;
        match last {
            Step::Key(key) => _ = outer.as_object_mut()?.shift_remove(key)?,
            Step::Index(index) => _ = outer.as_array_mut()?.remove(*index),
        }
        Some(())
    }
}

/// The entry whose key starts at an offset, or the item that does.
fn find(root: &Value, at: usize) -> Option<Found<'_>> {
    let mut path = Vec::new();
    let (mut outer, mut outer_key) = (root, None);
    loop {
        let is_here = |value: &Value| value.span.range().contains(&at);
        match &outer.kind {
            ValueKind::Object(object) => {
                let entries = object.entries();
                // Keys first: where a value in YAML ends, the next key may start.
                let start = |entry: &promptls_resolver::Entry| entry.key_span.start as usize == at;
                let found = entries.iter().find(|entry| start(entry));
                if let Some(entry) = found {
                    path.push(Step::Key(entry.key.to_string()));
                    let range = at..entry.value.span.end.max(entry.key_span.end) as usize;
                    let is_only = entries.len() == 1;
                    return Some(Found { path, range, outer, outer_key, is_only });
                }
                let entry = entries.iter().find(|entry| is_here(&entry.value))?;
                path.push(Step::Key(entry.key.to_string()));
                (outer, outer_key) = (&entry.value, Some(entry.key_span));
            }
            ValueKind::List(items) => {
                let index = items.iter().position(is_here)?;
                path.push(Step::Index(index));
                let item = &items[index];
                if item.span.start as usize == at {
                    let is_only = items.len() == 1;
                    return Some(Found {
                        path,
                        range: item.span.range(),
                        outer,
                        outer_key,
                        is_only,
                    });
                }
                (outer, outer_key) = (item, None);
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests;
