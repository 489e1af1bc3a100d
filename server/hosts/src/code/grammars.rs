//! The expression syntax of languages as data, one file per language.

mod go;
mod java;
mod kotlin;
mod python;
mod script;

use super::grammar::Grammar;
use crate::language::Language;

/// The grammar of a language. Languages that are not code use that of Python, and have no tokens.
pub(crate) fn grammar(language: Language) -> &'static Grammar {
    match language {
        Language::Go => &go::GO,
        Language::Java => &java::JAVA,
        Language::Kotlin => &kotlin::KOTLIN,
        Language::TypeScript | Language::Tsx | Language::JavaScript => &script::SCRIPT,
        _ => &python::PYTHON,
    }
}
