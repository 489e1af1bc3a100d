//! What a name has before a prompt is converted, and what of it goes with the prompt.

use std::sync::LazyLock;

use promptls_resolver::{Declarations, Given, Lookup, Outcome};
use serde_json::json;

use crate::snapshot::Snapshot;

/// The most bytes of a value that two engines are compared by.
pub(super) const MAX_COMPARED: usize = 1 << 20;

/// What a name has in a case.
pub(super) enum Had {
    /// A value of the inputs.
    Value,
    /// None, and the engine puts this there: JSON.
    PutThere(String),
    /// None.
    Nothing,
}

/// What a name has by the answer of its engine.
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

/// Whether its declarations go with it; those of packs stay where they are.
pub(super) fn declares_for_itself(snapshot: &Snapshot) -> bool {
    !snapshot.must_declare
}

/// What is given to the new prompt while its inputs are what they were.
pub(super) fn given_there<'g>(snapshot: &Snapshot, given: &Given<'g>) -> Given<'g> {
    static NOTHING: LazyLock<Declarations> = LazyLock::new(Declarations::default);
    match declares_for_itself(snapshot) {
        true => *given,
        false => Given { declarations: &NOTHING, ..*given },
    }
}
