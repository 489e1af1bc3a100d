//! What becomes of a prompt: a text, always, and what goes with it.

use std::collections::HashSet;
use std::ops::Range;

use crate::findings::code::Code;
use crate::findings::engine_error::EngineError;
use crate::findings::problem::{FileId, Problem};
use crate::source_map::SourceMap;

/// What became of a prompt.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Resolution {
    /// What the engine sends; where it would fail, what could be resolved, the rest as written.
    pub text: String,
    /// Where each byte of `text` came from.
    pub map: SourceMap,
    /// Each thing that went wrong on the way, in the order of the prompt.
    pub problems: Vec<Problem>,
    /// The error that the engine would raise.
    pub error: Option<EngineError>,
}

impl Resolution {
    /// The places of the placeholders that have no value.
    pub fn missing(&self) -> HashSet<&Range<usize>> {
        let is_missing = |problem: &&Problem| {
            problem.code == Code::UndefinedPlaceholder && problem.location.file == FileId::PROMPT
        };
        self.problems.iter().filter(is_missing).map(|problem| &problem.location.range).collect()
    }
}
