//! What a run of a template comes across.

use std::collections::HashSet;
use std::ops::Range;

use crate::findings::code::Code;
use crate::given::MAX_FRAGMENT_DEPTH;

/// A name that had no value where it was needed.
#[derive(Debug)]
pub(crate) struct MissingUse {
    pub name: String,
    pub source: Range<usize>,
}

/// A name of which one cannot tell what the engine puts in its place.
#[derive(Debug)]
pub(crate) struct UnpredictableUse {
    pub name: String,
    pub source: Range<usize>,
    pub why: &'static str,
}

/// A limit of the engine, or ours.
#[derive(Debug)]
pub(crate) struct Limit {
    pub source: Range<usize>,
    pub names: Vec<String>,
    pub code: Code,
    pub message: String,
    /// The same in the words of the engine, if it is one of its own.
    pub in_engine: Option<String>,
}

/// What a run came across.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub missing: Vec<MissingUse>,
    pub unpredictable: Vec<UnpredictableUse>,
    pub limit: Option<Limit>,
}

impl Found {
    pub fn is_clean(&self) -> bool {
        self.missing.is_empty() && self.limit.is_none()
    }

    /// The names that are missing, each once, in the order of first use.
    pub fn missing_names(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let names = self.missing.iter().map(|missing| &missing.name);
        names.filter(|name| seen.insert(*name)).cloned().collect()
    }
}

/// What is said of a name of which one cannot tell what the engine puts in its place.
pub fn unpredictable(name: &str, why: &str) -> String {
    format!("what is sent for `{name}` cannot be told: {why}")
}

/// The option that raises the limit, in the messages about it. Programs without a command line
/// replace it by their own.
pub const LIMIT_OPTION: &str = "--max-output";

/// What is said of a text that is longer than it may be.
pub(crate) fn too_long(max_output: usize) -> String {
    format!(
        "the resolved text is longer than {max_output} bytes; raise the limit with {LIMIT_OPTION}"
    )
}

/// What is said of a prompt that repeats too much.
pub fn too_much(max_steps: usize) -> String {
    format!(
        "loops and fragments repeat more than {max_steps} pieces; raise the limit with {LIMIT_OPTION}"
    )
}

/// What is said of fragments that are too deep inside each other.
pub fn fragments_too_deep() -> String {
    format!("more than {MAX_FRAGMENT_DEPTH} fragments inside each other")
}
