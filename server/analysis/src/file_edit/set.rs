//! Replaces existing values.
//!
//! Lists and objects are changed member by member, so that comments between the others are kept. A
//! replacement is valid if the parsed file differs in nothing else.

use promptls_resolver::{FileId, Format, Value, ValueKind, is_same, parse_value};
use serde_json::Value as Json;

use super::add::{append, insert, wrapped};
use super::line::one_line;
use super::read::read;
use super::remove::removed;
use super::value_location::{Spot, find};
use super::{json, yaml};

/// The maximum number of changes inside a list or an object. With more, it is written again as a
/// whole: each change requires parsing the file.
const MANY_CHANGES: usize = 100;

/// Applies [`super::FileEdit::Set`]; `None` if `value` is not JSON, or other values would change.
pub(super) fn set(text: &str, format: Format, path: &[String], value: &str) -> Option<String> {
    let value: Json = serde_json::from_str(value).ok()?;
    set_value(text, format, path, &value)
}

/// Applies [`super::FileEdit::Unset`]; `None` if the file is invalid or other values would change.
pub(super) fn unset(text: &str, format: Format, path: &[String]) -> Option<String> {
    let root = read(text, format)?;
    let Some(spot) = Spot::at(&root, path) else { return Some(text.to_owned()) };
    let start = spot.key.unwrap_or(spot.value.span).start as usize;
    let after = removed(text, format, start, find(&root, start))?;
    differs_only_at(&root, &read(&after, format)?, path).then_some(after)
}

fn set_value(text: &str, format: Format, path: &[String], value: &Json) -> Option<String> {
    let root = read(text, format)?;
    let new = parsed(value)?;
    let is_right = |after: &String| {
        read(after, format).is_some_and(|after| differs_only(Some(&root), &after, path, &new))
    };
    // The existing part of the path, and the missing rest.
    let depth = (0..=path.len())
        .rev()
        .find(|&depth| depth == 0 || Spot::at(&root, &path[..depth]).is_some())?;
    let (there, missing) = path.split_at(depth);
    let spot = Spot::at(&root, there);
    let here = spot.as_ref().map_or(&root, |spot| spot.value);
    let Some((next, inner)) = missing.split_first() else {
        return change(text, format, path, &spot?, value, &new).filter(is_right);
    };
    if let Some(spot) = spot.filter(|spot| spot.value.is_null()) {
        let value = wrapped(value.clone(), missing);
        return replace(text, format, &spot, &value, is_right);
    }
    let after = match here.as_list() {
        Some(items) if next.parse() == Ok(items.len()) => {
            append(text, format, &root, there, wrapped(value.clone(), inner))
        }
        _ => insert(text, format, &root, path, value.clone()),
    };
    after.filter(is_right)
}

/// Replaces a value, and keeps the parts that are equal.
fn change(
    text: &str,
    format: Format,
    path: &[String],
    spot: &Spot<'_>,
    value: &Json,
    new: &Value,
) -> Option<String> {
    if is_same_in_order(spot.value, new) {
        return Some(text.to_owned());
    }
    let root = read(text, format)?;
    let is_right = |after: &String| {
        read(after, format).is_some_and(|after| differs_only(Some(&root), &after, path, new))
    };
    let steps = match (&spot.value.kind, value) {
        (ValueKind::Object(old), Json::Object(members))
            if !members.is_empty() && !old.is_empty() =>
        {
            in_object(old, members, new)
        }
        (ValueKind::List(old), Json::Array(items)) if !items.is_empty() && !old.is_empty() => {
            in_list(old, items, new)
        }
        _ => None,
    };
    let by_steps = || {
        let steps = steps?;
        steps.into_iter().try_fold(text.to_owned(), |text, step| {
            let path = |key: &str| [path, &[key.to_owned()]].concat();
            match step {
                ContainerEdit::Set(key, value) => set_value(&text, format, &path(&key), value),
                ContainerEdit::Unset(key) => unset(&text, format, &path(&key)),
            }
        })
    };
    by_steps().filter(is_right).or_else(|| replace(text, format, spot, value, is_right))
}

/// A single change inside a list or an object.
enum ContainerEdit<'j> {
    Set(String, &'j Json),
    Unset(String),
}

/// The changes from one object to another; `None` if the order of its keys would have to change.
fn in_object<'j>(
    old: &promptls_resolver::Object,
    members: &'j serde_json::Map<String, Json>,
    new: &Value,
) -> Option<Vec<ContainerEdit<'j>>> {
    let new = new.as_object()?;
    let kept = || old.entries().iter().filter(|entry| new.get(&entry.key).is_some());
    let is_in_order = kept().zip(new.entries()).all(|(old, new)| old.key == new.key);
    let gone = old.entries().iter().filter(|entry| new.get(&entry.key).is_none());
    let mut steps: Vec<ContainerEdit<'_>> =
        gone.map(|entry| ContainerEdit::Unset(entry.key.to_string())).collect();
    for (entry, (key, value)) in new.entries().iter().zip(members) {
        let is_known =
            old.get(&entry.key).is_some_and(|old| is_same_in_order(&old.value, &entry.value));
        if !is_known {
            steps.push(ContainerEdit::Set(key.clone(), value));
        }
    }
    (is_in_order && steps.len() <= MANY_CHANGES).then_some(steps)
}

/// The changes from one list to another. After inserted items, the following ones are shifted,
/// while comments keep their positions.
fn in_list<'j>(old: &[Value], items: &'j [Json], new: &Value) -> Option<Vec<ContainerEdit<'j>>> {
    let new = new.as_list()?;
    let same = |(a, b): &(&Value, &Value)| is_same_in_order(a, b);
    let before = old.iter().zip(new).take_while(same).count();
    let gone = old.len().saturating_sub(new.len());
    let rest = old[before..].iter().rev().zip(new[before..].iter().rev());
    let after = if gone > 0 { rest.take_while(same).count() } else { 0 };
    let changed = before..new.len() - after;
    let mut steps = Vec::new();
    for index in changed.clone() {
        let is_known = old.get(index).is_some_and(|old| is_same_in_order(old, &new[index]));
        if !is_known {
            steps.push(ContainerEdit::Set(index.to_string(), &items[index]));
        }
    }
    let gone = changed.end..changed.end + gone;
    steps.extend(gone.rev().map(|index| ContainerEdit::Unset(index.to_string())));
    (steps.len() <= MANY_CHANGES).then_some(steps)
}

/// Replaces a value as a whole.
fn replace(
    text: &str,
    format: Format,
    spot: &Spot<'_>,
    value: &Json,
    is_right: impl Fn(&String) -> bool,
) -> Option<String> {
    let ways = match format {
        Format::Json => vec![json::replace(text, spot, value)],
        Format::Yaml => yaml::replacements(text, spot, value),
        Format::Toml => Vec::new(),
    };
    ways.into_iter().find(|way| is_right(way))
}

impl<'v> Spot<'v> {
    /// The value at the end of a path. `None` for the root, for a path that does not exist, and
    /// inside the text of another file.
    pub(super) fn at(root: &'v Value, path: &[String]) -> Option<Spot<'v>> {
        let mut here = root;
        let mut spot = None;
        for key in path {
            let (value, key) = match &here.kind {
                ValueKind::List(items) => (items.get(key.parse::<usize>().ok()?)?, None),
                ValueKind::Object(object) => {
                    let is_file = matches!(object.entries(), [only] if *only.key == *"$file");
                    let entry = object.get(key).filter(|_| !is_file || spot.is_none())?;
                    (&entry.value, Some(entry.key_span))
                }
                _ => return None,
            };
            spot = Some(Spot { value, key, outer: here });
            here = value;
        }
        spot
    }
}

fn parsed(value: &Json) -> Option<Value> {
    parse_value(&one_line(value), Format::Json, FileId::PROMPT, "").value
}

/// Returns whether two values are equal, with the same order of keys; `1` equals `1.0`.
fn is_same_in_order(a: &Value, b: &Value) -> bool {
    match (&a.kind, &b.kind) {
        (ValueKind::List(a), ValueKind::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_in_order(a, b))
        }
        (ValueKind::Object(a), ValueKind::Object(b)) => {
            let (a, b) = (a.entries(), b.entries());
            let is_same = a
                .iter()
                .zip(b)
                .all(|(a, b)| a.key == b.key && is_same_in_order(&a.value, &b.value));
            a.len() == b.len() && is_same
        }
        _ => is_same(a, b),
    }
}

/// Returns whether a file has the new value at the end of a path, and is otherwise unchanged.
fn differs_only(before: Option<&Value>, after: &Value, path: &[String], new: &Value) -> bool {
    let Some((key, path)) = path.split_first() else { return is_same_in_order(after, new) };
    match &after.kind {
        ValueKind::Object(after) => {
            let before =
                before.and_then(Value::as_object).map(|it| it.entries()).unwrap_or_default();
            let entries = after.entries();
            let is_new = !before.iter().any(|entry| *entry.key == **key);
            entries.len() == before.len() + usize::from(is_new)
                && entries.iter().enumerate().all(|(index, entry)| {
                    let old = before.get(index).filter(|old| old.key == entry.key);
                    match (*entry.key == **key, old) {
                        (true, old) => {
                            differs_only(old.map(|it| &it.value), &entry.value, path, new)
                        }
                        (false, Some(old)) => is_same_in_order(&old.value, &entry.value),
                        (false, None) => false,
                    }
                })
        }
        ValueKind::List(after) => {
            let before = before.and_then(Value::as_list).unwrap_or_default();
            let Ok(at) = key.parse::<usize>() else { return false };
            after.len() == before.len().max(at + 1)
                && after.iter().enumerate().all(|(index, item)| match before.get(index) {
                    old if index == at => differs_only(old, item, path, new),
                    Some(old) => is_same_in_order(old, item),
                    None => false,
                })
        }
        _ => false,
    }
}

/// Returns whether a file has no value at the end of a path, and is otherwise unchanged.
fn differs_only_at(before: &Value, after: &Value, path: &[String]) -> bool {
    let Some((key, path)) = path.split_first() else { return false };
    match (&before.kind, &after.kind) {
        (ValueKind::Object(before), ValueKind::Object(after)) => {
            let mut rest = after.entries().iter();
            before.entries().iter().all(|old| match *old.key == **key {
                true if path.is_empty() => true,
                is_target => rest.next().is_some_and(|new| {
                    let same = || is_same_in_order(&old.value, &new.value);
                    let is_fine = if is_target {
                        differs_only_at(&old.value, &new.value, path)
                    } else {
                        same()
                    };
                    old.key == new.key && is_fine
                }),
            }) && rest.next().is_none()
        }
        (ValueKind::List(before), ValueKind::List(after)) => {
            let mut rest = after.iter();
            before.iter().enumerate().all(|(index, old)| match key.parse() == Ok(index) {
                true if path.is_empty() => true,
                true => rest.next().is_some_and(|new| differs_only_at(old, new, path)),
                false => rest.next().is_some_and(|new| is_same_in_order(old, new)),
            }) && rest.next().is_none()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
