//! Findings of a run of a template.

use std::collections::HashSet;
use std::ops::Range;

use crate::findings::code::Code;
use crate::resolve_context::MAX_FRAGMENT_DEPTH;

/// A name without a value where it is required.
#[derive(Debug)]
pub(crate) struct MissingUse {
    pub name: String,
    pub source: Range<usize>,
}

/// A name whose replacement is unpredictable.
#[derive(Debug)]
pub(crate) struct UnpredictableUse {
    pub name: String,
    pub source: Range<usize>,
    pub why: &'static str,
}

/// A limit of the engine, or of promptls.
#[derive(Debug)]
pub(crate) struct Limit {
    pub source: Range<usize>,
    pub names: Vec<String>,
    pub code: Code,
    pub message: String,
    /// The message of the engine; `None` for a limit of promptls.
    pub in_engine: Option<String>,
}

/// The findings of a run.
#[derive(Debug, Default)]
pub(crate) struct RunFindings {
    pub missing: Vec<MissingUse>,
    pub unpredictable: Vec<UnpredictableUse>,
    pub limit: Option<Limit>,
}

impl RunFindings {
    pub fn is_clean(&self) -> bool {
        self.missing.is_empty() && self.limit.is_none()
    }

    /// The missing names, each once, in the order of first use.
    pub fn missing_names(&self) -> Vec<String> {
        let mut seen = HashSet::new();
        let names = self.missing.iter().map(|missing| &missing.name);
        names.filter(|name| seen.insert(*name)).cloned().collect()
    }
}

/// The message for a name whose replacement is unpredictable.
pub fn unpredictable(name: &str, why: &str) -> String {
    format!("the text that is sent for `{name}` is not predictable: {why}")
}

/// The option that raises the limit, as messages name it. Programs without a command line replace
/// it by their own setting.
pub const LIMIT_OPTION: &str = "--max-output";

/// The message for a text that exceeds the maximum length.
pub(crate) fn too_long(max_output: usize) -> String {
    format!(
        "the resolved text is longer than {max_output} bytes; raise the limit with {LIMIT_OPTION}"
    )
}

/// The message for a prompt that exceeds the maximum number of steps.
pub fn too_much(max_steps: usize) -> String {
    format!(
        "loops and fragments produce more than {max_steps} pieces; raise the limit with {LIMIT_OPTION}"
    )
}

/// The message for fragments that are nested too deeply.
pub fn fragments_too_deep() -> String {
    format!("more than {MAX_FRAGMENT_DEPTH} nested fragments")
}
