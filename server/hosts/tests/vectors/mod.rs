//! The cases of `tests/vectors/hosts`.

use std::path::Path;

use serde_json::Value;

/// The cases of a file.
pub fn lines(name: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/hosts");
    let text = std::fs::read_to_string(folder.join(name)).expect("the vectors");
    text.lines().map(|line| serde_json::from_str(line).expect("a case")).collect()
}
