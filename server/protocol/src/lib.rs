//! What promptls says to programs: the objects of `--format json`, apart from how they are printed.
//!
//! The answer to `promptls/preview` is the same object, with the columns that the
//! editor asked for.

use promptls_resolver::{EngineError, Via, ViaStep};
use serde::Serialize;

/// What became of a prompt: the object of `promptls resolve --format json`.
#[derive(Clone, Debug, Serialize)]
pub struct ResolveReport {
    /// The id of the dialect it was read as.
    pub dialect: &'static str,
    /// The case; `None` where there is none.
    pub case: Option<String>,
    /// What the engine sends; where it would fail, what could be resolved, the rest as written.
    pub text: String,
    /// What the engine would say instead.
    pub error: Option<ErrorReport>,
    /// What is wrong.
    pub problems: Vec<ProblemReport>,
    /// Where each byte of the text came from.
    pub map: Vec<RunReport>,
    /// The root names that the prompt uses, sorted.
    pub names: Vec<String>,
}

/// The error that the engine would raise.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorReport {
    /// `missing`, `type`, `validation` or `limit`.
    pub kind: &'static str,
    /// The names it is about, in the engine's order.
    pub names: Vec<String>,
    /// In the engine's words where they are known.
    pub message: String,
}

/// A problem of a prompt or of a file that belongs to it.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemReport {
    /// Its code, as `promptls explain` takes it.
    pub code: &'static str,
    /// `error`, `warning`, `info` or `hint`.
    pub severity: &'static str,
    /// One sentence.
    pub message: String,
    /// The names it is about.
    pub names: Vec<String>,
    /// The file.
    pub file: String,
    /// Where in the file.
    pub range: RangeReport,
    /// Other places that belong to it.
    pub related: Vec<RelatedReport>,
}

/// A place that helps to understand a problem.
#[derive(Clone, Debug, Serialize)]
pub struct RelatedReport {
    /// The file.
    pub file: String,
    /// Where in the file.
    pub range: RangeReport,
    /// What is to be seen there.
    pub message: String,
}

/// A piece of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RangeReport {
    /// Its first character.
    pub start: PlaceReport,
    /// The one behind its last.
    pub end: PlaceReport,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlaceReport {
    /// From 0.
    pub line: usize,
    /// From 0; UTF-16 units, unless an editor asked for others.
    pub character: usize,
    /// From the start of the file, from 0.
    pub byte: usize,
}

/// A piece of output with one origin, in bytes.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// The bytes of the text.
    pub output: [usize; 2],
    /// `literal`, `value`, `escape` or `mixed`.
    pub kind: &'static str,
    /// The bytes of the prompt.
    pub source: [usize; 2],
    /// The name or path of the placeholder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The file in which the value is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The bytes of that file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<[usize; 2]>,
    /// The fragments and loops it came through, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<ViaReport>,
    /// What a mixed piece was built from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<RunReport>,
}

/// A fragment or a loop item that output came through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ViaReport {
    /// A fragment, by its name.
    Fragment {
        /// Its name.
        fragment: String,
    },
    /// An item of a loop.
    Each {
        /// The path in the header of the loop.
        each: String,
        /// Which item, from 0.
        item: usize,
    },
}

/// How much text it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// In UTF-8.
    pub bytes: usize,
    /// Unicode's, not what people may see as one.
    pub characters: usize,
    /// What stands between blanks.
    pub words: usize,
    /// The last one need not end.
    pub lines: usize,
}

impl Stats {
    /// Of a text.
    pub fn of(text: &str) -> Stats {
        Stats {
            bytes: text.len(),
            characters: text.chars().count(),
            words: text.split_whitespace().count(),
            lines: text.lines().count(),
        }
    }
}

impl From<EngineError> for ErrorReport {
    fn from(error: EngineError) -> Self {
        ErrorReport { kind: error.kind.id(), names: error.names, message: error.message }
    }
}

/// The fragments and loops that a run came through, outermost first.
pub fn via_reports(via: &Via) -> Vec<ViaReport> {
    let report = |step: &ViaStep| match step {
        ViaStep::Fragment(fragment) => ViaReport::Fragment { fragment: fragment.to_string() },
        ViaStep::Each { path, item } => ViaReport::Each { each: path.to_string(), item: *item },
    };
    via.steps().into_iter().map(report).collect()
}
