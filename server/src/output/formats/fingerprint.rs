//! What tells a problem from others, and stays the same while only other lines change.

use std::collections::HashMap;

use promptls_protocol::FileProblem;
use sha2::{Digest, Sha256};

/// Gives each problem a name. Of several that say the same in a file, the first is always the first.
#[derive(Default)]
pub struct Fingerprints<'p> {
    seen: HashMap<(&'p str, &'static str, &'p str), usize>,
}

impl<'p> Fingerprints<'p> {
    /// Hexadecimal digits.
    pub fn next(&mut self, problem: &'p FileProblem) -> String {
        let FileProblem { file, code, message, .. } = problem;
        let count = self.seen.entry((file, code, message)).or_default();
        *count += 1;
        let digest = Sha256::digest(format!("{file}\0{code}\0{message}\0{count}"));
        digest[..16].iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
    }
}
