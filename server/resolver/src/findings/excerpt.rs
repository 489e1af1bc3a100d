//! Excerpts of texts and values for messages: one line, and short.

use crate::value::{Value, ValueKind};

/// The maximum number of characters: a message must fit into a tooltip.
const MAX_CHARS: usize = 60;

/// The maximum number of list items.
const MAX_VALUES: usize = 8;

/// A text on one line, cut if it is long.
pub(crate) fn of_text(text: &str) -> String {
    let mut chars = text.chars();
    let mut excerpt = String::new();
    for char in chars.by_ref().take(MAX_CHARS) {
        match char {
            '\n' => excerpt.push_str("\\n"),
            '\r' => excerpt.push_str("\\r"),
            '\t' => excerpt.push_str("\\t"),
            char if char.is_control() => excerpt.extend(char.escape_unicode()),
            char => excerpt.push(char),
        }
    }
    if chars.next().is_some() {
        excerpt.push('…');
    }
    excerpt
}

/// A value: scalars in JSON notation, `[…]` and `{…}` for the rest.
pub(crate) fn of_value(value: &Value) -> String {
    match &value.kind {
        ValueKind::Null => "null".to_owned(),
        ValueKind::Bool(value) => value.to_string(),
        ValueKind::Number(text) => of_text(text),
        ValueKind::String(text) => format!("\"{}\"", of_text(text)),
        ValueKind::File(file) => format!("the text of {}", of_text(&file.path)),
        ValueKind::List(_) => "[…]".to_owned(),
        ValueKind::Object(_) => "{…}".to_owned(),
    }
}

/// Values separated by commas; the end of a long list is left out.
pub(crate) fn of_values(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().take(MAX_VALUES).map(of_value).collect();
    let mut excerpt = shown.join(", ");
    if values.len() > MAX_VALUES {
        excerpt.push_str(&format!(" and {} more", values.len() - MAX_VALUES));
    }
    excerpt
}
