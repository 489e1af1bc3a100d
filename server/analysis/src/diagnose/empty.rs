//! Values that a prompt sends, and that are empty in every case: the prompt was never tested with a
//! real value.
//!
//! Some empty values are intended. Null means that there is no value. A name that is used only in a
//! condition may be empty to test the other branch. An optional name may be empty. These are not
//! reported, nor are names that some case does not read.

use promptls_resolver::{Code, Location, Lookup, Outcome, ValueKind};
use promptls_syntax::{TokenKind, Use, UseMap};

use super::checker::{Checker, Finding};
use super::values::{readers, related};
use crate::snapshot::Case;

pub(super) fn check(checker: &mut Checker<'_>) {
    // This runs at each keystroke, and usually some case has no empty text at all.
    let may_be_empty = |case: &Case| {
        let entries = case.inputs.root.entries().iter();
        entries.map(|entry| &entry.value).any(|value| match value.as_text() {
            Some(text) => text.is_empty(),
            None => matches!(value.kind, ValueKind::List(_) | ValueKind::Object(_)),
        })
    };
    let cases = &checker.snapshot.cases;
    if cases.is_empty() || !cases.iter().all(may_be_empty) {
        return;
    }
    let mut findings = UseMap::default();
    for (used, name) in readers(checker) {
        if used.kind != TokenKind::Placeholder || !used.in_force {
            continue;
        }
        if let Some(cases) = empty_in_every_case(checker, used, name) {
            let in_cases = match cases.len() {
                1 => String::new(),
                2 => " in both cases".to_owned(),
                count => format!(" in all {count} cases"),
            };
            let message = format!("`{name}` is empty{in_cases}, so nothing is sent in its place");
            let finding = Finding::of_name(Code::EmptyInput, message, name);
            findings.insert(used, finding.with(related(checker, &cases)));
        }
    }
    checker.report_once(&findings);
}

/// The location of the empty value in each case; `None` if some case has another value, or does not
/// read it.
fn empty_in_every_case<'s>(
    checker: &mut Checker<'s>,
    used: Use,
    name: &'s str,
) -> Option<Vec<(usize, (), Option<Location>)>> {
    let place_in = |case| {
        let mut place = None;
        checker.values.each(case, used.scope, name, |found| {
            place = written_empty(found);
            place.is_some()
        });
        Some((case, (), Some(place?)))
    };
    let places: Vec<_> = (0..checker.snapshot.cases.len()).map(place_in).collect::<Option<_>>()?;
    // A text that could not be read is reported separately, and an empty default is intended.
    let snapshot = checker.snapshot;
    let is_reported = |place: &Location| {
        place.file == snapshot.declarations.file
            || snapshot.file_problems.iter().any(|problem| problem.location == *place)
    };
    let is_news = !places.iter().any(|(.., place)| place.as_ref().is_some_and(is_reported));
    is_news.then_some(places)
}

/// The location of the empty text that a lookup returned.
fn written_empty(found: Lookup<'_>) -> Option<Location> {
    let text = match found.outcome {
        Outcome::Text(text) => text,
        Outcome::Value(value, _) => value.as_text()?,
        _ => return None,
    };
    found.location.filter(|_| text.is_empty())
}
