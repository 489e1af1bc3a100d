//! What an engine does in a way of its own, beyond the row of its dialect.
//!
//! Each engine is a value of [`Engine`] in a file of `dialects/`. What is not said there is as
//! everybody would think: a name is a key of the inputs, and each placeholder is replaced by
//! itself.

use std::borrow::Cow;

use promptls_syntax::Dialect;

use crate::engine_error::EngineError;
use crate::found::Found;
use crate::given::Given;
use crate::outcome::{Lookup, Outcome};
use crate::output::Bounded;
use crate::problem::{FileId, Problem};
use crate::resolution::Resolution;
use crate::string_form::StringForm;
use crate::template::Template;
use crate::value::Value;
use crate::values::ValueRef;

/// What an engine does in a way of its own.
pub(crate) struct Engine {
    /// What a value comes to, and where it is written in its file, if it has one.
    pub value: for<'a> fn(&'a Value, Option<FileId>) -> Lookup<'a>,
    /// What a name means, with the [`key_hash`](crate::key_hash) of its first key; `None` where
    /// it means the value of the key.
    pub lookup: Option<for<'a> fn(&str, u64, &Given<'a>) -> Lookup<'a>>,
    /// The name that is looked up for what stands between the braces; `None` where it is that.
    pub effective_name: Option<fn(&str) -> Cow<'_, str>>,
    /// What is to be said once all placeholders are known; `None` where a name alone is never
    /// an error.
    pub verdict: Option<fn(&Template<'_>, &Given<'_>, &Found) -> Verdict>,
    /// How it resolves, where not placeholder by placeholder.
    pub way: Option<Way>,
    /// Whether it raises an error for a prompt or inputs that are null, where others make null
    /// of the prompt, and read no inputs as empty ones.
    pub refuses_null: bool,
}

/// What an engine says about a prompt and its inputs.
#[derive(Default)]
pub(crate) struct Verdict {
    /// Problems besides those with placeholders.
    pub problems: Vec<Problem>,
    /// The error that it raises.
    pub error: Option<EngineError>,
}

/// A way to resolve, as [`Template::resolve`] and [`Template::render`].
pub(crate) struct Way {
    pub resolve: fn(&Template<'_>, &Given<'_>) -> Resolution,
    pub render: fn(&Template<'_>, &Given<'_>, Bounded) -> Result<String, EngineError>,
}

impl Engine {
    /// An engine that does nothing out of the ordinary, and writes values as JSON.
    pub const PLAIN: Engine = Engine {
        value: |value, file| Lookup::value_or_empty(value, StringForm::Json, file),
        lookup: None,
        effective_name: None,
        verdict: None,
        way: None,
        refuses_null: false,
    };

    /// What a name means outside of all loops; `root_hash` is the
    /// [`key_hash`](crate::key_hash) of its first key.
    pub fn look_up<'a>(
        &self,
        dialect: Dialect,
        name: &str,
        root_hash: u64,
        given: &Given<'a>,
    ) -> Lookup<'a> {
        let found = match self.lookup {
            Some(lookup) => lookup(name, root_hash, given),
            None => match given.values.get_hashed(name, root_hash) {
                Some(found) => self.value_of(found, given.values.file()),
                None => Lookup::MISSING,
            },
        };
        if found.is_missing() && given.is_supplied(dialect, name) {
            return Lookup::new(Outcome::Runtime, None);
        }
        found
    }

    /// What a value comes to that may be a caller's own.
    pub fn value_of<'a>(&self, found: ValueRef<'a>, file: Option<FileId>) -> Lookup<'a> {
        match found {
            ValueRef::Value(value) => (self.value)(value, file),
            ValueRef::Text(text) => Lookup::new(Outcome::Text(text), None),
            scalar => (self.value)(&scalar.to_value(), None).into_owned(),
        }
    }
}
