//! Certain problems of a prompt that is a string of another language. Only the running program
//! determines the values of its holes.

use promptls_resolver::{Code, FileId, Problem};

use super::reading::is_of_hole;
use crate::snapshot::HostText;

/// Codes that do not apply to a string in code: its host determines the dialect.
const NEVER: [Code; 2] = [Code::DialectGuessed, Code::ForeignFrontMatter];

/// Keeps the problems that do not depend on the values of the holes.
pub fn keep_certain(problems: &mut Vec<Problem>, host: &HostText) {
    let applies = |code: Code| match code {
        Code::NoInputs => !has_source_of_values(host),
        _ => host.is_whole_file || !NEVER.contains(&code),
    };
    problems.retain(|problem| applies(problem.code) && is_certain(problem, host));
}

/// `true` if the program around a prompt supplies the values, whether all of that is known or not.
fn has_source_of_values(host: &HostText) -> bool {
    host.is_whole_file
        || host.is_of_framework
        || host.program.has_state
        || !host.contracts.is_empty()
        || host.listed.is_some()
}

fn is_certain(problem: &Problem, host: &HostText) -> bool {
    let (Some(first), Some(last)) = (host.holes.first(), host.holes.last()) else { return true };
    let range = &problem.location.range;
    match problem.code {
        Code::UnusedInput => problem.names.iter().any(|name| is_of_hole(name)),
        // A hole may read any name.
        Code::UnusedVariable => false,
        // A hole may contain the other tag.
        Code::UnclosedBlock => last.range.start < range.start,
        Code::StrayCloser => range.end < first.range.start,
        Code::MismatchedCloser => false,
        _ => problem.location.file != FileId::PROMPT || !host.has_hole_at(range),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use promptls_syntax::Dialect;

    use crate::snapshot::{Hole, HostText, Snapshot, test::Fixture};
    use crate::{DEFAULT_MAX_PROBLEMS, diagnose};

    /// The codes of the problems of a text in which each `\u{FFFC}` is a hole.
    fn codes(dialect: Dialect, text: &str, inputs: &str) -> Vec<&'static str> {
        let hole = |(at, hole): (usize, &str)| Hole {
            range: at..at + hole.len(),
            written: "x".into(),
            text: None,
        };
        let holes = text.match_indices('\u{FFFC}').map(hole);
        let host = Some(Arc::new(HostText { holes: holes.collect(), ..HostText::default() }));
        let fixture = Fixture::new(dialect, text).cases(&[("default", inputs)]);
        let snapshot = Snapshot { host, ..fixture.build() };
        let problems = diagnose(&snapshot, DEFAULT_MAX_PROBLEMS);
        problems.iter().map(|problem| problem.code.id()).collect()
    }

    #[test]
    fn syntax_that_a_hole_may_complete_is_not_reported() {
        for (dialect, text, expected) in [
            (Dialect::Adk, "{topic} {\u{FFFC}} {a\u{FFFC}}", &["undefined-placeholder"][..]),
            (Dialect::Langfuse, "{{topic}} {{a \u{FFFC}}}", &["undefined-placeholder"]),
            (Dialect::Adk, "{name} \u{FFFC}", &[]),
            (Dialect::Agentle, "{{#if name}}a \u{FFFC}", &[]),
            (Dialect::Agentle, "\u{FFFC} {{#if name}}a", &["unclosed-block"]),
            (Dialect::Agentle, "\u{FFFC} a{{/if}}", &[]),
            (Dialect::Agentle, "a{{/if}} \u{FFFC}", &["stray-closer"]),
        ] {
            assert_eq!(codes(dialect, text, r#"{"name": "Ada"}"#), expected, "{text}");
        }
    }

    #[test]
    fn only_values_of_holes_can_be_unused_beside_a_hole() {
        let inputs = r#"{"name": "Ada", "other": 1, "=x": 2, "=z": 3}"#;
        assert_eq!(codes(Dialect::Adk, "{name} \u{FFFC}", inputs), ["unused-input"]);
    }
}
