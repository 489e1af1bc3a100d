//! Edits YAML by the positions of values.
//!
//! Values that are added to a block are blocks, too. Their texts are in double quotes, as in JSON,
//! which is also YAML; those of several lines use `|`. A changed value keeps its quotes.

use std::ops::Range;

use promptls_data::yaml_form::{self, Literal, Shape, YamlContext, column, key, line_start};
use promptls_resolver::{Span, Value, ValueKind};
use serde_json::Value as Json;

use super::line::{add_in_line, one_line};
use super::value_location::{Spot, ValueLocation};

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

/// Adds lines after the line that ends at an offset, or that contains it.
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

/// The text after a colon or a dash: a space and a scalar, or separate lines. The key or the dash
/// is two columns before `indent`.
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
        Json::String(text) if text.contains('\n') => match Literal::of(text, indent, 2) {
            Some(Literal { header, lines }) => format!(" {header}{lines}"),
            None => format!(" {}", one_line(value)),
        },
        value => format!(" {}", one_line(value)),
    }
}

/// Possible replacements of a value, best first. The caller must verify them, because some may be
/// wrong.
pub(super) fn replacements(text: &str, spot: &Spot<'_>, new: &Json) -> Vec<String> {
    let shape = match &spot.value.kind {
        ValueKind::List(_) | ValueKind::Object(_) => Shape::Container,
        ValueKind::Null => Shape::Null,
        _ => Shape::Scalar,
    };
    let (key, range) = (spot.key.map(Span::range), spot.value.span.range());
    let outer = Some(spot.outer.span.start as usize);
    let place = YamlContext::new(text, yaml_form::Value { key, range, shape, outer });
    if let Json::String(new) = new {
        return place.with_text(new);
    }
    let mut ways = Vec::new();
    let is_filled = match new {
        Json::Object(members) => !members.is_empty(),
        Json::Array(items) => !items.is_empty(),
        _ => false,
    };
    if is_filled && !place.is_in_brackets && !place.written().starts_with(['{', '[']) {
        ways.push(match spot.key {
            Some(_) => {
                let indent = dashes(text, spot.value).unwrap_or(place.parent + 2);
                place.with(place.start..place.old.end, &block(new, indent))
            }
            None => {
                let lines = block(new, column(text, place.old.start));
                place.with(place.old.clone(), lines.trim_start())
            }
        });
    }
    ways.push(place.with_line(&one_line(new)));
    ways
}

/// Returns whether it is a list or an object in block style.
fn is_block(text: &str, value: &Value) -> bool {
    matches!(value.kind, ValueKind::List(_) | ValueKind::Object(_))
        && !text[value.span.range()].starts_with(['{', '['])
}

/// The column of the dashes of a list in block style.
fn dashes(text: &str, value: &Value) -> Option<usize> {
    let first = value.as_list().filter(|_| is_block(text, value))?.first()?.span.start as usize;
    let line = line_start(text, first);
    Some(column(text, line + text[line..first].find('-')?))
}

/// Removes an entry or an item: in brackets with its comma, otherwise with its lines.
pub(super) fn remove(text: &str, found: &ValueLocation<'_>) -> Option<String> {
    if text.get(found.outer.span.range())?.starts_with(['{', '[']) {
        return Some(found.remove_in_line(text));
    }
    let range = found.range.clone();
    let mut after = text.to_owned();
    if found.is_only
        && let Some(key) = found.outer_key
    {
        // An empty value would be null.
        let empty = if found.outer.as_list().is_some() { ": []" } else { ": {}" };
        after.replace_range(key.end as usize..text[..range.end].trim_end().len(), empty);
        return Some(after);
    }
    after.replace_range(lines_of(text, &range)?, "");
    Some(after)
}

/// The lines of an entry or an item of a block; `None` if they contain something else.
pub(super) fn lines_of(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
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
    Some(start..end)
}
