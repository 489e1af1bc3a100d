//! Prompts in data, compared with real parsers: name, dialect, text, map and holes.

mod vectors;

use promptls_hosts::{Language, find_in_data};
use vectors::{lines, said_of};

#[test]
fn data_read_as_their_parsers_do() {
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
        let found: Vec<_> = found.iter().map(said_of).collect();
        assert_eq!(case["prompts"], serde_json::Value::from(found), "{}", case["name"]);
    }
    let counts: Vec<_> = counts.iter().map(|(language, count)| (&**language, *count)).collect();
    assert_eq!(counts, [("json", 11), ("markdown", 4), ("toml", 7), ("yaml", 41)]);
}
