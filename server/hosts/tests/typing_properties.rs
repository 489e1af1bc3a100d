//! Letters typed in a prompt, compared with parsing the whole file.

use promptls_hosts::{Finds, Language, Typed, find_with, typed};
use serde_json::Value;

const READ: [(&str, Language); 6] = [
    ("python", Language::Python),
    ("java", Language::Java),
    ("kotlin", Language::Kotlin),
    ("typescript", Language::TypeScript),
    ("javascript", Language::JavaScript),
    ("go", Language::Go),
];

/// After each letter of each vector, another one is inserted, and each letter is removed and
/// replaced.
#[test]
fn followed_edits_equal_a_new_scan() {
    let vectors = include_str!("../../../tests/vectors/hosts/reading.jsonl");
    let mut followed = 0;
    for line in vectors.lines() {
        let case: Value = serde_json::from_str(line).expect("a case");
        let language = READ.iter().find(|(id, _)| case["language"] == *id);
        let Some((_, language)) = language else { continue };
        let source = case["source"].as_str().expect("a text");
        let read = |source: &str| {
            let Finds { prompts, chats, computed, .. } = find_with(*language, source, &[], &[]);
            Typed { prompts, chats, computed }
        };
        let Typed { prompts, chats, computed } = read(source);
        if prompts.is_empty() {
            continue;
        }
        for (at, char) in source.char_indices() {
            let end = at + char.len_utf8();
            for (range, text) in [(end..end, "k"), (end..end, "7"), (at..end, ""), (at..end, "n")] {
                let mut now = source.to_owned();
                now.replace_range(range, text);
                if let Some(typed) = typed(&prompts, &chats, &computed, source, &now) {
                    followed += 1;
                    assert_eq!(typed, read(&now), "{}: {now}", case["name"]);
                }
            }
        }
    }
    assert!(followed > 1000, "only {followed} were followed");
}
