//! What to say about prompts of a dialect, beyond what its row tells.
//!
//! Each dialect has a value of [`Advice`] in a file of `dialects/`. What is not said there is as
//! everybody would think.

use promptls_resolver::Given;

use crate::diagnose::checker::Checker;
use crate::diagnose::hazards::{Hazard, InText};
use crate::near_miss::{NearMiss, Remark};
use crate::needs::Need;
use crate::snapshot::Snapshot;
use crate::symbol::PathStep;

/// What to say about prompts of a dialect.
pub(crate) struct Advice {
    /// What to say about literal braces that look like a placeholder; `None` for silence.
    ///
    /// The braces must hold a known name, or come so near to the dialect's own shape that
    /// nothing else can be meant. A false alarm is worse than silence.
    pub near_miss: fn(&NearMiss<'_>) -> Option<Remark>,
    /// What is written right for a near miss; `None` where nobody can know.
    pub mended: fn(&NearMiss<'_>) -> Option<String>,
    /// What happens to a name that is syntax of another template language.
    pub foreign_name: fn(&str) -> Option<&'static str>,
    /// What kind of code a placeholder stands in that nobody meant as one, told by the text
    /// right before it, and its own; `None` where code is left alone.
    pub code_around: Option<fn(&str, &str) -> Option<CodeAround>>,
    /// Checks of values, where there are any inputs.
    pub check_values: fn(&mut Checker<'_>),
    /// Checks of names, with or without any inputs.
    pub check_names: fn(&mut Checker<'_>),
    /// What its engines differ in.
    pub hazards: &'static [Hazard],
    /// What one of its engines acts on outside of all placeholders.
    pub in_text: Option<InText>,
    /// What the engine names itself in the inputs.
    pub outputs: Option<Outputs>,
}

/// The code that a placeholder stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CodeAround {
    /// What it is, as in "this looks like ...".
    pub what: &'static str,
    /// The engines that leave such braces alone, if there are any.
    pub left_by: Option<&'static str>,
}

/// Inputs that other parts of the engine have made, and named.
pub(crate) struct Outputs {
    /// The names that a prompt may read of them, each with a few words or its value.
    pub names: fn(&Snapshot) -> Vec<(String, String)>,
    /// Puts a key of the inputs in the place of a step that stands for several.
    pub stand_in: fn(&Snapshot, &mut [PathStep]),
    /// What is known of such a name, be it in the inputs or not.
    pub about: fn(&str) -> Option<&'static str>,
    /// A further key of the inputs that is read with a name.
    pub also_read: fn(&str) -> Option<&'static str>,
    /// Takes note of what is needed at a path, starting from the needs of all first names.
    pub need: fn(&mut Need, Vec<PathStep>),
    /// The keys that lead to where the values of a path of more than one step are edited.
    pub fields: fn(&[PathStep], &Given<'_>, &Need) -> Vec<Vec<String>>,
}

impl Advice {
    /// For a dialect of which nothing is to be said but near misses.
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
