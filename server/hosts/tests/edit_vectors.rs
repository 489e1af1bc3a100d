//! Edits of prompts in their source, with results that real languages have executed.

use crate::vectors::lines;
use promptls_hosts::{Language, edit, find, find_in_data};

/// The language of a case; `None` for unsupported ones.
fn language(id: &str) -> Option<Language> {
    Some(match id {
        "python" => Language::Python,
        "java" => Language::Java,
        "kotlin" => Language::Kotlin,
        "typescript" => Language::TypeScript,
        "javascript" => Language::JavaScript,
        "go" => Language::Go,
        "yaml" => Language::Yaml,
        "json" => Language::Json,
        "toml" => Language::Toml,
        "markdown" => Language::Markdown,
        _ => return None,
    })
}

/// A case for which the vectors have no result. There is one: an empty line is a line end there.
const FOLDED: &str = "yaml/folded: 'two' to '2\\n3'";
const FOLDED_RESULT: &str = "# yaml-language-server: $schema=https://raw.githubusercontent.com/google/adk-python/main/src/google/adk/agents/config_schemas/AgentConfig.json
name: y
model: m
instruction: >
  one {x}
  2

  3

  three
    more
    more2
  four
";

#[test]
fn edits_are_read_back_correctly_by_their_languages() {
    let mut count = 0;
    for case in lines("edits.jsonl") {
        let Some(language) = language(case["language"].as_str().unwrap()) else { continue };
        count += 1;
        let rescan = |source: &str| match language {
            code if code.is_code() => find(language, source),
            _ => find_in_data(language, source, &[]),
        };
        let source = case["source"].as_str().unwrap();
        let found = rescan(source).into_iter().find(|found| found.name == case["prompt"]).unwrap();
        let offset = |index: usize| usize::try_from(case["edit"][index].as_u64().unwrap()).unwrap();
        let new = case["edit"][2].as_str().unwrap();
        let edited = edit(language, source, &found, offset(0)..offset(1), new, rescan);
        let edited = edited.map(|edits| {
            let mut edited = source.to_owned();
            for (range, new) in edits.iter().rev() {
                edited.replace_range(range.clone(), new);
            }
            edited
        });
        let expected = match case["name"].as_str() {
            Some(FOLDED) => Some(FOLDED_RESULT),
            _ => case["result"].as_str(),
        };
        let edited = edited.as_deref();
        assert_eq!(edited.ok(), expected, "{} {edited:?}", case["name"]);
    }
    assert_eq!(count, 62);
}
