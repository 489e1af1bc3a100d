//! New entries of objects, and new items of lists.

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
pub(super) fn wrapped(value: Json, keys: &[String]) -> Json {
    keys.iter().rev().fold(value, |inner, key| {
        let mut object = Map::new();
        object.insert(key.clone(), inner);
        Json::Object(object)
    })
}
