//! Tables of the framework places that take prompts, one file per language.

mod go;
mod java;
mod kotlin;
mod langchain;
mod python;
mod script;
mod value_supply;

use super::recogniser::Recogniser;
use crate::language::Language;

pub(crate) use value_supply::{Calls, text_methods};
pub use value_supply::{Certainty, ValueSupply, value_supply};

/// The id of the engine that runs crews.
pub(crate) const CREWAI: &str = "crewai";

/// The recognisers of a language.
pub(crate) fn recognisers(language: Language) -> impl Iterator<Item = &'static Recogniser> {
    let tables: &[&'static [Recogniser]] = match language {
        Language::Go => &[go::RECOGNISERS],
        Language::Java => &[java::RECOGNISERS],
        // Hosts of both languages use each other, so a row has the same index for both.
        Language::Kotlin => &[java::RECOGNISERS, kotlin::RECOGNISERS],
        Language::Python => &[python::RECOGNISERS],
        Language::TypeScript | Language::Tsx | Language::JavaScript => &[script::RECOGNISERS],
        _ => &[],
    };
    tables.iter().flat_map(|table| table.iter())
}

/// Words of files that call or extend a class of another file that is one of a framework, or derives
/// from one, and so may not name the framework.
pub(crate) fn words_of_use(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &[
            "instruction=",
            "instruction =",
            "instruction: str",
            "\"instruction\"",
            "PromptTemplate",
            "backstory=",
            "expected_output=",
        ],
        Language::Java | Language::Kotlin => &[".instruction("],
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            &["instruction:", "instruction =", "PromptTemplate"]
        }
        _ => &[],
    }
}
