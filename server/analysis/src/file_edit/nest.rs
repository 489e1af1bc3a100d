//! Converts a key that is a path to objects: `"user.name": 1` becomes `"user": {"name": 1}`.

use promptls_resolver::{Entry, Format, Value};
use serde_json::Value as Json;

use super::add::insert;
use super::keys::{entry, written_key};
use super::read::{as_json, read};
use super::remove::removed;
use super::value_location::find;

/// Applies [`super::FileEdit::Nest`]; `None` if it is not possible without changing other values.
pub(super) fn nest(text: &str, format: Format, at: usize, path: &[String]) -> Option<String> {
    let root = read(text, format)?;
    let entries = root.as_object()?.entries();
    let flat = entries.iter().find(|entry| entry.key_span.start as usize == at)?;
    let mut expected = as_json(&root)?;
    let value = expected.as_object_mut()?.shift_remove(&*flat.key)?;
    let place = entry(&mut expected, path)?;
    if !place.is_null() {
        return None;
    }
    *place = value.clone();
    let is_right = |after: &String| {
        let after = read(after, format).and_then(|after| as_json(&after));
        after.as_ref() == Some(&expected)
    };
    let is_new = entries.iter().all(|entry| *entry.key != *path[0]);
    let in_place = is_new.then(|| in_place(text, format, &root, flat, path)).flatten();
    in_place
        .filter(is_right)
        .or_else(|| moved(text, format, &root, at, path, value).filter(is_right))
}

/// Nests the entry at its position, so that the value and the comments around it remain unchanged.
fn in_place(
    text: &str,
    format: Format,
    root: &Value,
    flat: &Entry,
    path: &[String],
) -> Option<String> {
    let (key, value) = (flat.key_span.range(), flat.value.span.range());
    let keys: Vec<String> = path.iter().map(|key| written_key(format, key)).collect();
    let mut after = text.to_owned();
    if text[root.span.range()].starts_with('{') {
        after.insert_str(value.end, &"}".repeat(path.len() - 1));
        after.replace_range(key, &keys.join(": {"));
        return Some(after);
    }
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let indentation = |level: usize| "  ".repeat(level);
    let lines = text[key.end..value.end.max(key.end)].split_inclusive('\n');
    let deeper = indentation(path.len() - 1);
    let mut rest = String::new();
    for (index, line) in lines.enumerate() {
        let is_empty = index == 0 || line.trim().is_empty();
        rest.extend([if is_empty { "" } else { &deeper }, line]);
    }
    let nested = keys.iter().enumerate().map(|(level, key)| indentation(level) + key);
    let nested = nested.collect::<Vec<_>>().join(&format!(":{newline}"));
    after.replace_range(key.start..value.end.max(key.end), &(nested + &rest));
    Some(after)
}

/// Moves the entry into existing objects.
fn moved(
    text: &str,
    format: Format,
    root: &Value,
    at: usize,
    path: &[String],
    value: Json,
) -> Option<String> {
    let without = removed(text, format, at, find(root, at))?;
    insert(&without, format, &read(&without, format)?, path, value)
}
