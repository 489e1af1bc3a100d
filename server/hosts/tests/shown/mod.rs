//! Prompts as one line each.

use promptls_hosts::{CodeEntry, Demand, HostPrompt, Language, OtherFile, find, find_with};
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
        let module = module(&elsewhere.other);
        all.extend(there.prompts.iter().map(|found| format!("{module} {}", shown(found))));
    }
    all
}

/// The prompts of modules that use each other, as `module name: text`. Paths of modules are their
/// names, whatever dots and slashes are before them.
pub fn found_in_modules(language: Language, modules: &[(&str, &str)]) -> Vec<String> {
    let place = |module: &str| {
        let name = module.trim_start_matches(['.', '/', '@']).replace('/', ".");
        modules.iter().position(|(known, _)| *known == name)
    };
    let mut demands: Vec<Vec<Demand>> = vec![Vec::new(); modules.len()];
    // Requests and responses go through a few modules.
    for _ in 0..10 {
        let mut next: Vec<Vec<Demand>> = vec![Vec::new(); modules.len()];
        let find_of = |at: usize| find_with(language, modules[at].1, &[], &demands[at]);
        let finds: Vec<_> = (0..modules.len()).map(find_of).collect();
        for (at, found) in finds.iter().enumerate() {
            for elsewhere in &found.elsewhere {
                let mut elsewhere = elsewhere;
                while let (None, Some(other)) =
                    (place(module(&elsewhere.other)), &elsewhere.otherwise)
                {
                    elsewhere = other;
                }
                let Some(other) = place(module(&elsewhere.other)) else { continue };
                next[other].push(elsewhere.demand.clone());
                let Demand::Callee(imported) = &elsewhere.demand else { continue };
                let known = finds[other].callees.iter().find(|(known, _)| known == imported);
                next[at].extend(known.map(|(_, it)| Demand::Known(imported.clone(), it.clone())));
            }
        }
        demands = next;
    }
    let mut all = Vec::new();
    for ((module, source), demands) in modules.iter().zip(demands) {
        let found = find_with(language, source, &[], &demands).prompts;
        all.extend(found.iter().map(|found| format!("{module} {}", shown(found))));
    }
    all
}

/// The module of another file; empty for a text.
fn module(other: &OtherFile) -> &str {
    other.module().unwrap_or_default()
}

fn shown(found: &HostPrompt) -> String {
    format!("{}: {}", found.name, found.text.text())
}
