//! Values that contain names, for engines that replace one name after the other in the whole text.

use std::collections::{BTreeMap, HashSet};

use promptls_resolver::{Code, Outcome};
use promptls_syntax::UseMap;

use super::checker::{Checker, Finding};
use super::values::{in_cases, placeholder_in, readers, related};

/// The occurrence of a name at which the engine replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occurrence {
    First,
    /// At each, so that it is also replaced in its own value and in those of later names.
    Each,
}

/// Reports values that contain `{b}` if the engine replaces `b` after it inserts them.
///
/// Cost: the names and cases; the tokens if a value contains a name.
pub(crate) fn check(checker: &mut Checker<'_>, occurrence: Occurrence) {
    let mut suspects = Vec::new();
    let engine = checker.engine();
    let names: HashSet<&str> = readers(checker).into_iter().map(|(_, name)| name).collect();
    for (used, name) in readers(checker) {
        let cases = in_cases(checker, used, name, |lookup| {
            let Outcome::Text(text) = lookup.outcome else { return None };
            placeholder_in(engine, text, |inner| {
                names.contains(inner) && (inner != name || occurrence == Occurrence::Each)
            })
        });
        if !cases.is_empty() {
            suspects.push((used, name, cases));
        }
    }
    if suspects.is_empty() {
        return;
    }
    // The places of names are computed only now, because this is expensive.
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    let mut replaced: BTreeMap<&str, usize> = BTreeMap::new();
    let tokens = checker.snapshot.tree.tokens().filter(|found| found.token.kind.reads());
    for (at, found) in tokens.enumerate() {
        first.entry(found.name).or_insert(at);
        match occurrence {
            Occurrence::First => _ = replaced.entry(found.name).or_insert(at),
            Occurrence::Each => _ = replaced.insert(found.name, at),
        }
    }
    let mut findings = UseMap::default();
    for (used, name, mut cases) in suspects {
        cases.retain(|(_, inner, _)| replaced.get(inner.as_str()) > first.get(name));
        let Some((_, inner, _)) = cases.first() else { continue };
        let indexes: Vec<usize> = cases.iter().map(|(case, ..)| *case).collect();
        let message = format!(
            "the value of `{name}` contains `{{{inner}}}`, which is resolved again{}",
            checker.in_cases(&indexes)
        );
        let finding =
            Finding::of_name(Code::ValueReresolved, message, name).with(related(checker, &cases));
        findings.insert(used, finding);
    }
    checker.report(&findings);
}
