//! Diagnostics and hints that are specific to a dialect, beyond the facts in its table row.
//!
//! Each dialect has a static that implements [`Advice`] in a file of `dialects/`. Methods that it
//! does not override have neutral defaults.

use promptls_resolver::ResolveContext;

use crate::diagnose::checker::Checker;
use crate::diagnose::hazards::{Hazard, InText};
use crate::near_miss::{NearMiss, Remark};
use crate::needs::Need;
use crate::snapshot::Snapshot;
use crate::symbol::PathStep;

/// The diagnostics and hints that are specific to a dialect.
pub(crate) trait Advice: Sync {
    /// The remark about literal braces that look like a placeholder; `None` for no remark.
    ///
    /// The braces must contain a known name, or be so similar to the dialect's syntax that nothing
    /// else is plausible. A false alarm is worse than a missed one.
    fn near_miss(&self, found: &NearMiss<'_>) -> Option<Remark>;

    /// The corrected text for a near miss; `None` if it is unknown.
    fn correction(&self, found: &NearMiss<'_>) -> Option<String>;

    /// The effect of a name that is syntax of another template language; `None` for other names.
    fn foreign_name(&self, _name: &str) -> Option<&'static str> {
        None
    }

    /// `true` if the engine often takes code for placeholders, which [`Advice::code_around`]
    /// detects.
    fn finds_code(&self) -> bool {
        false
    }

    /// Detects code around a placeholder that was not meant as one, given the text right before the
    /// placeholder, and its own text.
    fn code_around(&self, _before: &str, _token: &str) -> Option<CodeAround> {
        None
    }

    /// Checks values, if there are any inputs.
    fn check_values(&self, _checker: &mut Checker<'_>) {}

    /// Checks names, with or without inputs.
    fn check_names(&self, _checker: &mut Checker<'_>) {}

    /// Runs after all other checks, and may remove what is uncertain.
    fn check_last(&self, _checker: &mut Checker<'_>) {}

    /// The known differences between its engines.
    fn hazards(&self) -> &'static [Hazard] {
        &[]
    }

    /// Text outside of placeholders that one of its engines acts on.
    fn in_text(&self) -> Option<&'static InText> {
        None
    }

    /// Inputs whose names the engine defines.
    fn outputs(&self) -> Option<&'static dyn Outputs> {
        None
    }
}

/// The kind of code around a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CodeAround {
    /// A noun phrase, as in "this looks like ...".
    pub what: &'static str,
    /// The engines that leave such braces unchanged, if there are any.
    pub left_by: Option<&'static str>,
}

/// Inputs that other parts of the engine create and name.
pub(crate) trait Outputs: Sync {
    /// The names that a prompt may read, each with a short description or its value.
    fn names(&self, snapshot: &Snapshot) -> Vec<(String, String)>;

    /// Replaces a step that stands for several keys by one key of the inputs.
    fn stand_in(&self, snapshot: &Snapshot, path: &mut [PathStep]);

    /// The description of such a name, whether it is in the inputs or not; `None` for other names.
    fn about(&self, name: &str) -> Option<&'static str>;

    /// Another key of the inputs that is read together with a name.
    fn also_read(&self, name: &str) -> Option<&'static str>;

    /// Adds the needs of a path to those of all first names.
    fn need(&self, root: &mut Need, path: Vec<PathStep>);

    /// The keys of the values to edit for a path of more than one step.
    fn fields(
        &self,
        path: &[PathStep],
        given: &ResolveContext<'_>,
        needs: &Need,
    ) -> Vec<Vec<String>>;
}
