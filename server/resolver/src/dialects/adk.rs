//! Google ADK: the exact key; a value in Java's string form.

use crate::engine_error::{EngineError, ErrorKind};
use crate::lookup::{Lookup, Outcome};
use crate::problem::Location;
use crate::resolve::{Given, MissingUse};
use crate::string_form::StringForm;

pub(crate) fn lookup<'a>(name: &str, root_hash: u64, given: &Given<'a>) -> Lookup<'a> {
    let inputs = given.inputs;
    match inputs.root.get_hashed(name, || root_hash) {
        Some(entry) if entry.value.is_null() => {
            let location = Location { file: inputs.file, range: entry.value.span.range() };
            Lookup::new(Outcome::Empty, Some(location))
        }
        Some(entry) => Lookup::value(&entry.value, StringForm::Java, inputs.file),
        None => Lookup::MISSING,
    }
}

/// The engine stops at the first name that is missing.
pub(crate) fn error(first: &MissingUse) -> EngineError {
    let message = match first.name.strip_prefix("artifact.") {
        Some(artifact) => format!("Artifact {artifact} not found"),
        None => format!("Context variable not found: {}", first.name),
    };
    EngineError { kind: ErrorKind::Missing, names: vec![first.name.clone()], message }
}
