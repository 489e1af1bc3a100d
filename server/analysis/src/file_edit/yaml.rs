//! Edits of YAML, by the places of values.
//!
//! What is added to a block is a block, too; its texts stand in double quotes, as JSON
//! writes them, which is YAML.

use promptls_resolver::Value;
use serde_json::Value as Json;

use super::{Found, add_in_line, one_line};

/// Words that mean something else without quotes, in one YAML or another.
const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// A key as it is written.
pub(super) fn key(name: &str) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
        && !WORDS.contains(&&*name.to_ascii_lowercase());
    if is_plain { name.to_owned() } else { Json::from(name).to_string() }
}

/// Adds an entry to an object.
pub(super) fn insert(text: &str, object: &Value, name: &str, value: &Json) -> Option<String> {
    let entries = object.as_object()?.entries();
    let span = object.span.range();
    if text[span.clone()].starts_with('{') {
        let new = format!("{}: {}", key(name), one_line(value));
        return match entries.iter().map(|entry| entry.value.span.end).max() {
            Some(last) => add_in_line(text, object.span, last as usize, &new),
            None => {
                let mut after = text.to_owned();
                after.replace_range(span, &format!("{{{new}}}"));
                Some(after)
            }
        };
    }
    let Some(first) = entries.first() else { return add_lines(text, text.len(), "", name, value) };
    let end = entries.iter().map(|entry| entry.value.span.end.max(entry.key_span.end)).max()?;
    let indent = " ".repeat(column(text, first.key_span.start as usize));
    add_lines(text, end as usize, &indent, name, value)
}

/// Adds an item to a list.
pub(super) fn append(text: &str, list: &Value, item: &Json) -> Option<String> {
    let items = list.as_list()?;
    let span = list.span.range();
    if text[span.clone()].starts_with('[') {
        let new = one_line(item);
        return match items.last() {
            Some(last) => add_in_line(text, list.span, last.span.end as usize, &new),
            None => {
                let mut after = text.to_owned();
                after.replace_range(span, &format!("[{new}]"));
                Some(after)
            }
        };
    }
    let (first, last) = (items.first()?, items.last()?);
    let line_start = line_start(text, first.span.start as usize);
    let dash = text[line_start..first.span.start as usize].find('-')?;
    let lines = block(&Json::Array(vec![item.clone()]), dash);
    add_text(text, last.span.end as usize, lines.trim_start_matches('\n'))
}

fn add_lines(text: &str, end: usize, indent: &str, name: &str, value: &Json) -> Option<String> {
    let value = block(value, indent.len() + 2);
    add_text(text, end, &format!("{indent}{}:{value}", key(name)))
}

/// Adds lines behind the line that ends at an offset, or that goes on there.
fn add_text(text: &str, end: usize, lines: &str) -> Option<String> {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lines = lines.replace('\n', newline);
    let is_line_start = text[..end].is_empty() || text[..end].ends_with('\n');
    let at = match text[end..].find('\n') {
        _ if is_line_start => end,
        Some(rest) => end + rest + 1,
        None => text.len(),
    };
    let mut after = text[..at].to_owned();
    if !after.is_empty() && !after.ends_with('\n') {
        after.push_str(newline);
    }
    after.push_str(&lines);
    after.push_str(newline);
    after.push_str(&text[at..]);
    Some(after)
}

/// What stands behind a colon or a dash: a blank and a scalar, or lines of their own.
fn block(value: &Json, indent: usize) -> String {
    let blanks = " ".repeat(indent);
    match value {
        Json::Object(members) if !members.is_empty() => members
            .iter()
            .map(|(name, value)| format!("\n{blanks}{}:{}", key(name), block(value, indent + 2)))
            .collect(),
        Json::Array(items) if !items.is_empty() => items
            .iter()
            .map(|item| {
                let lines = block(item, indent + 2);
                format!("\n{blanks}- {}", lines.trim_start())
            })
            .collect(),
        value => format!(" {}", one_line(value)),
    }
}

/// Removes an entry or an item: in brackets with its comma, else with its lines.
pub(super) fn remove(text: &str, found: &Found<'_>) -> Option<String> {
    if text.get(found.outer.span.range())?.starts_with(['{', '[']) {
        return Some(found.remove_in_line(text));
    }
    let range = found.range.clone();
    let mut after = text.to_owned();
    if found.is_only
        && let Some(key) = found.outer_key
    {
        // Nothing at all would be null.
        let empty = if found.outer.as_list().is_some() { ": []" } else { ": {}" };
        after.replace_range(key.end as usize..text[..range.end].trim_end().len(), empty);
        return Some(after);
    }
    let start = line_start(text, range.start);
    let is_alone = matches!(text[start..range.start].trim(), "" | "-");
    if !is_alone {
        return None;
    }
    let ends_line = text[..range.end].ends_with('\n');
    let end = match text[range.end..].find('\n') {
        _ if ends_line => range.end,
        Some(rest) => range.end + rest + 1,
        None => text.len(),
    };
    after.replace_range(start..end, "");
    Some(after)
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Where a key stands in its line.
fn column(text: &str, offset: usize) -> usize {
    text[line_start(text, offset)..offset].trim_start_matches('\u{feff}').chars().count()
}
