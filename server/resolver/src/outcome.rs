//! The result of a lookup: the replacement of a placeholder.

use crate::declarations::Fragment;
use crate::findings::problem::Location;
use crate::string_form::StringForm;
use crate::value::number;
use crate::value::{Entry, Value, ValueKind};

/// The result of a lookup.
#[derive(Clone, Debug)]
pub struct Lookup<'a> {
    /// The replacement of the placeholder.
    pub outcome: Outcome<'a>,
    /// The location of the value.
    pub location: Option<Location>,
    /// The reason why the replacement is unpredictable, if it is: `outcome` is then the best guess.
    pub unpredictable: Option<&'static str>,
}

/// The replacement of a placeholder.
#[derive(Clone, Debug)]
pub enum Outcome<'a> {
    /// A borrowed text, sent without quotes or escapes.
    Text(&'a str),
    /// A text composed of several values.
    Composed(String),
    /// The text of a number or a boolean that is not stored as a value.
    Scalar {
        /// The text to send, such as `7` or `True`.
        text: String,
        /// `true` if a condition on it holds.
        is_truthy: bool,
    },
    /// A value, in the string form of its dialect.
    Value(&'a Value, Form),
    /// The item of a loop over a map, sent as `key=value`.
    Entry(&'a Entry, Form),
    /// An empty text: the value is null or absent, and that is allowed.
    Empty,
    /// The placeholder in source form: the application supplies the value.
    Runtime,
    /// The resolved text of a fragment.
    Fragment(&'a Fragment),
    /// No value, or a null that the engine treats as missing.
    Missing,
    /// A value that the engine rejects.
    WrongType,
}

/// The string form of a value; see [`Lookup::text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form(pub(crate) StringForm);

impl Outcome<'_> {
    /// `true` if `{{#if}}` takes its branch, according to Agentle's document.
    pub fn is_truthy(&self) -> bool {
        match self {
            Outcome::Value(value, _) => match &value.kind {
                ValueKind::Null => false,
                ValueKind::Bool(value) => *value,
                ValueKind::Number(text) => !number::is_zero(text),
                ValueKind::String(text) => !text.is_empty(),
                ValueKind::File(_) => value.as_text().is_some_and(|text| !text.is_empty()),
                ValueKind::List(items) => !items.is_empty(),
                ValueKind::Object(object) => !object.is_empty(),
            },
            Outcome::Text(text) => !text.is_empty(),
            Outcome::Scalar { is_truthy, .. } => *is_truthy,
            Outcome::Entry(..) => true,
            _ => false,
        }
    }
}

impl<'a> Lookup<'a> {
    pub(crate) fn new(outcome: Outcome<'a>, location: Option<Location>) -> Self {
        Lookup { outcome, location, unpredictable: None }
    }

    /// Marks the result as unpredictable.
    pub(crate) fn unpredictable(self, why: &'static str) -> Self {
        Lookup { unpredictable: Some(why), ..self }
    }

    pub(crate) const MISSING: Lookup<'static> =
        Lookup { outcome: Outcome::Missing, location: None, unpredictable: None };

    /// The same without borrowed scalars.
    pub(crate) fn into_owned(self) -> Lookup<'static> {
        let outcome = match self.outcome {
            Outcome::Missing => Outcome::Missing,
            Outcome::Empty => Outcome::Empty,
            ref scalar => Outcome::Scalar {
                text: self.text(usize::MAX).unwrap_or_default(),
                is_truthy: scalar.is_truthy(),
            },
        };
        Lookup { outcome, ..self }
    }

    /// `true` if the engine has no replacement.
    pub fn is_missing(&self) -> bool {
        matches!(self.outcome, Outcome::Missing | Outcome::WrongType)
    }

    /// The replacement text, at most `max` bytes of it; `None` if there is none, or if it is that
    /// of a fragment.
    pub fn text(&self, max: usize) -> Option<String> {
        let mut out = crate::output::Bounded::cutting(max);
        match &self.outcome {
            Outcome::Text(text) => return Some(cut(text, max)),
            Outcome::Composed(text) | Outcome::Scalar { text, .. } => return Some(cut(text, max)),
            Outcome::Value(value, form) => form.0.write(value, &mut out),
            Outcome::Entry(entry, form) => form.0.java_entry(entry, &mut out),
            Outcome::Empty => {}
            Outcome::Runtime | Outcome::Fragment(_) | Outcome::Missing | Outcome::WrongType => {
                return None;
            }
        }
        Some(out.text)
    }
}

fn cut(text: &str, max: usize) -> String {
    text[..text.floor_char_boundary(max)].to_owned()
}
