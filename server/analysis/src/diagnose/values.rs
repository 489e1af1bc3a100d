//! Values that come out otherwise than their author may think.

use std::collections::{BTreeMap, HashMap, HashSet};

use promptls_resolver::{Code, Location, Lookup, Outcome, Related, Severity, entaingine};
use promptls_syntax::{Dialect, TokenKind, Use, name_range, tokenize};

use super::{Checker, Finding};

pub(super) fn check(checker: &mut Checker<'_>) {
    match checker.dialect() {
        Dialect::AgentEnsemble => {
            wrong_kinds(checker);
            resolved_again(checker);
        }
        Dialect::Entaingine => {
            held_placeholders(checker);
            unfetched(checker);
        }
        Dialect::Adk | Dialect::PromptPack | Dialect::Agentle => {}
    }
}

/// The uses that read a name, with its name.
fn readers<'s>(checker: &Checker<'s>) -> Vec<(Use, &'s str)> {
    let tree = &checker.snapshot.tree;
    tree.uses()
        .map(|(used, _)| used)
        .filter(|used| used.kind.reads())
        .map(|used| (used, tree.name(used.name)))
        .collect()
}

/// What each case says of a name, where it says what `wanted` looks for.
fn in_cases<'s, T>(
    checker: &mut Checker<'s>,
    used: Use,
    name: &str,
    wanted: impl Fn(&Lookup<'s>) -> Option<T>,
) -> Vec<(usize, T, Option<Location>)> {
    (0..checker.values.given().len())
        .filter_map(|case| {
            let lookup =
                checker.values.find(case, used.scope, name, |found| wanted(found).is_some())?;
            Some((case, wanted(&lookup)?, lookup.location))
        })
        .collect()
}

fn related<T>(checker: &Checker<'_>, cases: &[(usize, T, Option<Location>)]) -> Vec<Related> {
    let value = |(case, _, location): &(usize, T, Option<Location>)| {
        Some(checker.value_in(*case, location.clone()?))
    };
    cases.iter().filter_map(value).collect()
}

/// Lists and objects where the engine takes only strings.
fn wrong_kinds(checker: &mut Checker<'_>) {
    let mut findings = HashMap::new();
    for (used, name) in readers(checker) {
        let cases = in_cases(checker, used, name, |lookup| {
            matches!(lookup.outcome, Outcome::WrongType).then_some(())
        });
        if cases.is_empty() {
            continue;
        }
        let indexes: Vec<usize> = cases.iter().map(|(case, ..)| *case).collect();
        let message = format!(
            "`{name}` is a list or an object{}; AgentEnsemble takes only strings",
            checker.in_cases(&indexes)
        );
        let finding =
            Finding::of_name(Code::TypeMismatch, message, name).with(related(checker, &cases));
        findings.insert(used, finding);
    }
    checker.report(&findings);
}

/// AgentEnsemble replaces name by name: a value that holds `{b}` is resolved again if `b` stands
/// first in the prompt only behind it.
fn resolved_again(checker: &mut Checker<'_>) {
    let mut suspects = Vec::new();
    let names: HashSet<&str> = readers(checker).into_iter().map(|(_, name)| name).collect();
    for (used, name) in readers(checker) {
        let cases = in_cases(checker, used, name, |lookup| {
            let Outcome::Text(text) = lookup.outcome else { return None };
            placeholder_in(Dialect::AgentEnsemble, text, |inner| {
                inner != name && names.contains(inner)
            })
        });
        if !cases.is_empty() {
            suspects.push((used, name, cases));
        }
    }
    if suspects.is_empty() {
        return;
    }
    // Only now is it worth looking where each name stands first.
    let mut order: BTreeMap<&str, usize> = BTreeMap::new();
    for found in checker.snapshot.tree.tokens() {
        if found.token.kind.reads() {
            let next = order.len();
            order.entry(found.name).or_insert(next);
        }
    }
    let mut findings = HashMap::new();
    for (used, name, mut cases) in suspects {
        cases.retain(|(_, inner, _)| order.get(inner.as_str()) > order.get(name));
        let Some((_, inner, _)) = cases.first() else { continue };
        let indexes: Vec<usize> = cases.iter().map(|(case, ..)| *case).collect();
        let message = format!(
            "the value of `{name}` holds `{{{inner}}}`, which is resolved again{}",
            checker.in_cases(&indexes)
        );
        let finding =
            Finding::of_name(Code::ValueReresolved, message, name).with(related(checker, &cases));
        findings.insert(used, finding);
    }
    checker.report(&findings);
}

/// entAIngine never resolves a value again, which those who nest placeholders do not expect.
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

/// The first placeholder that a value holds.
fn placeholder_in(dialect: Dialect, text: &str, wanted: impl Fn(&str) -> bool) -> Option<String> {
    if !text.contains('{') {
        return None;
    }
    let mut found = None;
    tokenize(dialect, text, |token| {
        let source = &text[token.range()];
        let name = &source[name_range(dialect, token.kind, source)];
        if found.is_none() && token.kind == TokenKind::Placeholder && wanted(name) {
            found = Some(name.to_owned());
        }
    });
    found
}

/// Links that the engine fetches, where we know no text for them.
fn unfetched(checker: &mut Checker<'_>) {
    let mut findings = HashMap::new();
    for (used, name) in readers(checker) {
        let (mut cases, mut related) = (Vec::new(), Vec::new());
        let mut url = String::new();
        for (case, given) in checker.values.given().iter().enumerate() {
            let unknown = entaingine::fetched(name, given)
                .into_iter()
                .filter_map(|value| {
                    let location = Location { file: given.inputs.file, range: value.span.range() };
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
