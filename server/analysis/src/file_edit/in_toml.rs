//! Edits TOML. The order of its keys has no meaning, so an edit is correct if the values are.

use promptls_data::{NodeKey, Tree, edit_toml};
use promptls_resolver::Format;
use serde_json::Value as Json;

use super::change::FileEdit;
use super::keys::entry;
use super::read::{as_json, read};

/// Applies an edit. `None` if it would change another value, if the text does not parse, or if TOML
/// has no such value.
pub(super) fn edited(text: &str, edit: &FileEdit) -> Option<String> {
    let mut expected = as_json(&read(text, Format::Toml)?)?;
    let after = match edit {
        FileEdit::Replace { text } => return Some(text.clone()),
        FileEdit::Insert { path, value } | FileEdit::Set { path, value } => {
            let value: Json = serde_json::from_str(value).ok()?;
            let place = place(&mut expected, path)?;
            if matches!(edit, FileEdit::Insert { .. }) && !place.is_null() {
                return None;
            }
            *place = value.clone();
            edit_toml::set(text, path, &value)?
        }
        FileEdit::Append { path, value } => {
            let value: Json = serde_json::from_str(value).ok()?;
            let list = entry(&mut expected, path)?;
            if list.is_null() {
                *list = Json::Array(vec![value]);
                edit_toml::set(text, path, list)?
            } else {
                let items = list.as_array_mut()?;
                let path = [&path[..], &[items.len().to_string()]].concat();
                items.push(value.clone());
                edit_toml::set(text, &path, &value)?
            }
        }
        FileEdit::Remove { at } => removed(text, &path_at(text, *at)?, &mut expected)?,
        FileEdit::Unset { path } => match at(&mut expected, path) {
            None => return Some(text.to_owned()),
            Some(_) => removed(text, path, &mut expected)?,
        },
        FileEdit::Nest { at, path } => {
            let flat = path_at(text, *at)?;
            let value = expected.as_object_mut()?.shift_remove(flat.first()?)?;
            let place = entry(&mut expected, path)?;
            if !place.is_null() {
                return None;
            }
            *place = value;
            let keys: Vec<String> = path.iter().map(|key| edit_toml::key(key)).collect();
            renamed(text, *at, &keys.join("."))?
        }
        FileEdit::Rename { key, name } => {
            let after = renamed(text, key.start, &edit_toml::key(name))?;
            return read(&after, Format::Toml).map(|_| after);
        }
    };
    (as_json(&read(&after, Format::Toml)?)? == expected).then_some(after)
}

/// The value at a path, or the place for a new one.
fn place<'j>(root: &'j mut Json, path: &[String]) -> Option<&'j mut Json> {
    let (last, outer) = path.split_last()?;
    let mut here = root;
    for key in outer {
        here = match here {
            Json::Array(items) => items.get_mut(key.parse::<usize>().ok()?)?,
            _ => entry(here, std::slice::from_ref(key))?,
        };
    }
    match here {
        Json::Array(items) => {
            let index: usize = last.parse().ok()?;
            if index == items.len() {
                items.push(Json::Null);
            }
            items.get_mut(index)
        }
        _ => entry(here, std::slice::from_ref(last)),
    }
}

/// The value at a path.
fn at<'j>(root: &'j mut Json, path: &[String]) -> Option<&'j mut Json> {
    path.iter().try_fold(root, |here, key| match here {
        Json::Array(items) => items.get_mut(key.parse::<usize>().ok()?),
        Json::Object(members) => members.get_mut(key),
        _ => None,
    })
}

fn removed(text: &str, path: &[String], expected: &mut Json) -> Option<String> {
    let (last, outer) = path.split_last()?;
    match at(expected, outer)? {
        Json::Array(items) => _ = items.remove(last.parse().ok().filter(|it| *it < items.len())?),
        Json::Object(members) => _ = members.shift_remove(last)?,
        _ => return None,
    }
    edit_toml::remove(text, path)
}

/// The path of the entry whose key starts at an offset, or of the item that starts there.
fn path_at(text: &str, at: usize) -> Option<Vec<String>> {
    let tree = promptls_data::read(Format::Toml, text).ok()?;
    let starts = |node: &promptls_data::Node<'_>| match node.key {
        NodeKey::Document => false,
        NodeKey::Name(_) => node.key_span.start as usize == at,
        NodeKey::Index(_) => node.span.start as usize == at,
    };
    let number = tree.nodes.iter().position(starts)?;
    Some(path_to(&tree, number))
}

fn path_to(tree: &Tree<'_>, number: usize) -> Vec<String> {
    let keys = tree.outwards(number).filter_map(|number| match &tree.nodes[number].key {
        NodeKey::Document => None,
        NodeKey::Name(name) => Some(name.to_string()),
        NodeKey::Index(index) => Some(index.to_string()),
    });
    let mut path: Vec<String> = keys.collect();
    path.reverse();
    path
}

/// Replaces the key of the entry at an offset by another one, or by a dotted key.
fn renamed(text: &str, at: usize, key: &str) -> Option<String> {
    let tree = promptls_data::read(Format::Toml, text).ok()?;
    let is_it = |node: &&promptls_data::Node<'_>| {
        matches!(node.key, NodeKey::Name(_)) && node.key_span.start as usize == at
    };
    let mut after = text.to_owned();
    after.replace_range(tree.nodes.iter().find(is_it)?.key_span.range(), key);
    Some(after)
}
