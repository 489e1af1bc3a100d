//! All supported engines, in each of their versions.

pub(crate) mod adk;
mod agentensemble;
mod agentle;
mod crewai;
mod langchain;
mod langfuse;
mod llamaindex;
mod profile;
mod promptpack;
mod python_format;
mod reference;
#[cfg(test)]
mod tests;

pub use adk::{first_field_of_node, is_in_every_object};
pub use profile::{Language, Profile, ReservedEngine, Version};
pub use reference::{EngineRef, Unusable};

/// All of them, by dialect.
pub static ENGINES: &[&Profile] = &[
    &adk::PYTHON,
    &adk::JAVA,
    &adk::KOTLIN,
    &adk::GO,
    &adk::JAVASCRIPT,
    &agentensemble::JAVA,
    &agentle::agentle4j::JAVA,
    &agentle::agentle_python::PYTHON,
    &promptpack::GO,
    &promptpack::LANGCHAIN,
    &promptpack::CORE,
    &promptpack::LANGCHAIN_JS,
    &langfuse::PYTHON,
    &python_format::PYTHON,
    &langchain::PYTHON,
    &langchain::FORMAT,
    &langchain::JAVASCRIPT,
    &llamaindex::PYTHON,
    &crewai::PYTHON,
];

/// Existing engines without a profile.
pub static RESERVED: &[&ReservedEngine] =
    &[&adk::PYTHON_JINJA2, &langfuse::CHEVRON, &langfuse::JAVASCRIPT];
