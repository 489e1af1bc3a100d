//! Adds entries to objects, and items to lists.

use promptls_data::edit_json;
use promptls_resolver::{Format, Span, Value};
use serde_json::{Map, Value as Json};

use super::keys::written_key;
use super::line::{add_in_line, one_line};
use super::yaml;

pub(super) fn insert(
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
                let key = written_key(format, first);
                let last = object.as_object()?.entries().iter().map(|entry| entry.value.span.end);
                let new = format!("{key}: {}", one_line(&value));
                return add_in_line(text, object.span, last.max()? as usize, &new);
            }
            match format {
                Format::Json => {
                    let existing = &path[..path.len() - missing.len()];
                    edit_json::insert(text, existing, first, value)
                }
                Format::Yaml => yaml::insert(text, object, first, &value),
                Format::Toml => None,
            }
        }
        Descent::Null(null, key, inner) => {
            let value = one_line(&wrapped(value, inner));
            let mut after = text.to_owned();
            let range = null.span.range();
            if range.is_empty() {
                // In YAML, an empty value is null, too.
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

pub(super) fn append(
    text: &str,
    format: Format,
    root: &Value,
    path: &[String],
    item: Json,
) -> Option<String> {
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
        Format::Json => edit_json::append(text, path, item),
        Format::Yaml => yaml::append(text, list, &item),
        Format::Toml => None,
    }
}

/// The result of following a path into objects.
enum Descent<'v, 'p> {
    /// An object without the first of these keys.
    Object(&'v Value, &'p [String]),
    /// A `null`, the span of its key, and the remaining keys.
    Null(&'v Value, Span, &'p [String]),
    /// The value at the end of the path.
    Value(&'v Value),
}

/// Follows a path. `None` if a value on it is not an object.
fn descend<'v, 'p>(root: &'v Value, path: &'p [String]) -> Option<Descent<'v, 'p>> {
    let mut here = root;
    for (depth, key) in path.iter().enumerate() {
        if let Some(items) = here.as_list() {
            here = items.get(key.parse::<usize>().ok()?)?;
            continue;
        }
        let object = here.as_object()?;
        // The text of another file is not an object, although its source is one.
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

/// Nests a value in objects, one for each key.
pub(super) fn wrapped(value: Json, keys: &[String]) -> Json {
    keys.iter().rev().fold(value, |inner, key| {
        let mut object = Map::new();
        object.insert(key.clone(), inner);
        Json::Object(object)
    })
}
