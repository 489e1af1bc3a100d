//! Problems of a prompt or one of its sidecars.

use std::fmt;
use std::ops::Range;

use crate::findings::code::{Code, Severity};

/// A file of a prompt: an index into a list of the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

impl FileId {
    /// The id of the prompt itself, which is always first.
    pub const PROMPT: FileId = FileId(0);
}

/// A range in one of the files of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file, as an index into the caller's list.
    pub file: FileId,
    /// The byte range in the text of that file.
    pub range: Range<usize>,
}

/// A related location that helps to understand a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The range to show, possibly in another file than the problem.
    pub location: Location,
    /// A description of that location.
    pub message: String,
}

/// A problem of a prompt or a sidecar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of the problem.
    pub code: Code,
    /// The default severity of the code, unless `promptls.toml` overrides it.
    pub severity: Severity,
    /// The location at which it is shown.
    pub location: Location,
    /// One sentence without a full stop, with the names in backticks.
    pub message: String,
    /// The names that it is about.
    pub names: Vec<String>,
    /// Locations that explain the problem, such as the first declaration of a name.
    pub related: Vec<Related>,
}

impl Problem {
    /// Creates a problem with the default severity, without names or related locations.
    pub fn new(code: Code, location: Location, message: impl Into<String>) -> Self {
        Problem {
            code,
            severity: code.severity(),
            location,
            message: message.into(),
            names: Vec::new(),
            related: Vec::new(),
        }
    }

    /// Adds a name to the problem.
    pub fn about(mut self, name: impl Into<String>) -> Self {
        self.names.push(name.into());
        self
    }
}

/// Displays ``error: `name` has no value [undefined-placeholder]``; the caller adds the position,
/// which requires the texts.
impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {} [{}]", self.severity, self.message, self.code)
    }
}
