//! Parses a file before and after an edit.

use promptls_resolver::{FileId, Format, Object, Span, Value, ValueKind, parse_value};
use serde_json::Value as Json;

pub(super) fn read(text: &str, format: Format) -> Option<Value> {
    let parsed = parse_value(text, format, FileId::PROMPT, "nothing");
    match parsed.value {
        // An empty JSON file stands for an empty object.
        None if text.trim().is_empty() => {
            Some(Value { kind: ValueKind::Object(Object::default()), span: Span::default() })
        }
        value => value,
    }
}

/// The values without positions; `None` for more than a megabyte of them.
pub(super) fn as_json(value: &Value) -> Option<Json> {
    serde_json::from_str(&value.to_json()).ok()
}
