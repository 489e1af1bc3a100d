//! What we report about a prompt or one of its sidecars.

use std::fmt;
use std::ops::Range;

use crate::findings::code::{Code, Severity};

/// One of the files that make up a prompt: an index into a list which the caller keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

impl FileId {
    /// The prompt itself is always first.
    pub const PROMPT: FileId = FileId(0);
}

/// A place in one of the files that make up a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Which of the files.
    pub file: FileId,
    /// The bytes in it.
    pub range: Range<usize>,
}

/// Another place that helps to understand a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub location: Location,
    /// What is to be seen there.
    pub message: String,
}

/// Something wrong with a prompt or a sidecar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of problem.
    pub code: Code,
    /// The severity here.
    pub severity: Severity,
    /// Where it is shown.
    pub location: Location,
    /// One sentence without a full stop, with the names in backticks.
    pub message: String,
    /// The names it is about.
    pub names: Vec<String>,
    /// Other places that belong to it.
    pub related: Vec<Related>,
}

impl Problem {
    /// A problem of the code's own severity, without names or related places.
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

    /// The same problem about this name.
    pub fn about(mut self, name: impl Into<String>) -> Self {
        self.names.push(name.into());
        self
    }
}

/// `error: \`name\` has no value [undefined-placeholder]`; where it is, is for those to say who know
/// the texts.
impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {} [{}]", self.severity, self.message, self.code)
    }
}
