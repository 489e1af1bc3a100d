//! The resolution of a prompt: always a text, with findings.

use std::collections::HashSet;
use std::ops::Range;

use crate::findings::code::Code;
use crate::findings::engine_error::EngineError;
use crate::findings::problem::{FileId, Problem};
use crate::source_map::SourceMap;

/// The resolution of a prompt.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Resolution {
    /// The text that the engine sends; if it would fail, as far as resolved, the rest in source
    /// form.
    pub text: String,
    /// The origin of each byte of `text`.
    pub map: SourceMap,
    /// All problems of the resolution, in the order of the prompt.
    pub problems: Vec<Problem>,
    /// The error that the engine would raise.
    pub error: Option<EngineError>,
}

impl Resolution {
    /// The ranges of the placeholders without a value.
    pub fn missing(&self) -> HashSet<&Range<usize>> {
        let is_missing = |problem: &&Problem| {
            problem.code == Code::UndefinedPlaceholder && problem.location.file == FileId::PROMPT
        };
        self.problems.iter().filter(is_missing).map(|problem| &problem.location.range).collect()
    }
}
