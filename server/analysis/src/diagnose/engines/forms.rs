//! Values that engines of a dialect write in different forms, if no engine is named.

use std::collections::BTreeMap;

use promptls_resolver::{
    Code, Engine, Location, ResolveContext, Severity, Value, ValueKind, lookup_name,
};
use promptls_syntax::{TokenKind, TokenRef, UseSet};

use super::super::checker::{Checker, Finding};
use super::super::values::readers;
use super::sends;
use crate::diagnose::hazards::newest_engines;
use crate::dialects::format::has_specification;
use crate::snapshot::Case;

/// The maximum length of a text that is compared; a difference is at its start.
const MAX: usize = 1_000;

/// The maximum number of placeholders that are compared for each kind of value.
const MANY: usize = 20;

/// A hint for each kind of value that the newest engines of the dialect write differently, at the
/// first placeholder with one.
///
/// Cost: the names and cases; only a few values are written.
pub(super) fn check(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let dialect = checker.dialect();
    // This runs at each keystroke, and usually there are no such values.
    let has_any =
        |case: &Case| case.inputs.root.entries().iter().any(|entry| kind(&entry.value).is_some());
    if !snapshot.cases.iter().any(has_any) {
        return;
    }
    let engines: Vec<(&str, Engine)> = newest_engines(dialect).collect();
    if engines.len() < 2 || snapshot.is_guessed() {
        return;
    }
    let mut by_kind: BTreeMap<&str, UseSet> = BTreeMap::new();
    for (used, name) in readers(checker) {
        // The condition of a block is not part of the output.
        if !matches!(used.kind, TokenKind::Placeholder | TokenKind::Optional) {
            continue;
        }
        for case in &snapshot.cases {
            if let Some(kind) = case.inputs.root.get(name).and_then(|entry| kind(&entry.value)) {
                by_kind.entry(kind).or_default().insert(used);
            }
        }
    }
    for (kind, uses) in by_kind {
        let places = snapshot.tree.occurrences(&uses, MANY);
        // A format specification determines the form.
        let is_plain = |place: &&TokenRef<'_>| !has_specification(snapshot, place);
        let found = places
            .iter()
            .filter(is_plain)
            .find_map(|place| Some((place, finding_for(checker, &engines, place.name, kind)?)));
        if let Some((place, finding)) = found {
            checker.report_at(&finding, place);
        }
    }
}

/// The finding for a name whose value has this kind in a case, if its text differs.
fn finding_for(
    checker: &Checker<'_>,
    engines: &[(&str, Engine)],
    name: &str,
    of_kind: &str,
) -> Option<Finding> {
    let cases = checker.snapshot.cases.iter().zip(checker.values.given());
    cases.enumerate().find_map(|(case, (Case { inputs, .. }, given))| {
        let value = &inputs.root.get(name)?.value;
        let [one, other] = (kind(value)? == of_kind).then(|| apart(engines, name, given))??;
        let message = format!("`{name}` is {of_kind}: {one}, {other}");
        let location = Location { file: inputs.file, range: value.span.range() };
        let finding = Finding::of_name(Code::EngineDiffers, message, name);
        let related = vec![checker.value_in(case, location)];
        Some(Finding { severity: Severity::Hint, ..finding }.with(related))
    })
}

/// The kind of a value; `None` if all engines write it in the same form.
fn kind(value: &Value) -> Option<&'static str> {
    match &value.kind {
        ValueKind::String(_) | ValueKind::File(_) => None,
        ValueKind::Number(written) => (!is_small(written)).then_some("a number"),
        ValueKind::Bool(_) => Some("a boolean"),
        ValueKind::Null => Some("null"),
        ValueKind::List(_) | ValueKind::Object(_) => Some("a list or an object"),
    }
}

/// Returns whether a number is an integer with the same text in every language.
fn is_small(written: &str) -> bool {
    let digits = written.strip_prefix('-').unwrap_or(written);
    digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_digit()) && written != "-0"
}

/// The results of two engines for a name, if they differ for any two.
fn apart(
    engines: &[(&str, Engine)],
    name: &str,
    given: &ResolveContext<'_>,
) -> Option<[String; 2]> {
    let sent = |(id, engine): &(&str, Engine)| {
        let text = lookup_name(*engine, name, given).text(MAX);
        let result = match &text {
            Some(text) => format!("`{id}` {}", sends(text)),
            None => format!("`{id}` has no value for it"),
        };
        (text, result)
    };
    let (first, result) = sent(&engines[0]);
    let mut others = engines[1..].iter().map(sent);
    others.find(|(text, _)| *text != first).map(|(_, other)| [result, other])
}
