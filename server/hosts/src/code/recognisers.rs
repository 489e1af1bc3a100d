//! Tables of the framework places that take prompts, one file per language.

mod go;
mod java;
mod kotlin;
mod python;
mod script;
mod value_supply;

use super::recogniser::Recogniser;
use crate::language::Language;

pub(crate) use value_supply::Calls;
pub use value_supply::{ValueSupply, value_supply};

/// The recognisers of a language.
pub(crate) fn recognisers(language: Language) -> impl Iterator<Item = &'static Recogniser> {
    let tables: &[&'static [Recogniser]] = match language {
        Language::Go => &[go::RECOGNISERS],
        Language::Java => &[java::RECOGNISERS],
        Language::Kotlin => &[kotlin::RECOGNISERS, java::RECOGNISERS],
        Language::Python => &[python::RECOGNISERS],
        Language::TypeScript | Language::Tsx | Language::JavaScript => &[script::RECOGNISERS],
        _ => &[],
    };
    tables.iter().flat_map(|table| table.iter())
}
