//! Langfuse for JavaScript, which compiles the same texts with Mustache. Its texts are not known
//! exactly, except where both engines treat a tag alike.

use std::ops::Range;

use promptls_resolver::{Code, FileId, Location, Problem, Severity};

use crate::diagnose::checker::Checker;
use crate::snapshot::UnknownEngine;

/// Problems that may not exist with Mustache, whose paths and sections read other names.
const ABOUT_NAMES: [Code; 5] = [
    Code::UndefinedPlaceholder,
    Code::UnsupportedSyntax,
    Code::UnusedInput,
    Code::UndeclaredVariable,
    Code::UnusedVariable,
];

/// Reports the first tag that Mustache treats differently, if the project uses that engine.
pub(super) fn check(checker: &mut Checker<'_>) {
    let Some(engine) = &checker.snapshot.settings.unknown_engine else { return };
    let text = checker.start();
    let Some(range) = first_difference(text) else { return };
    let problem = problem(&text[range.clone()], range, engine);
    checker.problems.retain(|problem| !ABOUT_NAMES.contains(&problem.code));
    checker.unlisted = 0;
    checker.problems.push(problem);
}

fn problem(tag: &str, range: Range<usize>, engine: &UnknownEngine) -> Problem {
    let UnknownEngine { title, reason } = engine;
    let reason = reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    let line = tag.split(['\n', '\r']).next().unwrap_or(tag);
    let message = format!(
        "{title}{reason} fills in this prompt with Mustache, which promptls does not know exactly; \
         names are not checked, and `{line}` is shown as Langfuse for Python sends it"
    );
    let location = Location { file: FileId::PROMPT, range };
    Problem {
        severity: Severity::Information,
        ..Problem::new(Code::EngineDiffers, location, message)
    }
}

/// The first tag that is no plain name: a path, a section, a comment, or one without an end.
fn first_difference(text: &str) -> Option<Range<usize>> {
    let mut from = 0;
    while let Some(start) = text[from..].find("{{").map(|at| from + at) {
        let inside = start + 2;
        let Some(end) = text[inside..].find("}}").map(|at| inside + at) else {
            return Some(start..text.len());
        };
        let name = text[inside..end].trim();
        let is_plain = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | ' ' | ':');
        if name.is_empty() || !name.chars().all(is_plain) {
            return Some(start..end + 2);
        }
        from = end + 2;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_do_not_differ_between_both_engines() {
        for (text, expected) in [
            ("{{name}} { a } {{ first name }} {{a-b}}", None),
            ("{{a}} {{user.name}} {{b.c}}", Some("{{user.name}}")),
            ("{{#vip}}a{{/vip}}", Some("{{#vip}}")),
            ("{{! note }}", Some("{{! note }}")),
            ("{{{a}}}", Some("{{{a}}")),
            ("{{}}", Some("{{}}")),
            ("{{a}} {{b", Some("{{b")),
        ] {
            assert_eq!(first_difference(text).map(|range| &text[range]), expected, "{text}");
        }
    }
}
