//! Agentle: paths into values; values in Java's string form, and null counts as missing.
//!
//! `blocks.rs` implements blocks.
//!
//! Document: "Prompt Management" of Agentle for Java, as of 2026-02-23, which decides. Engine:
//! `Prompt.compile` of agentle4j, 0.3.0 to 0.10.1, which supports less in nested blocks.

use promptls_syntax::Dialect;

use crate::behaviour::{Behaviour, Facts, Null};
use crate::findings::problem::FileId;
use crate::outcome::{Form, Lookup, Outcome};
use crate::path::{Step, steps};
use crate::resolve_context::ResolveContext;
use crate::string_form::StringForm;
use crate::value::Value;

pub(crate) static DOCUMENTED: Agentle = Agentle {
    facts: Facts { form: StringForm::JAVA, null: Null::Missing, ..Facts::plain(Dialect::Agentle) },
};

/// The engine that the document describes.
pub(crate) struct Agentle {
    facts: Facts,
}

impl Behaviour for Agentle {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn meaning<'a>(&self, name: &str, root_hash: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        let mut steps = steps(Dialect::Agentle, name);
        let Some(Step::Key(root)) = steps.next() else { return Lookup::MISSING };
        let found = given.values.get_hashed(root, root_hash);
        match found.and_then(|found| found.walk(steps)) {
            Some(found) => self.value_of(found, given.values.file()),
            None => Lookup::MISSING,
        }
    }

    fn value<'a>(&self, value: &'a Value, file: Option<FileId>) -> Lookup<'a> {
        let outcome = match value.is_null() {
            true => Outcome::Missing,
            // Not its text: blocks depend on the kind of the value.
            false => Outcome::Value(value, Form(self.facts.form)),
        };
        Lookup::new(outcome, value.location(file))
    }
}
