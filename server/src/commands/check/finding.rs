//! What a check has found.

use std::path::PathBuf;

use promptls_protocol::FileProblem;
use promptls_resolver::{Code, Severity};

/// A problem, ready to be sorted and printed.
#[derive(Debug)]
pub struct Finding {
    /// The severity that its config gives it.
    pub severity: Severity,
    /// Whether a file was not read because of it, so that others may hide there.
    pub hides_others: bool,
    /// The file, absolute: its name in the report depends on the format.
    pub path: PathBuf,
    /// What it says, and where.
    pub problem: FileProblem,
    /// With lines of its file; empty where the format does not show them.
    pub excerpt: String,
}

impl Finding {
    /// Whether its file could not be read, or not all of it, however severe that is.
    pub fn is_unread(&self) -> bool {
        Code::from_id(self.problem.code).is_some_and(Code::hides_others)
    }

    /// Problems sort by their places. Two that agree in all of this are one.
    fn key(&self) -> (&str, usize, usize, &str, &str) {
        let FileProblem { file, range, code, message, .. } = &self.problem;
        (file, range.start.byte, range.end.byte, code, message)
    }
}

impl PartialEq for Finding {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Finding {}

impl PartialOrd for Finding {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Finding {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}
