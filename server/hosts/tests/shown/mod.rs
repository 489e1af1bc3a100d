//! Prompts as one line each.

use promptls_hosts::{CodeEntry, HostPrompt, Language, find, find_with};
use promptls_syntax::Dialect;

/// The prompts of a source, as `name: text`.
pub fn found_in(language: Language, source: &str) -> Vec<String> {
    find(language, source).iter().map(shown).collect()
}

/// The same with a rule.
pub fn found_with_rule(language: Language, source: &str, entry: &str) -> Vec<String> {
    let rules = [(CodeEntry::parse(entry).expect("an entry"), Dialect::Agentle)];
    find_with(language, source, &rules, &[]).prompts.iter().map(shown).collect()
}

/// The prompts of other modules that a source uses: the module, and the demand.
pub fn found_elsewhere(language: Language, source: &str, other: &str) -> Vec<String> {
    let finds = find_with(language, source, &[], &[]);
    let mut all: Vec<String> = finds.prompts.iter().map(shown).collect();
    for elsewhere in finds.elsewhere {
        let there = find_with(language, other, &[], &[elsewhere.demand]);
        let module = elsewhere.module;
        all.extend(there.prompts.iter().map(|found| format!("{module} {}", shown(found))));
    }
    all
}

fn shown(found: &HostPrompt) -> String {
    format!("{}: {}", found.name, found.text.text())
}
