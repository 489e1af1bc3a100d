//! Langfuse, as its Python SDK compiles a prompt: the exact key; a value in Python's string form.
//!
//! Engine: `TemplateParser.compile_template` of langfuse 5.0.4 for Python, which was run for our
//! cases. No document says as much.

use promptls_syntax::Dialect;

use crate::behaviour::Behaviour;
use crate::string_form::StringForm;

pub(crate) static DOCUMENTED: Behaviour =
    Behaviour { form: StringForm::PYTHON, ..Behaviour::plain(Dialect::Langfuse) };
