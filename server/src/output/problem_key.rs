//! The identity of a problem across runs, for baselines and fingerprints.
//!
//! It contains neither the message nor the place: both change with other cases, values, wording and
//! edits elsewhere in the file. Problems with the same key are distinguished by counting them.

use promptls_protocol::FileProblem;
use serde::{Deserialize, Serialize};

/// The code, the file, the prompt in it and the names in a problem.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProblemKey {
    /// Relative to a folder chosen by the caller.
    pub file: String,
    pub code: String,
    /// Missing if the file is the prompt, or if the problem is about the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

impl ProblemKey {
    /// The key of a problem in a file of this name.
    pub fn new(file: String, problem: &FileProblem) -> ProblemKey {
        let FileProblem { code, prompt, names, .. } = problem;
        ProblemKey { file, code: (*code).to_owned(), prompt: prompt.clone(), names: names.clone() }
    }
}
