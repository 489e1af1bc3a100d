//! The values of names before a conversion, and the part of them that is converted.

use std::sync::LazyLock;

use promptls_resolver::{Declarations, Lookup, Outcome, ResolveContext};
use serde_json::json;

use crate::snapshot::Snapshot;

/// The maximum number of bytes of a value that are compared between two engines.
pub(super) const MAX_COMPARED: usize = 1 << 20;

/// The value of a name in a case.
pub(super) enum Had {
    /// A value of the inputs.
    Value,
    /// No value, and the engine inserts this instead: JSON.
    PutThere(String),
    /// No value, and nothing is inserted.
    Nothing,
}

/// Determines the value of a name from a lookup of its engine.
pub(super) fn had(snapshot: &Snapshot, found: &Lookup<'_>, optional: bool) -> Had {
    let text = |text: &str| Had::PutThere(json!(text).to_string());
    let is_declared = found.location.as_ref().is_some_and(|location| {
        location.file == snapshot.declarations.file
            && snapshot.cases.iter().all(|case| case.inputs.file != location.file)
    });
    match &found.outcome {
        Outcome::Missing if optional => text(""),
        Outcome::Missing | Outcome::Runtime | Outcome::Fragment(_) => Had::Nothing,
        Outcome::Empty => text(""),
        Outcome::Value(value, _) if is_declared => Had::PutThere(value.to_json()),
        Outcome::Text(value) if is_declared => text(value),
        _ => Had::Value,
    }
}

/// Returns whether the declarations are converted with the prompt; those of packs are not.
pub(super) fn declares_for_itself(snapshot: &Snapshot) -> bool {
    !snapshot.must_declare
}

/// The values for the converted prompt while its inputs are unchanged.
pub(super) fn given_there<'g>(
    snapshot: &Snapshot,
    given: &ResolveContext<'g>,
) -> ResolveContext<'g> {
    static NOTHING: LazyLock<Declarations> = LazyLock::new(Declarations::default);
    match declares_for_itself(snapshot) {
        true => *given,
        false => ResolveContext { declarations: &NOTHING, ..*given },
    }
}
