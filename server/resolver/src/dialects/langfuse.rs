//! Langfuse, as its Python SDK compiles a prompt: the exact key; a value in Python's string form.
//!
//! Engine: `TemplateParser.compile_template` of langfuse 5.0.4 for Python, which was run for our
//! cases. No document says as much.

use crate::engine::Engine;
use crate::outcome::Lookup;
use crate::string_form::StringForm;

pub(crate) const ENGINE: Engine = Engine {
    value: |value, file| Lookup::value_or_empty(value, StringForm::Python, file),
    ..Engine::PLAIN
};
