//! How a value becomes text where it is not a string already.

mod python;

use crate::output::Bounded;
use crate::value::{Entry, Value, ValueKind};

/// A way to write values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StringForm {
    /// Java's `toString`: `[x, y]`, `{k=v, n=1}`. Numbers keep their text.
    Java,
    /// Compact JSON; strings at the top are written raw. Numbers keep their text.
    Json,
    /// Python's `str`: `['x', 1.5]`, `{'k': None}`.
    Python,
}

impl StringForm {
    pub fn write(self, value: &Value, out: &mut Bounded) {
        match (self, value.as_text()) {
            (_, Some(text)) => out.push(text),
            (StringForm::Java, None) => java(value, out),
            (StringForm::Json, None) => json(value, out),
            (StringForm::Python, None) => python::repr(value, out),
        }
    }
}

/// Nesting is limited by the parsers of inputs files, so recursion is, too.
fn java(value: &Value, out: &mut Bounded) {
    match &value.kind {
        ValueKind::Null => out.push("null"),
        ValueKind::Bool(value) => out.push(if *value { "true" } else { "false" }),
        ValueKind::Number(text) => out.push(text),
        ValueKind::String(_) | ValueKind::File(_) => out.push(value.as_text().unwrap_or_default()),
        ValueKind::List(items) => {
            out.push("[");
            for (index, item) in items.iter().enumerate() {
                out.push(if index > 0 { ", " } else { "" });
                java(item, out);
            }
            out.push("]");
        }
        ValueKind::Object(object) => {
            out.push("{");
            for (index, entry) in object.entries().iter().enumerate() {
                out.push(if index > 0 { ", " } else { "" });
                java_entry(entry, out);
            }
            out.push("}");
        }
    }
}

/// An entry of a map in Java's string form: `key=value`.
pub(crate) fn java_entry(entry: &Entry, out: &mut Bounded) {
    out.push(&entry.key);
    out.push("=");
    java(&entry.value, out);
}

/// Compact JSON, all strings quoted; non-ASCII characters stay as they are.
pub(crate) fn json(value: &Value, out: &mut Bounded) {
    match &value.kind {
        ValueKind::Null => out.push("null"),
        ValueKind::Bool(value) => out.push(if *value { "true" } else { "false" }),
        ValueKind::Number(text) => out.push(text),
        ValueKind::String(_) | ValueKind::File(_) => {
            json_string(value.as_text().unwrap_or_default(), out);
        }
        ValueKind::List(items) => {
            out.push("[");
            for (index, item) in items.iter().enumerate() {
                out.push(if index > 0 { "," } else { "" });
                json(item, out);
            }
            out.push("]");
        }
        ValueKind::Object(object) => {
            out.push("{");
            for (index, entry) in object.entries().iter().enumerate() {
                out.push(if index > 0 { "," } else { "" });
                json_string(&entry.key, out);
                out.push(":");
                json(&entry.value, out);
            }
            out.push("}");
        }
    }
}

fn json_string(text: &str, out: &mut Bounded) {
    out.push("\"");
    let mut plain = 0;
    for (at, character) in text.char_indices() {
        let escape: &str = match character {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\u{8}' => "\\b",
            '\u{C}' => "\\f",
            '\0'..='\u{1F}' => &format!("\\u{:04x}", u32::from(character)),
            _ => continue,
        };
        out.push(&text[plain..at]);
        out.push(escape);
        plain = at + character.len_utf8();
    }
    out.push(&text[plain..]);
    out.push("\"");
}
