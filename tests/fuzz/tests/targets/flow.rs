//! The names in an application's state, for any file.

use std::collections::BTreeSet;

use promptls_fuzz::{Corpus, EXECUTIONS};
use promptls_hosts::{
    Access, AccessKind, Language, SuppliedKey, accesses, find, flow, whole_strings,
};

const PIECES: &[&str] = &[
    "state",
    "state[",
    "['city']",
    "[\"plan\"]",
    "]",
    " = ",
    "==",
    "+=",
    "output_key=",
    "outputKey: ",
    "OutputKey",
    ".state",
    ".get(",
    ".put(",
    ".update(",
    ".inputs(",
    ".run(",
    "inputs",
    "initial_state",
    "state_delta=",
    "Map.of(",
    "mapOf(",
    "dict(",
    "entry(",
    " to ",
    "'",
    "\"",
    "'''",
    "`",
    "(",
    ")",
    "{",
    "}",
    "{{city}}",
    "**more",
    "...more",
    ",",
    ":",
    ";",
    "\n",
    "#",
    "//",
    "/*",
    "city",
    "user:mood",
    "é",
    "\\",
];

const LANGUAGES: [Language; 10] = [
    Language::Python,
    Language::Java,
    Language::Kotlin,
    Language::TypeScript,
    Language::Tsx,
    Language::Go,
    Language::Yaml,
    Language::Json,
    Language::Toml,
    Language::Markdown,
];

/// Each place contains its name, all queries find the same places, and no name that is set is
/// unmentioned.
fn accesses_and_mentions_are_consistent(source: &str) {
    for language in LANGUAGES {
        let all = flow(language, source);
        let alone = accesses(language, source);
        assert_eq!((&alone.accesses, alone.computes_keys), (&all.accesses, all.computes_keys));
        let mut behind = 0;
        for Access { name, range, supplies, kind, .. } in &all.accesses {
            assert!(range.start >= behind, "{all:?}");
            behind = range.end;
            assert_eq!(source.get(range.clone()), Some(&**name));
            let may_be_read = !supplies && *kind == AccessKind::State;
            assert!(all.mentions(name) || may_be_read, "{name}");
        }
        // What is certainly only read is no mention.
        let is_read = |access: &&Access| !access.supplies && access.kind == AccessKind::State;
        let read = all.accesses.iter().filter(is_read);
        let read: BTreeSet<usize> = read.map(|access| access.range.start).collect();
        let own = all.accesses.iter().map(|access| &*access.name);
        for name in own.chain(["city", "user:mood"]).collect::<BTreeSet<&str>>() {
            for place in whole_strings(language, source, name) {
                let is_read = read.contains(&place.start);
                assert_eq!(source.get(place), Some(name));
                assert!(all.mentions(name) || is_read, "{name}");
            }
        }
        calls_have_source_ranges(language, source);
    }
}

fn calls_have_source_ranges(language: Language, source: &str) {
    let prompts = if language.is_code() { find(language, source) } else { Vec::new() };
    for contract in prompts.iter().flat_map(|prompt| &prompt.contracts) {
        assert!(source.get(contract.call.clone()).is_some(), "{contract:?}");
        for SuppliedKey { range: key, .. } in &contract.keys {
            assert!(source.get(key.clone()).is_some(), "{contract:?}");
        }
    }
}

#[test]
fn flows() {
    let corpus = || Corpus::of("flow", PIECES);
    corpus().each(accesses_and_mentions_are_consistent);
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator(corpus().text())
        .for_each(|text| accesses_and_mentions_are_consistent(text));
}
