//! Results for code, compared with those of the languages themselves for the same files.

use promptls_hosts::{Language, find};
use serde_json::Value;

use crate::vectors::{expected, lines, written};

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
    let mut counts = [0; READ.len()];
    let mut wrong = Vec::new();
    for case in lines("reading.jsonl").into_iter().chain(lines("braces.jsonl")) {
        let Some(place) = READ.iter().position(|(id, _)| case["language"] == *id) else { continue };
        counts[place] += 1;
        let source = case["source"].as_str().unwrap();
        let found = find(READ[place].1, source);
        let found: Vec<Value> = found.iter().map(written).collect();
        if expected(&case) != found {
            let expected = &case["prompts"];
            let found = Value::Array(found);
            wrong.push(format!("{}\n  expected {expected}\n  found    {found}", case["name"]));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts.iter().all(|count| *count > 0), "a language has no case");
}
