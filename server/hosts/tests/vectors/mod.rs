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

/// The prompts of a case. A case names an engine only if the language does not decide it, or if it
/// is the documented one.
pub fn expected(case: &Value) -> Vec<Value> {
    let mut prompts = case["prompts"].as_array().cloned().unwrap_or_default();
    for prompt in &mut prompts {
        if prompt["engine"] == "python-format" {
            prompt.as_object_mut().map(|prompt| prompt.remove("engine"));
        }
    }
    prompts
}

/// A prompt in the notation of the cases.
pub fn written(prompt: &HostPrompt) -> Value {
    let pieces = prompt.text.pieces().iter();
    let map: Vec<_> = pieces
        .map(|it| json!([it.text.start, it.text.end, it.source.start, it.source.end]))
        .collect();
    let mut written = json!({
        "name": prompt.name,
        "dialect": prompt.dialect.spec().id,
        "text": prompt.text.text(),
        "map": map,
    });
    let holes: Vec<_> = prompt.text.holes().map(|hole| json!([hole.start, hole.end])).collect();
    if !holes.is_empty() {
        written["holes"] = holes.into();
    }
    if let Some(engine) = prompt.engine {
        written["engine"] = engine.id.into();
    }
    written
}
