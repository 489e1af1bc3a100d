//! What a template is resolved with.

use promptls_syntax::Dialect;

use crate::declarations::Declarations;
use crate::path;
use crate::values::Values;
use crate::work::{BYTES_OF_A_STEP, MAX_STEPS};

/// The longest text we make unless told otherwise.
pub const DEFAULT_MAX_OUTPUT: usize = 16 << 20;

/// What a template is resolved with.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// The values of a case.
    pub values: &'a dyn Values,
    /// What is declared.
    pub declarations: &'a Declarations,
    /// Names that the application supplies at run time: their placeholders stay as written.
    pub runtime: &'a [String],
    /// The most bytes of output.
    pub max_output: usize,
}

impl<'a> Given<'a> {
    /// These values and declarations, and nothing out of the ordinary.
    pub fn new(values: &'a dyn Values, declarations: &'a Declarations) -> Self {
        Given { values, declarations, runtime: &[], max_output: DEFAULT_MAX_OUTPUT }
    }

    /// How many steps of loops and fragments are made: see [`MAX_STEPS`].
    pub fn max_steps(&self) -> usize {
        MAX_STEPS.max(self.max_output / BYTES_OF_A_STEP)
    }

    /// Whether the application supplies a name at run time, all of it or its first name.
    pub(crate) fn is_supplied(&self, dialect: Dialect, name: &str) -> bool {
        let is_it = |supplied: &String| supplied == name || supplied == path::root(dialect, name);
        self.runtime.iter().any(is_it)
    }
}
