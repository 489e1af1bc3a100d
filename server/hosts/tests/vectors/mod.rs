//! The cases of `tests/vectors/hosts`.

use std::path::Path;

use promptls_hosts::HostPrompt;
use serde_json::{Value, json};

/// The cases of a file.
pub fn lines(name: &str) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/hosts");
    let text = std::fs::read_to_string(folder.join(name)).expect("the vectors");
    text.lines().map(|line| serde_json::from_str(line).expect("a case")).collect()
}

/// A prompt in the notation of the cases.
#[allow(dead_code)]
pub fn said_of(found: &HostPrompt) -> Value {
    let pieces = found.text.pieces().iter();
    let map: Vec<_> = pieces
        .map(|it| json!([it.text.start, it.text.end, it.source.start, it.source.end]))
        .collect();
    let holes: Vec<_> = found.text.holes().map(|hole| json!([hole.start, hole.end])).collect();
    let mut said = json!({
        "name": found.name,
        "dialect": found.dialect.spec().id,
        "text": found.text.text(),
        "map": map,
    });
    if !holes.is_empty() {
        said["holes"] = holes.into();
    }
    said
}
