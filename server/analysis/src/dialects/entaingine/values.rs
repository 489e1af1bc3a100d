//! Values that come out otherwise than their author may think.

use std::collections::HashMap;

use promptls_resolver::{Code, Location, Outcome, Severity, entaingine};
use promptls_syntax::Dialect;

use crate::diagnose::checker::{Checker, Finding};
use crate::diagnose::values::{in_cases, placeholder_in, readers, related};
use crate::snapshot::Case;

pub(super) fn check(checker: &mut Checker<'_>) {
    held_placeholders(checker);
    unfetched(checker);
}

/// The engine never resolves a value again, which those who nest placeholders do not expect.
fn held_placeholders(checker: &mut Checker<'_>) {
    let mut findings = HashMap::new();
    for (used, name) in readers(checker) {
        let cases = in_cases(checker, used, name, |lookup| match &lookup.outcome {
            Outcome::Text(text) => placeholder_in(Dialect::Entaingine, text, |_| true),
            Outcome::Composed(text) => placeholder_in(Dialect::Entaingine, text, |_| true),
            _ => None,
        });
        let Some((_, inner, _)) = cases.first() else { continue };
        let indexes: Vec<usize> = cases.iter().map(|(case, ..)| *case).collect();
        let message = format!(
            "the value of `{name}` holds `{{{inner}}}`, which stays as it is{}",
            checker.in_cases(&indexes)
        );
        let finding = Finding {
            severity: Severity::Information,
            ..Finding::of_name(Code::ValueReresolved, message, name).with(related(checker, &cases))
        };
        findings.insert(used, finding);
    }
    checker.report(&findings);
}

/// Links that the engine fetches, where we know no text for them.
fn unfetched(checker: &mut Checker<'_>) {
    let mut findings = HashMap::new();
    for (used, name) in readers(checker) {
        let (mut cases, mut related) = (Vec::new(), Vec::new());
        let mut url = String::new();
        let given = checker.values.given().iter().zip(&checker.snapshot.cases);
        for (case, (given, Case { inputs, .. })) in given.enumerate() {
            let unknown = entaingine::fetched(name, given)
                .into_iter()
                .filter_map(|value| {
                    let location = Location { file: inputs.file, range: value.span.range() };
                    Some((value.as_text()?, location))
                })
                .find(|(url, _)| entaingine::document(url, given).is_none());
            if let Some((text, location)) = unknown {
                url = text.to_owned();
                related.push(checker.value_in(case, location));
                cases.push(case);
            }
        }
        if cases.is_empty() {
            continue;
        }
        let message = format!(
            "the engine fetches the document behind `{name}`; add its text to `documents` under \"{url}\" to see it{}",
            checker.in_cases(&cases)
        );
        let finding = Finding {
            severity: Severity::Warning,
            ..Finding::of_name(Code::UndefinedPlaceholder, message, name).with(related)
        };
        findings.insert(used, finding);
    }
    checker.report(&findings);
}
