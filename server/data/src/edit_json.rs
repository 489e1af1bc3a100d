//! Edits of JSON with comments that keep everything else verbatim.
//!
//! Each returns `None` for invalid JSON, and if the edit is not possible.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstContainerNode, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::Value as Json;

/// Adds an entry to the object at a path.
pub fn insert(text: &str, path: &[String], key: &str, value: Json) -> Option<String> {
    edit(text, |root| {
        object_at(root, path)?.append(key, input(value));
        Some(())
    })
}

/// Adds an item to the list at a path.
pub fn append(text: &str, path: &[String], item: Json) -> Option<String> {
    edit(text, |root| {
        let list = node_at(root, path)?.as_array()?;
        list.ensure_multiline();
        list.append(input(item));
        Some(())
    })
}

/// Removes the entry or item that starts at an offset.
pub fn remove(text: &str, at: usize) -> Option<String> {
    let bom = text.len() - text.trim_start_matches('\u{feff}').len();
    edit(text, |root| {
        let found =
            starting_at(&CstContainerNode::from(root.clone()), &mut 0, at.checked_sub(bom)?)?;
        found.remove();
        Some(())
    })
}

fn edit(text: &str, edit: impl FnOnce(&CstRootNode) -> Option<()>) -> Option<String> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root = CstRootNode::parse(body, &ParseOptions::default()).ok()?;
    edit(&root)?;
    Some(format!("{}{root}", &text[..text.len() - body.len()]))
}

fn object_at(root: &CstRootNode, path: &[String]) -> Option<CstObject> {
    if path.is_empty() {
        return root.object_value_or_create();
    }
    node_at(root, path)?.as_object()
}

/// The value at a path.
fn node_at(root: &CstRootNode, path: &[String]) -> Option<CstNode> {
    path.iter().try_fold(root.value()?, |node, key| match node.as_array() {
        Some(list) => list.elements().into_iter().nth(key.parse().ok()?),
        None => node.as_object()?.get(key)?.value(),
    })
}

/// The entry, or item that is an object, that starts at an offset. `here` is the start of `outer`
/// on entry, and its end on return.
fn starting_at(outer: &CstContainerNode, here: &mut usize, index: usize) -> Option<CstNode> {
    for child in outer.children() {
        match child {
            CstNode::Leaf(leaf) => *here += leaf.to_string().len(),
            CstNode::Container(container) => {
                let is_item = matches!(outer, CstContainerNode::Array(_))
                    || matches!(container, CstContainerNode::ObjectProp(_));
                if *here == index && is_item {
                    return Some(container.into());
                }
                if let Some(found) = starting_at(&container, here, index) {
                    return Some(found);
                }
            }
        }
    }
    None
}

fn input(value: Json) -> CstInputValue {
    match value {
        Json::Null => CstInputValue::Null,
        Json::Bool(value) => CstInputValue::Bool(value),
        Json::Number(number) => CstInputValue::Number(number.to_string()),
        Json::String(text) => CstInputValue::String(text),
        Json::Array(items) => CstInputValue::Array(items.into_iter().map(input).collect()),
        Json::Object(members) => CstInputValue::Object(
            members.into_iter().map(|(key, value)| (key, input(value))).collect(),
        ),
    }
}
