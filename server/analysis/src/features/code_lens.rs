//! The lens above a prompt: its selected case, and the number of problems.

use std::sync::Arc;

use promptls_resolver::{Problem, Severity};

use crate::diagnose::DEFAULT_MAX_PROBLEMS;
use crate::snapshot::Snapshot;

/// A short summary of a prompt in a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The selected case; `None` without any inputs.
    pub case: Option<ShownCase>,
    /// The number of errors and warnings in that case; at most [`DEFAULT_MAX_PROBLEMS`].
    pub problems: usize,
}

/// The selected case, with its position among all cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownCase {
    /// The name of the case.
    pub name: Arc<str>,
    /// Its index among all cases, from 0.
    pub index: usize,
    /// The total number of cases.
    pub count: usize,
    /// The name of the next case; after the last one, of the first.
    pub next: Arc<str>,
}

fn shown_case(snapshot: &Snapshot, case: Option<usize>) -> Option<ShownCase> {
    let cases = &snapshot.cases;
    let index = case.filter(|&case| case < cases.len()).unwrap_or(0);
    Some(ShownCase {
        name: cases.get(index)?.name.clone(),
        index,
        count: cases.len(),
        next: cases[(index + 1) % cases.len()].name.clone(),
    })
}

impl Summary {
    /// Summarizes a prompt in a case, an index into [`Snapshot::cases`]; the default is the first
    /// one. `problems` are those in that case.
    pub fn new(snapshot: &Snapshot, case: Option<usize>, problems: &[Problem]) -> Summary {
        let is_grave =
            |problem: &&Problem| matches!(problem.severity, Severity::Error | Severity::Warning);
        Summary {
            case: shown_case(snapshot, case),
            problems: problems.iter().filter(is_grave).count(),
        }
    }

    /// `Preview`; without a case, also ` · 2 problems`.
    pub fn preview_title(&self) -> String {
        let problems = self.case.is_none().then(|| self.problems_title());
        format!("Preview{}", problems.unwrap_or_default())
    }

    /// ` · 2 problems`; empty if there are none.
    pub fn problems_title(&self) -> String {
        match self.problems {
            0 => String::new(),
            1 => " · 1 problem".to_owned(),
            count if count >= DEFAULT_MAX_PROBLEMS => format!(" · {count} problems or more"),
            count => format!(" · {count} problems"),
        }
    }
}

impl ShownCase {
    /// `Case default (1 of 3)`; `Case default` if it is the only one.
    pub fn title(&self) -> String {
        match self.count {
            1 => format!("Case {}", self.name),
            count => format!("Case {} ({} of {count})", self.name, self.index + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use promptls_syntax::Dialect;

    use super::*;
    use crate::diagnose::diagnose;
    use crate::snapshot::test::Fixture;

    fn summary(snapshot: &Snapshot, case: Option<usize>) -> Summary {
        let shown = shown_case(snapshot, case).map(|shown| shown.index);
        let problems = diagnose(&snapshot.of_case(shown), DEFAULT_MAX_PROBLEMS);
        Summary::new(snapshot, case, &problems)
    }

    #[track_caller]
    fn check(cases: &[(&str, &str)], case: Option<usize>, titles: [&str; 3]) {
        let snapshot = Fixture::new(Dialect::Adk, "{a} {b}").cases(cases).build();
        let summary = summary(&snapshot, case);
        let case_title = summary.case.as_ref().map(ShownCase::title).unwrap_or_default();
        assert_eq!([summary.preview_title(), case_title, summary.problems_title()], titles);
    }

    #[test]
    fn lenses_name_the_case_and_count_its_problems() {
        let cases = [("default", r#"{"a": 1, "b": 2}"#), ("half", r#"{"a": 1}"#), ("none", "{}")];
        check(&cases, Some(0), ["Preview", "Case default (1 of 3)", ""]);
        check(&cases, Some(1), ["Preview", "Case half (2 of 3)", " · 1 problem"]);
        check(&cases, Some(2), ["Preview", "Case none (3 of 3)", " · 2 problems"]);
    }

    #[test]
    fn lenses_name_a_single_case() {
        check(&[("default", "{}")], Some(0), ["Preview", "Case default", " · 2 problems"]);
    }

    #[test]
    fn lenses_name_no_case_without_inputs() {
        check(&[], None, ["Preview", "", ""]);
    }

    #[test]
    fn the_last_case_is_followed_by_the_first() {
        let cases = [("a", "{}"), ("b", "{}")];
        let snapshot = Fixture::new(Dialect::Adk, "{x}").cases(&cases).build();
        let shown = |case| summary(&snapshot, case).case.expect("there are cases");
        assert_eq!(
            [None, Some(1), Some(9)].map(|case| shown(case).next.to_string()),
            ["b", "a", "b"]
        );
    }
}
