//! Diagnostics and hints that are specific to a dialect, beyond the facts in its table row.
//!
//! Each dialect has a value of [`Advice`] in a file of `dialects/`. Fields that it omits have
//! neutral defaults.

use promptls_resolver::ResolveContext;

use crate::diagnose::checker::Checker;
use crate::diagnose::hazards::{Hazard, InText};
use crate::near_miss::{NearMiss, Remark};
use crate::needs::Need;
use crate::snapshot::Snapshot;
use crate::symbol::PathStep;

/// The diagnostics and hints that are specific to a dialect.
pub(crate) struct Advice {
    /// The remark about literal braces that look like a placeholder; `None` for no remark.
    ///
    /// The braces must contain a known name, or be so similar to the dialect's syntax that nothing
    /// else is plausible. A false alarm is worse than a missed one.
    pub near_miss: fn(&NearMiss<'_>) -> Option<Remark>,
    /// The corrected text for a near miss; `None` if it is unknown.
    pub mended: fn(&NearMiss<'_>) -> Option<String>,
    /// The effect of a name that is syntax of another template language; `None` for other names.
    pub foreign_name: fn(&str) -> Option<&'static str>,
    /// Detects code around a placeholder that was not meant as one. The arguments are the text
    /// right before the placeholder, and its own text. `None` if the dialect ignores code.
    pub code_around: Option<fn(&str, &str) -> Option<CodeAround>>,
    /// Checks of values, if there are any inputs.
    pub check_values: fn(&mut Checker<'_>),
    /// Checks of names, with or without inputs.
    pub check_names: fn(&mut Checker<'_>),
    /// The known differences between its engines.
    pub hazards: &'static [Hazard],
    /// Text outside of placeholders that one of its engines acts on.
    pub in_text: Option<InText>,
    /// Inputs whose names the engine defines.
    pub outputs: Option<Outputs>,
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
pub(crate) struct Outputs {
    /// The names that a prompt may read, each with a short description or its value.
    pub names: fn(&Snapshot) -> Vec<(String, String)>,
    /// Replaces a step that stands for several keys by one key of the inputs.
    pub stand_in: fn(&Snapshot, &mut [PathStep]),
    /// The description of such a name, whether it is in the inputs or not; `None` for other names.
    pub about: fn(&str) -> Option<&'static str>,
    /// Another key of the inputs that is read together with a name.
    pub also_read: fn(&str) -> Option<&'static str>,
    /// Adds the needs of a path to those of all first names.
    pub need: fn(&mut Need, Vec<PathStep>),
    /// The keys of the values to edit for a path of more than one step.
    pub fields: fn(&[PathStep], &ResolveContext<'_>, &Need) -> Vec<Vec<String>>,
}

impl Advice {
    /// The advice for a dialect that only has near misses.
    pub const fn new(
        near_miss: fn(&NearMiss<'_>) -> Option<Remark>,
        mended: fn(&NearMiss<'_>) -> Option<String>,
    ) -> Advice {
        Advice {
            near_miss,
            mended,
            foreign_name: |_| None,
            code_around: None,
            check_values: |_| {},
            check_names: |_| {},
            hazards: &[],
            in_text: None,
            outputs: None,
        }
    }
}
