//! The engines of PromptPack: PromptKit for Go, those for Python, and the one for JavaScript.

mod javascript;
mod promptkit;
mod python;
mod refusal;

pub(super) use javascript::LANGCHAIN as LANGCHAIN_JS;
pub(super) use promptkit::GO;
pub(super) use python::{CORE, LANGCHAIN};
