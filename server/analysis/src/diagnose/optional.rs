//! Optional names that have no value anywhere and resemble a known one: nothing is sent for them, and
//! nothing fails.

use promptls_resolver::{Code, Severity, root};
use promptls_syntax::{TokenKind, UseMap};

use super::checker::{Checker, Finding};

pub(super) fn check(checker: &mut Checker<'_>) {
    let (snapshot, dialect) = (checker.snapshot, checker.dialect());
    if dialect.spec().optional_mark.is_none() {
        return;
    }
    let program = snapshot.program().filter(|program| program.has_state);
    let settings = &snapshot.settings;
    let is_settled =
        |name: &str| settings.literal.contains(name) || settings.runtime.contains(name);
    let uses = snapshot.tree.uses().map(|(used, _)| used);
    let mut findings: UseMap<Finding> = UseMap::default();
    for used in uses.filter(|used| used.kind == TokenKind::Optional && used.in_force) {
        let name = snapshot.tree.name(used.name);
        let first = root(dialect, name);
        let has_no_value = match program {
            Some(program) => program.nowhere.contains(name),
            None => snapshot.has_inputs() && !snapshot.is_known(first),
        };
        if !has_no_value || dialect.injects(first) || is_settled(name) || is_settled(first) {
            continue;
        }
        let suggestion = checker.suggestions.value_or_fragment(first);
        if suggestion.is_empty() {
            continue;
        }
        let message = format!("`{name}` has no value, so nothing is sent for it{suggestion}");
        let finding = Finding::of_name(Code::UndefinedPlaceholder, message, name);
        findings.insert(used, Finding { severity: Severity::Hint, ..finding });
    }
    checker.report(&findings);
}
