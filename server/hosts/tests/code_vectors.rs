//! Results for code, compared with those of the languages themselves for the same files.

use promptls_hosts::{HostPrompt, Language, PieceKind, find};
use serde_json::{Value, json};

/// The code languages, by the ids that the vectors contain.
const READ: [(&str, Language); 6] = [
    ("python", Language::Python),
    ("java", Language::Java),
    ("kotlin", Language::Kotlin),
    ("typescript", Language::TypeScript),
    ("javascript", Language::JavaScript),
    ("go", Language::Go),
];

#[test]
fn code_is_read_as_in_its_language() {
    let vectors = include_str!("../../../tests/vectors/hosts/reading.jsonl");
    let mut counts = [0; READ.len()];
    let mut wrong = Vec::new();
    for line in vectors.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let Some(place) = READ.iter().position(|(id, _)| case["language"] == *id) else { continue };
        counts[place] += 1;
        let source = case["source"].as_str().unwrap();
        let found = find(READ[place].1, source);
        let found: Vec<Value> = found.iter().map(written).collect();
        if case["prompts"] != Value::Array(found.clone()) {
            let expected = &case["prompts"];
            let found = Value::Array(found);
            wrong.push(format!("{}\n  expected {expected}\n  found    {found}", case["name"]));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts.iter().all(|count| *count > 0), "a language has no case");
}

/// A prompt in the notation of the vectors.
fn written(prompt: &HostPrompt) -> Value {
    let map = prompt.text.pieces().iter().map(|piece| {
        json!([piece.text.start, piece.text.end, piece.source.start, piece.source.end])
    });
    let mut written = json!({
        "name": prompt.name,
        "dialect": prompt.dialect.spec().id,
        "text": prompt.text.text(),
        "map": map.collect::<Vec<_>>(),
    });
    let is_hole = |kind| kind == PieceKind::Hole;
    let holes = prompt.text.pieces().iter().filter(|piece| is_hole(piece.kind));
    let holes: Vec<_> = holes.map(|hole| json!([hole.text.start, hole.text.end])).collect();
    if !holes.is_empty() {
        written["holes"] = Value::Array(holes);
    }
    written
}
