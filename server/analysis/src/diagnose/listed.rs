//! Differences between a prompt and the list of its names in code: `input_variables=["city"]`.

use std::collections::BTreeSet;

use promptls_resolver::{Code, Problem, Related, Severity};
use promptls_syntax::UseMap;

use super::checker::{Checker, Finding};
use super::reading::names_read;

pub(super) fn check(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let Some(listed) = snapshot.host.as_ref().and_then(|host| host.listed.as_ref()) else { return };
    let is_broken =
        |problem: &Problem| matches!(problem.code, Code::MalformedPlaceholder | Code::JsonBraces);
    // What is not read as a name may be in the list rightly.
    if checker.problems.iter().any(is_broken) {
        return;
    }
    let read = names_read(snapshot);
    if snapshot.holes().is_empty() {
        for (name, location) in listed.names.iter().filter(|(name, _)| !read.contains(name)) {
            let message = format!("`{name}` is in `{}`, but not in this prompt", listed.keyword);
            let problem = Problem::new(Code::UnusedVariable, location.clone(), message);
            checker.problems.push(Problem { severity: Severity::Warning, ..problem.about(name) });
        }
    }
    let Some(supplied) = &listed.supplied else { return };
    let names = listed.names.iter().map(|(name, _)| name);
    let known: BTreeSet<&str> = names.chain(supplied).map(String::as_str).collect();
    let reported = checker.problems.iter().flat_map(|problem| problem.names.iter().cloned());
    let reported: BTreeSet<String> = reported.collect();
    let mut findings: UseMap<Finding> = UseMap::default();
    for (used, _) in snapshot.tree.uses() {
        let name = snapshot.tree.name(used.name);
        if !used.kind.reads() || !read.contains(name) || known.contains(name) {
            continue;
        }
        if reported.contains(name) {
            continue;
        }
        let message = format!("`{name}` is not in `{}`", listed.keyword);
        let list = Related { location: listed.list.clone(), message: "the list".to_owned() };
        let finding = Finding::of_name(Code::UndeclaredVariable, message, name);
        let finding = Finding { severity: Severity::Warning, ..finding.with(vec![list]) };
        findings.insert(used, finding);
    }
    checker.report(&findings);
}
