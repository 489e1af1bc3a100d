//! What the engines that a prompt is written for do with it: where one cannot tell, and where they
//! do not agree.

mod differences;
mod forms;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use promptls_resolver::{Code, ErrorKind, Location, Problem, Severity, Template, unpredictable};
use promptls_syntax::Use;

use super::checker::{Checker, Finding};
use super::general;
use super::values::{in_cases, readers, related};
use crate::advice::Advice;
use crate::diagnose::hazards::InText;
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

/// What an engine does with a text, as the end of a sentence.
fn sends(text: &str) -> String {
    match text {
        "" => "sends nothing".to_owned(),
        text => format!("sends `{}`", excerpt::of_text(text)),
    }
}

/// Says that the engine refuses the prompt in a case, where nothing else says so: what it finds
/// only while it resolves, as the limits that it has.
///
/// Cost: renders all cases, and resolves those that are refused.
fn check_refusals(checker: &mut Checker<'_>) {
    if checker.snapshot.cases.is_empty() {
        return;
    }
    let text = checker.snapshot.text.whole();
    let template = Template::compile(checker.engine(), &text);
    let givens = checker.values.given().to_vec();
    let mut refused: BTreeMap<String, (Problem, Vec<usize>)> = BTreeMap::new();
    for (case, given) in givens.iter().enumerate() {
        // This runs at each keystroke, and mostly nothing is refused.
        let Err(error) = template.render(given) else { continue };
        let is_error = |problem: &Problem| problem.severity == Severity::Error;
        let found = template.resolve(given).problems.into_iter().find(is_error);
        // An error may have names as they are written, braces and all; its problem has them alone.
        let names = error.names.iter().chain(found.iter().flat_map(|problem| &problem.names));
        let names: HashSet<&String> = names.collect();
        let is_about = |problem: &Problem| match names.is_empty() {
            true => codes(error.kind).contains(&problem.code),
            false => problem.names.iter().any(|name| names.contains(name)),
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

/// The problems that an error may be.
fn codes(kind: ErrorKind) -> &'static [Code] {
    match kind {
        ErrorKind::Missing | ErrorKind::Unresolved => &[Code::UndefinedPlaceholder],
        ErrorKind::Type => &[Code::TypeMismatch],
        ErrorKind::Validation | ErrorKind::Engine => &[Code::InvalidValue],
        ErrorKind::Limit => &[Code::LimitExceeded, Code::FragmentCycle],
        ErrorKind::Declaration => &[Code::InvalidDeclaration],
    }
}

/// Says where one cannot tell what the engine sends.
fn check_chance(checker: &mut Checker<'_>) {
    let mut findings = HashMap::new();
    for (used, name) in readers(checker) {
        let cases = in_cases(checker, used, name, |found| found.unpredictable);
        let Some((_, why, _)) = cases.first() else { continue };
        let message = unpredictable(name, why);
        let finding = Finding::of_name(Code::EngineUnpredictable, message, name);
        findings.insert(used, Finding { related: related(checker, &cases), ..finding });
    }
    checker.report(&findings);
}

/// Says what the engines of the dialect differ in, as nobody said which one it is: once for each
/// hazard, at its first place, unless something is said of that place already.
fn check_hazards(checker: &mut Checker<'_>) {
    let Advice { hazards, in_text, .. } = advice(checker.dialect());
    if checker.snapshot.is_guessed() {
        return;
    }
    let snapshot = checker.snapshot;
    let uses: Vec<Use> = match hazards {
        [] => Vec::new(),
        _ => snapshot.tree.uses().map(|(used, _)| used).collect(),
    };
    let mut spoken_of: HashSet<(usize, usize)> = checker
        .problems
        .iter()
        .map(|problem| (problem.location.range.start, problem.location.range.end))
        .collect();
    for hazard in *hazards {
        let Some(first) = hazard.first(checker, &uses) else { continue };
        let name = snapshot.name_range(&first);
        let token = first.token.range();
        let is_spoken_of = |range: &Range<usize>| spoken_of.contains(&(range.start, range.end));
        if !hazard.is_said_beside && [&name, &token].into_iter().any(is_spoken_of) {
            continue;
        }
        spoken_of.insert((name.start, name.end));
        let message = format!("`{}` {}", first.name, hazard.about);
        let finding = Finding::of_name(Code::EngineDiffers, message, first.name);
        let finding = Finding { severity: Severity::Hint, ..finding };
        checker.report_at(&finding, &first);
    }
    if let Some(InText { about, first }) = in_text {
        let text = snapshot.text.start(SEARCHED);
        if let Some(range) = first(&text) {
            let message = format!("`{}` {about}", &text[range.clone()]);
            let location = Location { range, ..general::at_start(checker) };
            let problem = Problem::new(Code::EngineDiffers, location, message);
            checker.problems.push(Problem { severity: Severity::Hint, ..problem });
        }
    }
}

/// How much of a prompt is searched for what is no placeholder, in bytes: this is done at each
/// keystroke, and takes a few microseconds.
const SEARCHED: usize = 64 * 1024;
