//! Everything that is wrong with a prompt and its sidecars.

mod blocks;
mod budget;
mod declarations;
mod fragments;
mod general;
mod names;
mod reading;
#[cfg(test)]
mod tests;
mod values;

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use promptls_resolver::{
    Code, FileId, Location, Problem, Related, Severity, has_block_marker, lookup_name, root,
};
use promptls_syntax::{Dialect, Tree, Use};

use crate::case_values::CaseValues;
use crate::snapshot::Snapshot;

pub(crate) use reading::is_for_tools;
pub use reading::{keys_needed, names_read, unused_inputs, unused_variables};

/// The most problems that are reported for one prompt: editors get all of them with every
/// keystroke, and nobody reads more.
pub const DEFAULT_MAX_PROBLEMS: usize = 500;

/// All problems of a prompt and its own sidecars, at most `max` of them and one that says how
/// many more there are; the prompt's first, then by place.
///
/// The same snapshot gives the same problems, in the same words and order. Cost: the distinct
/// names times the cases, and what is found; not the length of the prompt, unless its tokens are
/// limited.
pub fn diagnose(snapshot: &Snapshot, max: usize) -> Vec<Problem> {
    if snapshot.foreign {
        return vec![general::foreign_front_matter()];
    }
    if snapshot.fits.len() <= 1 {
        return finish(all_problems(snapshot, max), snapshot, max);
    }
    // Only what is wrong in every dialect that it may be is wrong for certain.
    let mut problems = all_problems(snapshot, max);
    for &dialect in snapshot.fits.iter().filter(|&&dialect| dialect != snapshot.dialect()) {
        let other =
            Snapshot { tree: Arc::new(Tree::parse(dialect, &snapshot.text)), ..snapshot.clone() };
        let others: HashSet<(Code, Location)> = all_problems(&other, max)
            .into_iter()
            .map(|problem| (problem.code, problem.location))
            .collect();
        problems.retain(|problem| {
            problem.code == Code::DialectGuessed
                || others.contains(&(problem.code, problem.location.clone()))
        });
    }
    finish(problems, snapshot, max)
}

fn all_problems(snapshot: &Snapshot, max: usize) -> Vec<Problem> {
    let mut checker = Checker::new(snapshot, max);
    general::check(&mut checker);
    budget::check(&mut checker);
    names::check(&mut checker);
    blocks::check(&mut checker);
    if snapshot.has_inputs() {
        values::check(&mut checker);
        declarations::check(&mut checker);
        reading::check(&mut checker);
    }
    if snapshot.dialect().spec().declarations {
        fragments::check(&mut checker);
    }
    checker.problems.extend(snapshot.file_problems.iter().cloned());
    checker.problems
}

/// Applies the severities of `promptls.toml`, sorts, and cuts.
fn finish(mut problems: Vec<Problem>, snapshot: &Snapshot, max: usize) -> Vec<Problem> {
    let severities = &snapshot.settings.severities;
    problems = problems.into_iter().filter_map(|problem| severities.apply(problem)).collect();
    let order = |problem: &Problem| {
        let location = &problem.location;
        (location.file, location.range.start, location.range.end, problem.code)
    };
    problems.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| a.message.cmp(&b.message)));
    problems.dedup();
    cut(problems, max)
}

/// Keeps the first `max` problems of each file, and says how many more there are.
fn cut(problems: Vec<Problem>, max: usize) -> Vec<Problem> {
    let mut kept: Vec<Problem> = Vec::with_capacity(problems.len());
    let mut counts: HashMap<FileId, usize> = HashMap::new();
    for problem in &problems {
        *counts.entry(problem.location.file).or_default() +=
            if problem.code == Code::LimitExceeded { more_than(problem).unwrap_or(1) } else { 1 };
    }
    let mut seen: HashMap<FileId, usize> = HashMap::new();
    for problem in problems {
        if more_than(&problem).is_some() {
            continue;
        }
        let file = problem.location.file;
        let seen = seen.entry(file).or_default();
        *seen += 1;
        let total = counts[&file];
        if *seen < max || total <= max {
            kept.push(problem);
        } else if *seen == max {
            let more = total + 1 - max;
            let location = problem.location.clone();
            let mut last = Problem::new(
                Code::LimitExceeded,
                location,
                format!("{more} more problems in this file are not shown"),
            );
            last.severity = Severity::Information;
            kept.push(last);
        }
    }
    kept
}

/// How many problems stand for themselves in the place of one that was not looked up.
fn more_than(problem: &Problem) -> Option<usize> {
    let [name] = &problem.names[..] else { return None };
    name.strip_prefix(Checker::UNLISTED)?.parse().ok()
}

/// A problem of each place where a name is used in some way.
struct Finding {
    code: Code,
    severity: Severity,
    message: String,
    name: String,
    related: Vec<Related>,
    /// Whether it covers the whole token; else its name.
    whole: bool,
}

impl Finding {
    /// A problem about a name: it covers the name.
    fn of_name(code: Code, message: String, name: &str) -> Self {
        Finding {
            code,
            severity: code.severity(),
            message,
            name: name.to_owned(),
            related: Vec::new(),
            whole: false,
        }
    }

    /// A problem about syntax: it covers the whole placeholder or tag.
    fn of_token(code: Code, message: String, name: &str) -> Self {
        Finding { whole: true, ..Finding::of_name(code, message, name) }
    }

    fn with(self, related: Vec<Related>) -> Self {
        Finding { related, ..self }
    }
}

/// The state that the checks share.
struct Checker<'s> {
    snapshot: &'s Snapshot,
    values: CaseValues<'s>,
    /// Only for suggestions, so most checks never need them.
    known: OnceCell<BTreeSet<&'s str>>,
    problems: Vec<Problem>,
    max: usize,
    has_block_marker: OnceCell<bool>,
}

impl<'s> Checker<'s> {
    /// Marks the problem that stands for places which were counted, but not looked up.
    const UNLISTED: &'static str = "\0unlisted ";

    fn new(snapshot: &'s Snapshot, max: usize) -> Self {
        Checker {
            snapshot,
            values: CaseValues::new(&snapshot.tree, snapshot.given()),
            known: OnceCell::new(),
            problems: Vec::new(),
            max,
            has_block_marker: OnceCell::new(),
        }
    }

    /// See [`has_block_marker`]. Cost: the text, once; so ask only where it matters.
    fn has_block_marker(&self) -> bool {
        let search = || has_block_marker(self.dialect(), &self.snapshot.text.to_string());
        *self.has_block_marker.get_or_init(search)
    }

    fn dialect(&self) -> Dialect {
        self.snapshot.dialect()
    }

    /// See [`Snapshot::known_names`].
    fn known(&self) -> &BTreeSet<&'s str> {
        self.known.get_or_init(|| self.snapshot.known_names())
    }

    /// "in 2 of 5 cases: trial, empty"; nothing if there is only one case.
    fn in_cases(&self, cases: &[usize]) -> String {
        let all = &self.snapshot.cases;
        if all.len() < 2 {
            return String::new();
        }
        if cases.len() == all.len() {
            return format!(" in any of {} cases", all.len());
        }
        let names: Vec<&str> = cases.iter().map(|&case| &*all[case].name).collect();
        format!(" in {} of {} cases: {}", names.len(), all.len(), list(&names))
    }

    /// The value that a problem is about in a case.
    fn value_in(&self, case: usize, location: Location) -> Related {
        let message = match self.snapshot.cases.get(case) {
            Some(case) if self.snapshot.cases.len() > 1 => {
                format!("the value in case {}", case.name)
            }
            _ => "the value".to_owned(),
        };
        Related { location, message }
    }

    /// Why a name has no value in each of some cases.
    fn lacking_in(&self, cases: &[usize], name: &str) -> Vec<Related> {
        let given = self.values.given();
        let case = |&case: &usize| {
            let lookup = lookup_name(self.dialect(), name, &given[case]);
            let first = root(self.dialect(), name);
            Some(names::why_missing(self.snapshot.cases.get(case)?, &lookup, first, name))
        };
        cases.iter().filter_map(case).collect()
    }

    /// Adds a problem for each place of these uses, as far as the limit goes.
    fn report(&mut self, findings: &HashMap<Use, Finding>) {
        if findings.is_empty() {
            return;
        }
        let tree = &self.snapshot.tree;
        let wanted: HashSet<Use> = findings.keys().copied().collect();
        let total: usize = tree
            .uses()
            .filter(|(used, _)| wanted.contains(used))
            .map(|(_, count)| count as usize)
            .sum();
        let found = tree.occurrences(&wanted, self.max + 1);
        let listed = found.len();
        for token in found {
            let Some(finding) = findings.get(&token.used()) else { continue };
            let range =
                if finding.whole { token.token.range() } else { self.snapshot.name_range(&token) };
            let location = Location { file: FileId::PROMPT, range };
            let mut problem = Problem::new(finding.code, location, finding.message.clone())
                .about(finding.name.clone());
            problem.severity = finding.severity;
            problem.related.clone_from(&finding.related);
            self.problems.push(problem);
        }
        if listed < total {
            let location = Location { file: FileId::PROMPT, range: 0..0 };
            let mut more = Problem::new(Code::LimitExceeded, location, "");
            more.names.push(format!("{}{}", Self::UNLISTED, total - listed));
            self.problems.push(more);
        }
    }
}

/// `a, b, c`, cut after a few.
fn list(names: &[&str]) -> String {
    const SHOWN: usize = 6;
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{shown} and {more} more"),
        _ => shown,
    }
}
