//! What stands above a prompt: which case is shown, and how it fares.

use std::sync::Arc;

use promptls_resolver::{Problem, Severity};

use crate::diagnose::DEFAULT_MAX_PROBLEMS;
use crate::snapshot::Snapshot;

/// A prompt in a case, in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The case, unless there are no inputs.
    pub case: Option<ShownCase>,
    /// How many errors and warnings there are in that case; at most [`DEFAULT_MAX_PROBLEMS`].
    pub problems: usize,
}

/// A case among the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownCase {
    /// What it is called.
    pub name: Arc<str>,
    /// Its position in the list, from 0.
    pub index: usize,
    /// How many there are.
    pub count: usize,
    /// The one behind it in the list, or the first one.
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
    /// A prompt in a case, which is a position in [`Snapshot::cases`]; the first one if it is none.
    /// `problems` is what is wrong in that case.
    pub fn new(snapshot: &Snapshot, case: Option<usize>, problems: &[Problem]) -> Summary {
        let is_grave =
            |problem: &&Problem| matches!(problem.severity, Severity::Error | Severity::Warning);
        Summary {
            case: shown_case(snapshot, case),
            problems: problems.iter().filter(is_grave).count(),
        }
    }

    /// `Preview`; where no case says the problems, ` · 2 problems`.
    pub fn preview_title(&self) -> String {
        let problems = self.case.is_none().then(|| self.problems_title());
        format!("Preview{}", problems.unwrap_or_default())
    }

    /// ` · 2 problems`; nothing where there are none.
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
    /// `Case default (1 of 3)`; `Case default` where it is the only one.
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
    fn it_names_the_case_and_counts_its_problems() {
        let cases = [("default", r#"{"a": 1, "b": 2}"#), ("half", r#"{"a": 1}"#), ("none", "{}")];
        check(&cases, Some(0), ["Preview", "Case default (1 of 3)", ""]);
        check(&cases, Some(1), ["Preview", "Case half (2 of 3)", " · 1 problem"]);
        check(&cases, Some(2), ["Preview", "Case none (3 of 3)", " · 2 problems"]);
    }

    #[test]
    fn one_case_is_named_too() {
        check(&[("default", "{}")], Some(0), ["Preview", "Case default", " · 2 problems"]);
    }

    #[test]
    fn without_inputs_there_is_no_case() {
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
