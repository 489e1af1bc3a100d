//! Fingerprints, by which code scanning and code quality services recognize a problem.

use std::collections::HashMap;

use promptls_protocol::FileProblem;
use sha2::{Digest, Sha256};

use crate::output::problem_key::ProblemKey;

/// Computes the fingerprint of each problem. Problems with the same key are numbered in order.
#[derive(Default)]
pub struct Fingerprints {
    seen: HashMap<ProblemKey, usize>,
}

impl Fingerprints {
    /// The fingerprint of the next problem: 32 hexadecimal digits.
    pub fn next(&mut self, problem: &FileProblem) -> String {
        let key = ProblemKey::new(problem.file.clone(), problem);
        let ProblemKey { file, code, prompt, names } = &key;
        let prompt = prompt.as_deref().unwrap_or_default();
        let text = format!("{file}\0{code}\0{prompt}\0{}", names.join("\0"));
        let count = self.seen.entry(key).or_default();
        *count += 1;
        let digest = Sha256::digest(format!("{text}\0\0{count}"));
        digest[..16].iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
    }
}
