//! What languages write differently, as far as expressions need it: data, a file per language.

mod go;
mod java;
mod kotlin;
mod python;
mod row;
mod script;

use crate::language::Language;
pub(crate) use row::{Does, Function, Grammar, Members};

impl Grammar {
    /// That of a language. Those whose code is not read have the one of Python, and no tokens.
    pub fn of(language: Language) -> &'static Grammar {
        match language {
            Language::Go => &go::GO,
            Language::Java => &java::JAVA,
            Language::Kotlin => &kotlin::KOTLIN,
            Language::TypeScript | Language::Tsx | Language::JavaScript => &script::SCRIPT,
            _ => &python::PYTHON,
        }
    }
}
