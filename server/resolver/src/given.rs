//! What a template is resolved with.

use promptls_syntax::Dialect;

use crate::declarations::Declarations;
use crate::path;
use crate::values::Values;

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

    /// Whether the application supplies a name at run time, all of it or its first name.
    pub(crate) fn is_supplied(&self, dialect: Dialect, name: &str) -> bool {
        let is_it = |supplied: &String| supplied == name || supplied == path::root(dialect, name);
        self.runtime.iter().any(is_it)
    }
}
