//! All problems of a prompt and its sidecars.

mod blocks;
mod budget;
pub(crate) mod checker;
mod contracts;
mod crew;
mod declarations;
mod empty;
mod engines;
mod fragments;
mod general;
pub(crate) mod hazards;
mod in_host;
mod listed;
pub(crate) mod memo;
mod name_suggestions;
mod names;
mod optional;
mod other_tags;
mod other_texts;
mod program;
mod reading;
pub(crate) mod resolved_again;
#[cfg(test)]
mod tests;
mod undefined;
pub(crate) mod values;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use promptls_resolver::{Code, FileId, Location, Problem, Severity};
use promptls_syntax::Tree;

use crate::dialects::advice;
use crate::snapshot::Snapshot;

use checker::Checker;
pub(crate) use reading::is_for_tools;
pub use reading::{is_of_hole, keys_needed, names_read, unused_inputs, unused_variables};

/// The default maximum of problems for one prompt. Editors receive all of them at every keystroke,
/// and more are not useful.
pub const DEFAULT_MAX_PROBLEMS: usize = 500;

/// All problems of a prompt and its own sidecars: those of the prompt first, then by position. If
/// there are more than `max`, an additional problem reports their number.
///
/// The result is deterministic, including messages and order. Cost: the distinct names times the
/// cases, and the problems. Independent of the length of the prompt, unless its tokens are limited.
///
/// ```
/// use promptls_analysis::{DEFAULT_MAX_PROBLEMS, Snapshot, diagnose};
/// use promptls_resolver::{Code, Dialect};
///
/// let snapshot = Snapshot::new(Dialect::Agentle, "{{#if member}}Welcome back");
/// let problems = diagnose(&snapshot, DEFAULT_MAX_PROBLEMS);
/// assert!(problems.iter().any(|problem| problem.code == Code::UnclosedBlock));
/// ```
pub fn diagnose(snapshot: &Snapshot, max: usize) -> Vec<Problem> {
    if let Some(foreign) = &snapshot.foreign {
        let found = DialectProblems { problems: vec![foreign.problem()], unlisted: 0 };
        return finish(found, snapshot, max);
    }
    let mut found = all_problems(snapshot, max);
    // Only problems in all plausible dialects are certain.
    for &dialect in snapshot.fits.iter().filter(|&&dialect| dialect != snapshot.dialect()) {
        let tree = Arc::new(Tree::parse(dialect, &snapshot.text));
        let others = all_problems(&Snapshot { tree, memo: None, ..snapshot.clone() }, max);
        let places: HashSet<(Code, Location)> =
            others.problems.into_iter().map(|problem| (problem.code, problem.location)).collect();
        found.problems.retain(|problem| {
            problem.code == Code::DialectGuessed
                || places.contains(&(problem.code, problem.location.clone()))
        });
        found.unlisted = found.unlisted.min(others.unlisted);
    }
    // The text may be valid in another language. Inputs show that it is in a supported dialect.
    if !snapshot.alike.is_empty() && !snapshot.has_inputs() {
        found.problems.retain(|problem| !OF_DIALECTS_ALONE.contains(&problem.code));
        found.unlisted = 0;
    }
    finish(found, snapshot, max)
}

/// Syntax problems of a dialect that are not problems in similar languages.
const OF_DIALECTS_ALONE: [Code; 6] = [
    Code::MalformedPlaceholder,
    Code::UnsupportedSyntax,
    Code::SwallowedBrace,
    Code::AccidentalPlaceholder,
    Code::EscapeHazard,
    Code::ModeChangedByBlock,
];

/// The problems in one dialect.
struct DialectProblems {
    problems: Vec<Problem>,
    /// The number of problems that were only counted; see [`Checker::unlisted`].
    unlisted: usize,
}

fn all_problems(snapshot: &Snapshot, max: usize) -> DialectProblems {
    let mut checker = Checker::new(snapshot, max);
    general::check(&mut checker);
    budget::check(&mut checker);
    let names_are_fine = memo::are_names_fine(snapshot);
    let before_names = checker.problems.len();
    if !names_are_fine {
        names::check(&mut checker);
    }
    program::check(&mut checker);
    optional::check(&mut checker);
    contracts::check(&mut checker);
    let mut wrong_names = checker.problems.len() - before_names;
    blocks::check(&mut checker);
    advice(snapshot.dialect()).check_names(&mut checker);
    if snapshot.has_inputs() {
        advice(snapshot.dialect()).check_values(&mut checker);
    }
    declarations::check(&mut checker);
    engines::check(&mut checker);
    if snapshot.has_inputs() {
        let before_reading = checker.problems.len();
        if !names_are_fine {
            empty::check(&mut checker);
            reading::check(&mut checker);
        }
        wrong_names += checker.problems.len() - before_reading;
    }
    if !names_are_fine && wrong_names == 0 && !checker.looks_at_text.get() {
        memo::note_that_names_are_fine(snapshot);
    }
    if snapshot.dialect().spec().declarations {
        fragments::check(&mut checker);
    }
    advice(snapshot.dialect()).check_last(&mut checker);
    listed::check(&mut checker);
    crew::check(&mut checker);
    if let Some(host) = &snapshot.host {
        in_host::keep_certain(&mut checker.problems, host);
        checker.problems.extend(other_texts::problems(snapshot, max));
    }
    let remarks = snapshot.file_problems.iter();
    let remarks: Vec<Problem> = remarks.filter(|it| !is_refused(it, &checker)).cloned().collect();
    checker.problems.extend(remarks);
    DialectProblems { problems: checker.problems, unlisted: checker.unlisted }
}

/// Returns whether a remark about a file has the code and location of an error, so that it is
/// redundant.
fn is_refused(remark: &Problem, checker: &Checker<'_>) -> bool {
    remark.severity == Severity::Information
        && checker.problems.iter().any(|problem| {
            problem.severity == Severity::Error
                && (problem.code, &problem.location) == (remark.code, &remark.location)
        })
}

/// Applies the severities of `promptls.toml`, sorts, and limits the number of problems.
fn finish(found: DialectProblems, snapshot: &Snapshot, max: usize) -> Vec<Problem> {
    let DialectProblems { problems, unlisted } = found;
    if problems.is_empty() {
        return problems;
    }
    let severities = &snapshot.settings.severities;
    let mut problems: Vec<Problem> =
        problems.into_iter().filter_map(|problem| severities.apply(problem)).collect();
    let order = |problem: &Problem| {
        let location = &problem.location;
        (location.file, location.range.start, location.range.end, problem.code)
    };
    problems.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| a.message.cmp(&b.message)));
    problems.dedup();
    cut_listed(problems, unlisted, max)
}

/// Keeps the first `max` problems of each file, and adds the number of the others.
pub fn cut(problems: Vec<Problem>, max: usize) -> Vec<Problem> {
    cut_listed(problems, 0, max)
}

/// The same, with `unlisted` additional problems of the prompt.
fn cut_listed(problems: Vec<Problem>, unlisted: usize, max: usize) -> Vec<Problem> {
    let mut totals = HashMap::from([(FileId::PROMPT, unlisted)]);
    for problem in &problems {
        *totals.entry(problem.location.file).or_default() += 1;
    }
    let mut kept: Vec<Problem> = Vec::with_capacity(problems.len());
    let mut seen: HashMap<FileId, usize> = HashMap::new();
    for problem in problems {
        let file = problem.location.file;
        let seen = seen.entry(file).or_default();
        *seen += 1;
        let total = totals[&file];
        if *seen < max || total <= max {
            kept.push(problem);
        } else if *seen == max {
            let more = total + 1 - max;
            let message = format!("{more} more problems in this file are not shown");
            let last = Problem::new(Code::LimitExceeded, problem.location, message);
            kept.push(Problem { severity: Severity::Information, ..last });
        }
    }
    kept
}
