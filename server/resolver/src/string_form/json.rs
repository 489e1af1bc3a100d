//! JSON as the writers of different languages have it.

use std::cmp::Reverse;

use super::numbers::Numbers;
use crate::output::Bounded;
use crate::value::{Entry, Object, Value, ValueKind};

/// What writers of JSON differ in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// What stands between items, and between a key and its value.
    separators: [&'static str; 2],
    escapes: Escapes,
    order: Order,
    /// How numbers are written that are not finite: positive, negative, no number at all.
    not_finite: Option<[&'static str; 3]>,
}

/// Which characters are escaped, besides those that must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escapes {
    /// None.
    Needed,
    /// Those that mean something to HTML, and what ends a line of JavaScript.
    Html,
    /// All that are not ASCII, and delete.
    NotAscii,
}

/// In which order the keys of an object are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// As they were written.
    AsWritten,
    /// Those that are indexes of an array come first, ascending.
    IndexesFirst,
}

impl Style {
    /// Nothing but what must be.
    pub const COMPACT: Style = Style {
        separators: [",", ":"],
        escapes: Escapes::Needed,
        order: Order::AsWritten,
        not_finite: None,
    };
    /// `JSON.stringify`
    pub const JAVASCRIPT: Style =
        Style { order: Order::IndexesFirst, not_finite: Some(["null"; 3]), ..Style::COMPACT };
    /// `json.Marshal` of Go, on JSON that is written already.
    pub const GO: Style = Style { escapes: Escapes::Html, ..Style::COMPACT };
    /// `json.dumps` of Python.
    pub const PYTHON: Style = Style {
        separators: [", ", ": "],
        escapes: Escapes::NotAscii,
        not_finite: Some(["Infinity", "-Infinity", "NaN"]),
        ..Style::COMPACT
    };
}

/// Compact JSON, all strings quoted; non-ASCII characters and numbers stay as they are.
pub(crate) fn json(value: &Value, out: &mut Bounded) {
    write(Style::COMPACT, Numbers::AsWritten, value, out);
}

/// JSON of this style, strings quoted.
///
/// Nesting is limited by the parsers of inputs files, so recursion is, too.
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

fn ordered(order: Order, object: &Object) -> Vec<&Entry> {
    let mut entries: Vec<&Entry> = object.entries().iter().collect();
    if order == Order::IndexesFirst {
        // Stable, so that all that are no indexes keep their order.
        entries.sort_by_key(|entry| Reverse(array_index(&entry.key).map(Reverse)));
    }
    entries
}

/// The key as an index of an array of JavaScript: its canonical decimal form, below 2^32 - 1.
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
    /// Whether a character is escaped that need not be.
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
