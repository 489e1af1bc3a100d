//! The answer for a name: what the engine puts in the place of a placeholder.

use crate::declarations::Fragment;
use crate::findings::problem::Location;
use crate::string_form::StringForm;
use crate::value::number;
use crate::value::{Entry, Value, ValueKind};

/// The answer for a name.
#[derive(Clone, Debug)]
pub struct Lookup<'a> {
    /// What the engine puts in its place.
    pub outcome: Outcome<'a>,
    /// Where the value is written.
    pub location: Option<Location>,
    /// Why one cannot tell what the engine puts there, if so: `outcome` is the best guess.
    pub unpredictable: Option<&'static str>,
}

/// What an engine puts in the place of a placeholder.
#[derive(Clone, Debug)]
pub enum Outcome<'a> {
    /// This text.
    Text(&'a str),
    /// This text, made from several values.
    Composed(String),
    /// The text of a number or a truth that nobody keeps.
    Scalar {
        /// What is written.
        text: String,
        /// Whether a condition holds on it.
        is_truthy: bool,
    },
    /// This value, in its dialect's string form.
    Value(&'a Value, Form),
    /// This entry of a map, `key=value`.
    Entry(&'a Entry, Form),
    /// Nothing: the value is null or absent, and that is fine.
    Empty,
    /// The placeholder as it is written: the application supplies the value.
    Runtime,
    /// The text of this fragment, resolved in its turn.
    Fragment(&'a Fragment),
    /// There is no value.
    Missing,
    /// There is a value which the engine cannot take.
    WrongType,
}

/// How a value is written out; see [`Lookup::text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form(pub(crate) StringForm);

impl Outcome<'_> {
    /// Whether `{{#if}}` takes its branch, as Agentle's document says.
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

    /// The same, but one cannot tell for sure.
    pub(crate) fn unpredictable(self, why: &'static str) -> Self {
        Lookup { unpredictable: Some(why), ..self }
    }

    pub(crate) const MISSING: Lookup<'static> =
        Lookup { outcome: Outcome::Missing, location: None, unpredictable: None };

    /// The same without what a scalar is borrowed from.
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

    /// Whether the engine has nothing to put here.
    pub fn is_missing(&self) -> bool {
        matches!(self.outcome, Outcome::Missing | Outcome::WrongType)
    }

    /// The text in the place of the placeholder, at most `max` bytes of it; `None` where there
    /// is none, or where it is that of a fragment.
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
