//! Edits of JSON with comments.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstContainerNode, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::Value as Json;

use super::line::one_line;
use super::place::Spot;

/// Adds an entry to the object at the end of a path.
pub(super) fn insert(text: &str, path: &[String], key: &str, value: Json) -> Option<String> {
    edit(text, |root| {
        object_at(root, path)?.append(key, input(value));
        Some(())
    })
}

/// Adds an item to the list at the end of a path.
pub(super) fn append(text: &str, path: &[String], item: Json) -> Option<String> {
    edit(text, |root| {
        let list = node_at(root, path)?.as_array()?;
        list.ensure_multiline();
        list.append(input(item));
        Some(())
    })
}

/// Removes the entry or item that starts at an offset.
pub(super) fn remove(text: &str, at: usize) -> Option<String> {
    let bom = text.len() - text.trim_start_matches('\u{feff}').len();
    edit(text, |root| {
        let found =
            starting_at(CstContainerNode::from(root.clone()), &mut 0, at.checked_sub(bom)?)?;
        found.remove();
        Some(())
    })
}

/// Writes another value in the place of one: in lines if the old one is, or what it is part of.
pub(super) fn replace(text: &str, spot: &Spot<'_>, value: &Json) -> String {
    let old = spot.value.span.range();
    let is_container =
        |value: &promptls_resolver::Value| value.as_list().is_some() || value.as_object().is_some();
    let model = if is_container(spot.value) { spot.value } else { spot.outer };
    let is_in_lines = text[model.span.range()].contains('\n');
    let new = if is_in_lines { in_lines(text, old.start, value) } else { one_line(value) };
    let mut after = text.to_owned();
    after.replace_range(old, &new);
    after
}

/// JSON in lines, indented as the file is at an offset.
fn in_lines(text: &str, at: usize, value: &Json) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let indentation = |line: &str| line[..line.len() - line.trim_start().len()].to_owned();
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let outer = indentation(&text[line..at]);
    let indented = text.lines().map(indentation).find(|blanks| !blanks.is_empty());
    let step = indented.unwrap_or_else(|| "  ".to_owned());
    let pretty = format!("{value:#}");
    let mut lines = pretty.split('\n');
    let mut written = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let body = line.trim_start_matches(' ');
        // What is made here is indented by two blanks for each level.
        let levels = (line.len() - body.len()) / 2;
        written.push_str(&format!("{newline}{outer}{}{body}", step.repeat(levels)));
    }
    written
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

/// The value at the end of a path.
fn node_at(root: &CstRootNode, path: &[String]) -> Option<CstNode> {
    path.iter().try_fold(root.value()?, |node, key| match node.as_array() {
        Some(list) => list.elements().into_iter().nth(key.parse().ok()?),
        None => node.as_object()?.get(key)?.value(),
    })
}

/// The entry, or item that is an object, which starts at an offset. `here` is where `outer` does,
/// and then where it ends.
fn starting_at(outer: CstContainerNode, here: &mut usize, wanted: usize) -> Option<CstNode> {
    for child in outer.children() {
        match child {
            CstNode::Leaf(leaf) => *here += leaf.to_string().len(),
            CstNode::Container(container) => {
                let is_item = matches!(outer, CstContainerNode::Array(_))
                    || matches!(container, CstContainerNode::ObjectProp(_));
                if *here == wanted && is_item {
                    return Some(container.into());
                }
                if let Some(found) = starting_at(container, here, wanted) {
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
