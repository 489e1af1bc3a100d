//! JSON as written by different languages.

use std::cmp::Reverse;

use super::numbers::Numbers;
use crate::output::Bounded;
use crate::value::{Entry, Object, Value, ValueKind};

/// The differences between JSON writers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// The separators of items, and of a key and its value.
    separators: [&'static str; 2],
    escapes: Escapes,
    order: KeyOrder,
    /// The form of non-finite numbers: positive, negative, not a number.
    not_finite: Option<[&'static str; 3]>,
}

/// The characters that are escaped, besides the mandatory ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escapes {
    Needed,
    /// Characters with a meaning in HTML, and JavaScript's line separators.
    Html,
    /// Non-ASCII characters and U+007F, as with Python's `ensure_ascii`.
    NotAscii,
}

/// The order of the keys of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KeyOrder {
    /// The order of the keys in the source.
    AsWritten,
    /// Array indices come first, ascending.
    IndexesFirst,
}

impl Style {
    /// Without optional escapes and spaces.
    pub const COMPACT: Style = Style {
        separators: [",", ":"],
        escapes: Escapes::Needed,
        order: KeyOrder::AsWritten,
        not_finite: None,
    };
    /// JavaScript's `JSON.stringify` without indentation; array indices come first.
    pub const JAVASCRIPT: Style =
        Style { order: KeyOrder::IndexesFirst, not_finite: Some(["null"; 3]), ..Style::COMPACT };
    /// Go's `json.Marshal`, for raw JSON.
    pub const GO: Style = Style { escapes: Escapes::Html, ..Style::COMPACT };
    /// Python's `json.dumps` with its default separators and `ensure_ascii`.
    pub const PYTHON: Style = Style {
        separators: [", ", ": "],
        escapes: Escapes::NotAscii,
        not_finite: Some(["Infinity", "-Infinity", "NaN"]),
        ..Style::COMPACT
    };
}

/// Compact JSON, all strings quoted; non-ASCII characters and numbers are kept.
pub(crate) fn json(value: &Value, out: &mut Bounded) {
    write(Style::COMPACT, Numbers::AsWritten, value, out);
}

/// JSON in a style, strings quoted.
///
/// The parsers of inputs files limit nesting, and so the recursion.
pub(super) fn write(style: Style, numbers: Numbers, value: &Value, out: &mut Bounded) {
    let [between, behind_key] = style.separators;
    match &value.kind {
        ValueKind::Null => out.push("null"),
        ValueKind::Bool(value) => out.push(if *value { "true" } else { "false" }),
        ValueKind::Number(text) => match (style.not_finite, numbers.not_finite(text)) {
            (Some(words), Some(which)) => out.push(words[which]),
            _ => out.push(&numbers.text(text)),
        },
        ValueKind::String(_) | ValueKind::File(_) => {
            string(style.escapes, value.as_text().unwrap_or_default(), out);
        }
        ValueKind::List(items) => {
            out.push("[");
            for (index, item) in items.iter().enumerate() {
                out.push(if index > 0 { between } else { "" });
                write(style, numbers, item, out);
            }
            out.push("]");
        }
        ValueKind::Object(object) => {
            out.push("{");
            for (index, entry) in ordered(style.order, object).into_iter().enumerate() {
                out.push(if index > 0 { between } else { "" });
                string(style.escapes, &entry.key, out);
                out.push(behind_key);
                write(style, numbers, &entry.value, out);
            }
            out.push("}");
        }
    }
}

fn ordered(order: KeyOrder, object: &Object) -> Vec<&Entry> {
    let mut entries: Vec<&Entry> = object.entries().iter().collect();
    if order == KeyOrder::IndexesFirst {
        // Stable, so that keys that are not indices keep their order.
        entries.sort_by_key(|entry| Reverse(array_index(&entry.key).map(Reverse)));
    }
    entries
}

/// The key as a JavaScript array index: its canonical decimal form, below 2^32 - 1.
fn array_index(key: &str) -> Option<u32> {
    let index: u32 = key.parse().ok()?;
    (index < u32::MAX && index.to_string() == key).then_some(index)
}

fn string(escapes: Escapes, text: &str, out: &mut Bounded) {
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
            '\0'..='\u{1F}' => &units(character),
            _ if escapes.includes(character) => &units(character),
            _ => continue,
        };
        out.push(&text[plain..at]);
        out.push(escape);
        plain = at + character.len_utf8();
    }
    out.push(&text[plain..]);
    out.push("\"");
}

impl Escapes {
    /// `true` if a character is escaped although that is not mandatory.
    fn includes(self, character: char) -> bool {
        match self {
            Escapes::Needed => false,
            Escapes::Html => matches!(character, '<' | '>' | '&' | '\u{2028}' | '\u{2029}'),
            Escapes::NotAscii => character >= '\u{7F}',
        }
    }
}

/// The escapes of the UTF-16 units of a character.
fn units(character: char) -> String {
    let mut units = [0; 2];
    character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}
