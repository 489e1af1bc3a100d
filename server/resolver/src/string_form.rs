//! The string forms of values that are not strings.

mod json;
mod numbers;
mod python;

use crate::output::Bounded;
use crate::value::{Entry, Value, ValueKind};

pub(crate) use json::json;
use numbers::Numbers;
pub(crate) use numbers::{is_whole, shortest};

/// `repr` of Python for a value.
pub fn python_repr(value: &Value) -> String {
    let mut out = Bounded::new(usize::MAX, 0);
    python::repr(value, &mut out);
    out.text
}

/// `ascii` of Python for a value: `repr`, where all other characters are escaped, too.
pub(crate) fn ascii_repr(value: &Value) -> String {
    let mut text = String::new();
    for character in python_repr(value).chars() {
        match u32::from(character) {
            0..0x80 => text.push(character),
            code @ 0x80..0x100 => text.push_str(&format!("\\x{code:02x}")),
            code @ 0x100..0x10000 => text.push_str(&format!("\\u{code:04x}")),
            code => text.push_str(&format!("\\U{code:08x}")),
        }
    }
    text
}

/// `repr` of Python for a text.
pub(crate) fn text_repr(text: &str) -> String {
    let mut out = Bounded::new(usize::MAX, 0);
    python::repr_text(text, &mut out);
    out.text
}

/// A string form of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StringForm {
    containers: Containers,
    numbers: Numbers,
}

/// The form of lists, maps, booleans and nulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Containers {
    /// `toString` of Java's collections: `[x, y]`, `{k=v, n=1}`.
    Java,
    /// `[x y]`, `map[k:v n:1]` with sorted keys, `<nil>`
    Go,
    /// `['x', 1.5]`, `{'k': None}`, `True`
    Python,
    /// A list is its items separated by commas, also if nested; an object is `[object Object]`.
    JavaScript,
    /// JSON of a writer; a top-level string is not quoted.
    Json(json::Style),
}

impl StringForm {
    /// Java's `toString`, but numbers keep their text.
    pub const JAVA: StringForm = StringForm::of(Containers::Java, Numbers::AsWritten);
    /// Compact JSON; numbers keep their text.
    pub const JSON: StringForm =
        StringForm::of(Containers::Json(json::Style::COMPACT), Numbers::AsWritten);
    /// Python's `str`, also for numbers: `1.50` becomes `1.5`.
    pub const PYTHON: StringForm = StringForm::of(Containers::Python, Numbers::Python);
    /// Java's `toString`, also for numbers: `1.50` becomes `1.5`.
    pub const JVM: StringForm = StringForm::of(Containers::Java, Numbers::Java);
    /// Go's `%v`, also for numbers: `1.50` becomes `1.5`.
    pub const GO: StringForm = StringForm::of(Containers::Go, Numbers::Go);
    /// JavaScript's `String`, also for numbers: `1.0` becomes `1`.
    pub const JAVASCRIPT: StringForm = StringForm::of(Containers::JavaScript, Numbers::JavaScript);
    /// JavaScript's `JSON.stringify` for lists and maps.
    pub const JAVASCRIPT_JSON: StringForm =
        StringForm::of(Containers::Json(json::Style::JAVASCRIPT), Numbers::JavaScript);

    /// Go's JSON; numbers keep their text.
    pub const GO_JSON: StringForm =
        StringForm::of(Containers::Json(json::Style::GO), Numbers::AsWritten);
    /// Python's `json.dumps` for lists and maps, `str` for numbers, booleans as in JSON.
    pub const PYTHON_JSON: StringForm =
        StringForm::of(Containers::Json(json::Style::PYTHON), Numbers::Python);

    const fn of(containers: Containers, numbers: Numbers) -> StringForm {
        StringForm { containers, numbers }
    }

    /// Writes a value; a string verbatim.
    pub fn write(self, value: &Value, out: &mut Bounded) {
        match value.as_text() {
            Some(text) => out.push(text),
            None => self.write_inner(value, out),
        }
    }

    /// Writes a nested value.
    ///
    /// The parsers of inputs files limit nesting, and so the recursion.
    fn write_inner(self, value: &Value, out: &mut Bounded) {
        match self.containers {
            Containers::Java => self.java(value, out),
            Containers::Go => self.go(value, out),
            Containers::Python => python::repr(value, out),
            Containers::JavaScript => self.javascript(value, out),
            Containers::Json(style) => match &value.kind {
                // Non-finite numbers are special only inside of JSON.
                ValueKind::Number(text) => out.push(&self.numbers.text(text)),
                _ => json::write(style, self.numbers, value, out),
            },
        }
    }

    fn java(self, value: &Value, out: &mut Bounded) {
        match &value.kind {
            ValueKind::List(items) => {
                self.items(["[", ", ", "]"], items, out, StringForm::java);
            }
            ValueKind::Object(object) => {
                self.items(["{", ", ", "}"], object.entries(), out, StringForm::java_entry);
            }
            _ => self.scalar("null", value, out),
        }
    }

    /// An entry of a map in Java's string form: `key=value`.
    pub fn java_entry(self, entry: &Entry, out: &mut Bounded) {
        out.push(&entry.key);
        out.push("=");
        self.java(&entry.value, out);
    }

    fn go(self, value: &Value, out: &mut Bounded) {
        match &value.kind {
            ValueKind::List(items) => self.items(["[", " ", "]"], items, out, StringForm::go),
            ValueKind::Object(object) => {
                let mut entries: Vec<&Entry> = object.entries().iter().collect();
                entries.sort_unstable_by(|a, b| a.key.cmp(&b.key));
                self.items(["map[", " ", "]"], &entries, out, |form, entry, out| {
                    out.push(&entry.key);
                    out.push(":");
                    form.go(&entry.value, out);
                });
            }
            _ => self.scalar("<nil>", value, out),
        }
    }

    fn javascript(self, value: &Value, out: &mut Bounded) {
        match &value.kind {
            ValueKind::List(items) => {
                self.items(["", ",", ""], items, out, |form, item, out| match item.is_null() {
                    true => {}
                    false => form.javascript(item, out),
                });
            }
            ValueKind::Object(_) => out.push("[object Object]"),
            _ => self.scalar("null", value, out),
        }
    }

    fn items<T>(
        self,
        [open, between, close]: [&str; 3],
        items: &[T],
        out: &mut Bounded,
        write: impl Fn(StringForm, &T, &mut Bounded),
    ) {
        out.push(open);
        for (index, item) in items.iter().enumerate() {
            out.push(if index > 0 { between } else { "" });
            write(self, item, out);
        }
        out.push(close);
    }

    fn scalar(self, null: &str, value: &Value, out: &mut Bounded) {
        match &value.kind {
            ValueKind::Null => out.push(null),
            ValueKind::Bool(value) => out.push(if *value { "true" } else { "false" }),
            ValueKind::Number(text) => out.push(&self.numbers.text(text)),
            _ => out.push(value.as_text().unwrap_or_default()),
        }
    }
}
