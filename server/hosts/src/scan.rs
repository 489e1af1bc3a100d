//! Splits source code into tokens, one file per language.

mod cursor;
mod go;
mod java;
pub(crate) mod kotlin;
mod python;
pub(crate) mod script;

use crate::language::Language;
use crate::token::Scan;

pub(crate) use java::unicode_escape as java_unicode_escape;
pub(crate) use python::{Quotes as PythonQuotes, field_end as python_field_end};

/// The tokens of a source; `None` for data languages.
///
/// Cost: the length of the source, and no allocation except the list.
pub(crate) fn scan(language: Language, source: &str) -> Option<Scan> {
    match language {
        Language::Go => Some(go::scan(source)),
        Language::Java => Some(java::scan(source)),
        Language::Kotlin => Some(kotlin::scan(source)),
        Language::Python => Some(python::scan(source)),
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            Some(script::scan(language, source))
        }
        _ => None,
    }
}
