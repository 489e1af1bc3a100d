//! Checks names against their declarations: undeclared and required names, types and rules.

use std::collections::{BTreeMap, HashSet};

use promptls_resolver::{
    Code, FileId, Location, Outcome, Problem, Related, ResolveContext, Severity, lookup_name, root,
};
use promptls_syntax::{Dialect, TokenKind, UseMap, UseSet, tokenize};

use super::checker::{Checker, Finding};
use crate::declarable::can_be_declared;
use crate::excerpt;

pub(super) fn check(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let declarations = &snapshot.declarations;
    let declares_nothing = declarations.variables.is_empty();
    let is_checked = if declares_nothing { snapshot.must_declare } else { snapshot.has_inputs() };
    if !is_checked || declarations.has_unread_variables {
        return;
    }
    undeclared(checker);
    if declares_nothing {
        return;
    }
    unwritable(checker);
    rules(checker);
    if checker.dialect().spec().declarations && !checker.snapshot.awaits_values() {
        required(checker);
    }
}

/// Names that are read and not declared.
fn undeclared(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let dialect = checker.dialect();
    let declarations = &snapshot.declarations;
    let declares_nothing = declarations.variables.is_empty();
    // A misspelt name without a value is one problem, not two.
    let others = checker.problems.iter().filter(|problem| problem.code != Code::UnusedInput);
    let reported: HashSet<String> =
        others.flat_map(|problem| problem.names.iter().cloned()).collect();
    let mut undeclared = UseSet::default();
    for (used, _) in snapshot.tree.uses() {
        let name = snapshot.tree.name(used.name);
        let first = root(dialect, name);
        if !used.kind.reads()
            || !can_be_declared(snapshot, name)
            || snapshot.settings.runtime.contains(first)
            || snapshot.settings.literal.iter().any(|literal| literal == first)
            || declarations.variable(first).is_some()
            || reported.contains(name)
        {
            continue;
        }
        undeclared.insert(used);
    }
    checker.report_with(&undeclared, |checker, _, name| {
        let first = root(dialect, name);
        let hint = checker.suggestions.variable(first);
        let message = format!("`{first}` is not declared{hint}");
        let finding = Finding::of_name(Code::UndeclaredVariable, message, first);
        Some(match declares_nothing {
            // Without any declarations, none was forgotten.
            true => Finding { severity: Severity::Warning, ..finding },
            false => finding,
        })
    });
}

/// Declared names that no placeholder can contain.
fn unwritable(checker: &mut Checker<'_>) {
    let dialect = checker.dialect();
    let declarations = &checker.snapshot.declarations;
    if !dialect.spec().declarations {
        return;
    }
    for variable in &declarations.variables {
        let name = &*variable.name;
        let first = root(dialect, name);
        let why = match is_placeholder(dialect, name) {
            true if first == name => continue,
            true => format!("`{name}` is a member of `{first}`; declare `{first}` instead"),
            false => format!("`{}` is not a valid name for a placeholder", excerpt::of_text(name)),
        };
        let range = variable.name_span.range();
        let location = Location { file: declarations.file, range };
        let problem = Problem::new(Code::InvalidDeclaration, location, why).about(name);
        checker.problems.push(Problem { severity: Severity::Warning, ..problem });
    }
}

/// Returns whether a name in braces is a placeholder.
fn is_placeholder(dialect: Dialect, name: &str) -> bool {
    let spec = dialect.spec();
    let written = format!("{}{name}{}", spec.open, spec.close);
    let mut is_one = false;
    tokenize(dialect, &written, |token| {
        is_one = token.kind.reads() && token.range() == (0..written.len());
    });
    is_one
}

/// The invalid values of a variable: the first failure, and the cases.
struct Broken {
    code: Code,
    message: String,
    cases: Vec<usize>,
    related: Vec<Related>,
}

/// Values that do not have the declared type, or violate a rule. Reported at the value and at the
/// placeholders, with the declaration.
fn rules(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let declarations = &snapshot.declarations;
    // A default is the same in every case that uses it.
    let mut seen: Vec<Location> = Vec::new();
    let mut broken: BTreeMap<&str, Broken> = BTreeMap::new();
    for (case, given) in snapshot.given().iter().enumerate() {
        for failure in snapshot.engine().broken_rules(given) {
            let name = &*failure.variable.name;
            let declared_at = failure.failure.rule_span.unwrap_or(failure.variable.name_span);
            let declared = Related {
                location: Location { file: declarations.file, range: declared_at.range() },
                message: format!("`{name}` is declared here"),
            };
            let entry = broken.entry(name).or_insert_with(|| Broken {
                code: failure.code(),
                message: failure.failure.message.clone(),
                cases: Vec::new(),
                related: vec![declared.clone()],
            });
            entry.cases.push(case);
            if seen.contains(&failure.location) {
                continue;
            }
            seen.push(failure.location.clone());
            entry.related.push(checker.value_in(case, failure.location.clone()));
            let mut problem = Problem::new(
                failure.code(),
                failure.location.clone(),
                failure.failure.message.clone(),
            )
            .about(name);
            if failure.location.file != declarations.file {
                problem.related.push(declared);
            }
            checker.problems.push(problem);
        }
    }
    // A default that no present case uses may be used by the next one.
    for broken in snapshot.engine().broken_rules(&snapshot.given_nothing()) {
        if !seen.contains(&broken.location) {
            let (code, name) = (broken.code(), &*broken.variable.name);
            let problem = Problem::new(code, broken.location, broken.failure.message);
            checker.problems.push(problem.about(name));
        }
    }
    let dialect = checker.dialect();
    let mut findings: UseMap<Finding> = UseMap::default();
    for (used, _) in snapshot.tree.uses() {
        let first = root(dialect, snapshot.tree.name(used.name));
        if !matches!(used.kind, TokenKind::Placeholder | TokenKind::Optional) {
            continue;
        }
        if let Some(broken) = broken.get(first) {
            let finding = Finding::of_name(
                broken.code,
                format!("{}{}", broken.message, checker.in_cases(&broken.cases)),
                first,
            )
            .with(broken.related.clone());
            findings.insert(used, finding);
        }
    }
    checker.report(&findings);
}

/// Required variables without a value that were not reported at a placeholder: the engine still
/// refuses to send the prompt.
fn required(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let dialect = checker.dialect();
    let mut missing: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let givens = snapshot.given();
    for (case, given) in givens.iter().enumerate() {
        for variable in snapshot.engine().missing_required(given) {
            missing.entry(&variable.name).or_default().push(case);
        }
    }
    for (name, cases) in missing {
        let is_used = snapshot.tree.uses().any(|(used, _)| {
            used.kind.reads() && root(dialect, snapshot.tree.name(used.name)) == name
        });
        let is_reported = is_used && {
            let without_value = |given: &ResolveContext<'_>| {
                let lookup = lookup_name(snapshot.engine(), name, given);
                lookup.is_missing() || matches!(lookup.outcome, Outcome::Runtime)
            };
            cases.iter().all(|&case| without_value(&givens[case]))
        };
        let Some(variable) = snapshot.declarations.variable(name) else { continue };
        if is_reported || dialect.injects(name) {
            continue;
        }
        let range = variable.name_span.range();
        let location = Location { file: snapshot.declarations.file, range };
        let though = if is_used { "" } else { ", though it does not use it" };
        let message = format!(
            "`{name}` is required and has no value{}, so {} is not sent{though}",
            checker.in_cases(&cases),
            snapshot.file_name(FileId::PROMPT)
        );
        let problem = Problem::new(Code::UndefinedPlaceholder, location, message).about(name);
        let related = checker.missing_in(&cases, name);
        checker.problems.push(Problem { related, ..problem });
    }
}
