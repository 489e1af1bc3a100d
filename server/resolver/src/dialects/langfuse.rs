//! Langfuse, as compiled by its Python SDK: exact keys; values in Python's string form.
//!
//! Engine: `TemplateParser.compile_template` of langfuse 5.0.4 for Python, which was executed for
//! the test cases. No document is as precise.

use promptls_syntax::Dialect;

use crate::behaviour::{Behaviour, Facts};
use crate::string_form::StringForm;

pub(crate) static DOCUMENTED: Langfuse = Langfuse::new();

/// An engine with exact keys, and values as Python prints them.
pub(crate) struct Langfuse {
    facts: Facts,
}

impl Langfuse {
    pub const fn new() -> Langfuse {
        Langfuse { facts: Facts { form: StringForm::PYTHON, ..Facts::plain(Dialect::Langfuse) } }
    }
}

impl Behaviour for Langfuse {
    fn facts(&self) -> &Facts {
        &self.facts
    }
}
