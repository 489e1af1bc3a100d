//! Names that nothing in the surrounding program sets, or only an agent that runs later, or that it
//! misspells. Inputs count, except for untouched samples.

use promptls_resolver::{Code, Location, Problem, Related, Severity, root};
use promptls_syntax::{TokenKind, UseMap};

use super::checker::{Checker, Finding};
use crate::snapshot::{ProgramNames, Snapshot};

/// A name that is not a key anywhere in completely known code is an error at run time. In an
/// application that computes keys, this is uncertain.
pub(super) fn check(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let Some(program) = snapshot.program() else { return };
    let is_empty =
        program.nowhere.is_empty() && program.later.is_empty() && program.misspelt.is_empty();
    if is_empty {
        return;
    }
    let settings = &snapshot.settings;
    let is_settled =
        |name: &str| settings.literal.contains(name) || settings.runtime.contains(name);
    let severity = if program.computes_keys { Severity::Hint } else { Severity::Warning };
    let uses = snapshot.tree.uses().map(|(used, _)| used);
    let required = uses.filter(|used| used.kind == TokenKind::Placeholder && used.in_force);
    let mut findings: UseMap<Finding> = UseMap::default();
    for used in required {
        let name = snapshot.tree.name(used.name);
        let is_given = checker.dialect().injects(root(checker.dialect(), name));
        if program.later.contains(name) && !is_given && !settings.literal.contains(name) {
            findings.insert(used, read_too_early(program, name));
            continue;
        }
        if let Some(misspelt) = program.misspelt.get(name)
            && !is_given
            && !settings.literal.contains(name)
        {
            let message = format!("`{name}` is similar to {misspelt}, which no prompt reads");
            let finding = Finding::of_name(Code::UndefinedPlaceholder, message, name);
            findings.insert(used, Finding { severity, ..finding });
            continue;
        }
        if !program.nowhere.contains(name) || is_given || is_settled(name) {
            continue;
        }
        let suggestion = checker.suggestions.value_or_fragment(name);
        let message = format!("nothing in this app sets `{name}`{suggestion}");
        let finding = Finding::of_name(Code::UndefinedPlaceholder, message, name);
        let finding = finding.with(untouched_samples(snapshot, name));
        findings.insert(used, Finding { severity, ..finding });
    }
    // Code that was not meant as a placeholder is reported as such instead.
    let known = std::mem::take(&mut checker.problems);
    checker.report(&findings);
    let found = std::mem::replace(&mut checker.problems, known);
    let is_accident = |problem: &Problem| {
        let range = &problem.location.range;
        let accidents = checker.problems.iter();
        let mut accidents = accidents.filter(|other| other.code == Code::AccidentalPlaceholder);
        accidents.any(|other| {
            other.location.range.start <= range.start && range.end <= other.location.range.end
        })
    };
    // A misspelt name may also be missing in inputs.
    let is_known = |problem: &Problem| {
        let (code, location) = (problem.code, &problem.location);
        checker.problems.iter().any(|other| other.code == code && other.location == *location)
    };
    let found =
        found.into_iter().filter(|it| !is_accident(it) && !is_known(it)).collect::<Vec<_>>();
    checker.problems.extend(found);
}

/// The values of a name in inputs, which are samples: otherwise it would have no finding.
fn untouched_samples(snapshot: &Snapshot, name: &str) -> Vec<Related> {
    let cases = snapshot.cases.iter();
    let entries = cases.filter_map(|case| Some((case, case.inputs.root.get(name)?)));
    let related = entries.map(|(case, entry)| Related {
        location: Location { file: case.inputs.file, range: entry.key_span.range() },
        message: format!("case {} has only the sample, which is no value", case.name),
    });
    related.collect()
}

/// The finding for a name that only a later agent of a loop sets.
fn read_too_early(program: &ProgramNames, name: &str) -> Finding {
    let message = format!(
        "`{name}` has no value in the first turn of the loop: only a later agent sets it; write `{{{name}?}}`"
    );
    let setters = program.places.iter().filter(|place| place.supplies && place.name == name);
    let related = setters.map(|place| Related {
        location: place.location.clone(),
        message: format!("the {} of the later agent", place.what),
    });
    let finding = Finding::of_name(Code::UndefinedPlaceholder, message, name);
    Finding { severity: Severity::Hint, ..finding.with(related.collect()) }
}
