//! Langfuse, as compiled by its Python SDK: exact keys; values in Python's string form.
//!
//! Engine: `TemplateParser.compile_template` of langfuse 5.0.4 for Python, which was executed for
//! the test cases. No document is as precise.

use promptls_syntax::Dialect;

use crate::behaviour::Behaviour;
use crate::string_form::StringForm;

pub(crate) static DOCUMENTED: Behaviour =
    Behaviour { form: StringForm::PYTHON, ..Behaviour::plain(Dialect::Langfuse) };
