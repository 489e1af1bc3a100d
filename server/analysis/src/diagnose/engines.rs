//! The behaviour of the engines that a prompt is written for: where it is not deterministic, and
//! where they differ.

mod differences;
mod forms;

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use promptls_resolver::{Code, ErrorKind, Location, Problem, Severity, Template, unpredictable};
use promptls_syntax::UseMap;

use super::checker::{Checker, Finding};
use super::general;
use super::values::{in_cases, readers, related};
use crate::diagnose::hazards::{InText, first_places};
use crate::dialects::advice;
use crate::excerpt;

pub(super) fn check(checker: &mut Checker<'_>) {
    match checker.snapshot.engines() {
        [] => {
            check_hazards(checker);
            forms::check(checker);
        }
        [_] => {
            check_chance(checker);
            check_refusals(checker);
        }
        _ => {
            check_chance(checker);
            check_refusals(checker);
            differences::check(checker);
        }
    }
}

/// The effect of an engine on a text, as the end of a sentence.
fn sends(text: &str) -> String {
    match text {
        "" => "sends nothing".to_owned(),
        text => format!("sends `{}`", excerpt::of_text(text)),
    }
}

/// Reports that the engine rejects the prompt in a case, if no other problem does. Some errors are
/// found only while resolving, such as exceeded limits.
///
/// Cost: renders all cases, and resolves those that are rejected.
fn check_refusals(checker: &mut Checker<'_>) {
    if checker.snapshot.cases.is_empty() {
        return;
    }
    let text = checker.whole();
    let template = Template::compile(checker.engine(), &text);
    let givens = checker.values.given().to_vec();
    let mut refused: BTreeMap<String, (Problem, Vec<usize>)> = BTreeMap::new();
    for (case, given) in givens.iter().enumerate() {
        // This runs at each keystroke, and usually no case is rejected.
        let Err(error) = template.render(given) else { continue };
        let is_error = |problem: &Problem| problem.severity == Severity::Error;
        let found = template.resolve(given).problems.into_iter().find(is_error);
        // An error may contain names in source form, with braces; its problem contains only the
        // names.
        let names = error.names.iter().chain(found.iter().flat_map(|problem| &problem.names));
        let names: HashSet<&String> = names.collect();
        let place = found.as_ref().map(|problem| &problem.location);
        let is_about = |problem: &Problem| match names.is_empty() {
            true => codes(error.kind).contains(&problem.code),
            false => {
                problem.names.iter().any(|name| names.contains(name))
                    || problem.code == Code::MalformedPlaceholder
                        && Some(&problem.location) == place
            }
        };
        if checker.problems.iter().any(|problem| is_error(problem) && is_about(problem)) {
            continue;
        }
        let problem = found.unwrap_or_else(|| {
            Problem::new(codes(error.kind)[0], general::at_start(checker), &*error.message)
        });
        refused.entry(error.message).or_insert((problem, Vec::new())).1.push(case);
    }
    for (message, (problem, cases)) in refused {
        let message = format!("{message}{}", checker.in_cases(&cases));
        checker.problems.push(Problem { message, ..problem });
    }
}

/// The codes of problems that may correspond to an error.
fn codes(kind: ErrorKind) -> &'static [Code] {
    match kind {
        ErrorKind::Missing | ErrorKind::Unresolved => &[Code::UndefinedPlaceholder],
        ErrorKind::Type => &[Code::TypeMismatch],
        ErrorKind::Validation => &[Code::InvalidValue],
        ErrorKind::Engine => &[Code::InvalidValue, Code::MalformedPlaceholder, Code::JsonBraces],
        ErrorKind::Limit => &[Code::LimitExceeded, Code::FragmentCycle],
        ErrorKind::Declaration => &[Code::InvalidDeclaration],
    }
}

/// Reports placeholders whose output is not deterministic.
fn check_chance(checker: &mut Checker<'_>) {
    let mut findings = UseMap::default();
    for (used, name) in readers(checker) {
        let cases = in_cases(checker, used, name, |found| found.unpredictable);
        let Some((_, why, _)) = cases.first() else { continue };
        let message = unpredictable(name, why);
        let finding = Finding::of_name(Code::EngineUnpredictable, message, name);
        findings.insert(used, Finding { related: related(checker, &cases), ..finding });
    }
    checker.report(&findings);
}

/// Reports known differences between the engines of the dialect, if none is named. Each hazard is
/// reported once, at its first position, unless another problem is reported there.
fn check_hazards(checker: &mut Checker<'_>) {
    let advice = advice(checker.dialect());
    let hazards = advice.hazards();
    if checker.snapshot.is_guessed() {
        return;
    }
    let snapshot = checker.snapshot;
    let mut spoken_of: Option<HashSet<(usize, usize)>> = None;
    for (hazard, first) in hazards.iter().zip(first_places(checker, hazards)) {
        let Some(first) = first else { continue };
        let spoken_of = spoken_of.get_or_insert_with(|| {
            let ranges = checker.problems.iter().map(|problem| &problem.location.range);
            ranges.map(|range| (range.start, range.end)).collect()
        });
        let name = snapshot.name_range(&first);
        let token = first.token.range();
        let is_spoken_of = |range: &Range<usize>| spoken_of.contains(&(range.start, range.end));
        if !hazard.is_reported_beside && [&name, &token].into_iter().any(is_spoken_of) {
            continue;
        }
        spoken_of.insert((name.start, name.end));
        let message = format!("`{}` {}", first.name, hazard.about);
        let finding = Finding::of_name(Code::EngineDiffers, message, first.name);
        let finding = Finding { severity: Severity::Hint, ..finding };
        checker.report_at(&finding, &first);
    }
    if let Some(InText { about, first }) = advice.in_text() {
        let start = checker.start();
        if let Some(range) = first(start) {
            let message = format!("`{}` {about}", &start[range.clone()]);
            let location = Location { range, ..general::at_start(checker) };
            let problem = Problem::new(Code::EngineDiffers, location, message);
            checker.problems.push(Problem { severity: Severity::Hint, ..problem });
        }
    }
}
