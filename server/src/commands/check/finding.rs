//! The problems found by a check.

use std::path::PathBuf;

use promptls_protocol::FileProblem;
use promptls_resolver::{Code, Severity};

/// A problem, ready to be sorted and printed.
#[derive(Debug)]
pub struct Finding {
    /// The severity that its config gives it.
    pub severity: Severity,
    /// Whether a file was not read because of it, which may hide other problems.
    pub hides_others: bool,
    /// The file, absolute: its name in the report depends on the format.
    pub path: PathBuf,
    /// The problem and its place.
    pub problem: FileProblem,
    /// The excerpt of its file; empty if the format does not show it.
    pub excerpt: String,
}

impl Finding {
    /// Whether its file could not be read completely, whatever the severity.
    pub fn is_unread(&self) -> bool {
        Code::from_id(self.problem.code).is_some_and(Code::hides_others)
    }

    /// Whether it is about a prompt whose text only the running program has.
    pub fn is_computed(&self) -> bool {
        self.problem.code == Code::ComputedPrompt.id()
    }

    /// The sort key: file, position, code and message. Problems with equal keys are duplicates.
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
