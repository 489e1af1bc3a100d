//! Which places of which frameworks take prompts: tables, a file per language.

mod frameworks;
mod java;
mod kotlin;
mod python;
mod row;

use crate::language::Language;
pub(crate) use row::{NamedBy, Parameter, Recogniser, Shape};

/// The recognisers of a language.
pub(crate) fn recognisers(language: Language) -> impl Iterator<Item = &'static Recogniser> {
    let tables: &[&'static [Recogniser]] = match language {
        Language::Java => &[java::RECOGNISERS],
        Language::Kotlin => &[kotlin::RECOGNISERS, java::RECOGNISERS],
        Language::Python => &[python::RECOGNISERS],
        _ => &[],
    };
    tables.iter().flat_map(|table| table.iter())
}
