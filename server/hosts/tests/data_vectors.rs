//! Prompts in data, compared with real parsers: name, dialect, text, map and holes.

use promptls_hosts::{HostPrompt, Language, find_in_data};
use serde_json::{Value, json};

use crate::vectors::lines;

#[test]
fn data_is_read_as_by_its_parsers() {
    let mut counts = std::collections::BTreeMap::new();
    for case in lines("reading.jsonl") {
        let language = case["language"].as_str().unwrap();
        let read = match language {
            "yaml" => Language::Yaml,
            "json" => Language::Json,
            "toml" => Language::Toml,
            "markdown" => Language::Markdown,
            _ => continue,
        };
        *counts.entry(language.to_owned()).or_insert(0) += 1;
        let found = find_in_data(read, case["source"].as_str().unwrap(), &[]);
        let found: Vec<_> = found.iter().map(as_case).collect();
        assert_eq!(case["prompts"], Value::from(found), "{}", case["name"]);
    }
    let counts: Vec<_> = counts.iter().map(|(language, count)| (&**language, *count)).collect();
    assert_eq!(counts, [("json", 11), ("markdown", 4), ("toml", 7), ("yaml", 41)]);
}

/// A prompt in the notation of the cases.
fn as_case(found: &HostPrompt) -> Value {
    let pieces = found.text.pieces().iter();
    let map: Vec<_> = pieces
        .map(|it| json!([it.text.start, it.text.end, it.source.start, it.source.end]))
        .collect();
    let holes: Vec<_> = found.text.holes().map(|hole| json!([hole.start, hole.end])).collect();
    let mut case = json!({
        "name": found.name,
        "dialect": found.dialect.spec().id,
        "text": found.text.text(),
        "map": map,
    });
    if !holes.is_empty() {
        case["holes"] = holes.into();
    }
    case
}
