//! Prompts in data, compared with real parsers: name, dialect, text, map and holes.

use promptls_hosts::{Language, find_in_data};

use crate::vectors::{expected, lines, written};

#[test]
fn data_is_read_as_by_its_parsers() {
    let mut counts = std::collections::BTreeMap::new();
    for case in lines("reading.jsonl").into_iter().chain(lines("braces.jsonl")) {
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
        let found: Vec<_> = found.iter().map(written).collect();
        assert_eq!(expected(&case), found, "{}", case["name"]);
    }
    let counts: Vec<_> = counts.iter().map(|(language, count)| (&**language, *count)).collect();
    assert_eq!(counts, [("json", 11), ("markdown", 4), ("toml", 7), ("yaml", 48)]);
}
