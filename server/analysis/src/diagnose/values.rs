//! Lookups for checks of values: the uses of a name, and its value in each case.

use promptls_resolver::{Engine, Location, Lookup, Related};
use promptls_syntax::{TokenKind, Use, name_range, tokenize};

use super::checker::Checker;

/// The uses that read a name, each with its name.
pub(crate) fn readers<'s>(checker: &Checker<'s>) -> Vec<(Use, &'s str)> {
    let tree = &checker.snapshot.tree;
    tree.uses()
        .map(|(used, _)| used)
        .filter(|used| used.kind.reads())
        .map(|used| (used, tree.name(used.name)))
        .collect()
}

/// The results of `select` for the value of a name in each case, where it returns one.
pub(crate) fn in_cases<'s, T>(
    checker: &mut Checker<'s>,
    used: Use,
    name: &str,
    select: impl Fn(&Lookup<'s>) -> Option<T>,
) -> Vec<(usize, T, Option<Location>)> {
    (0..checker.values.given().len())
        .filter_map(|case| {
            let lookup =
                checker.values.find(case, used.scope, name, |found| select(found).is_some())?;
            Some((case, select(&lookup)?, lookup.location))
        })
        .collect()
}

pub(crate) fn related<T>(
    checker: &Checker<'_>,
    cases: &[(usize, T, Option<Location>)],
) -> Vec<Related> {
    let value = |(case, _, location): &(usize, T, Option<Location>)| {
        Some(checker.value_in(*case, location.clone()?))
    };
    cases.iter().filter_map(value).collect()
}

/// The first placeholder in a value.
pub(crate) fn placeholder_in(
    engine: impl Into<Engine>,
    text: &str,
    is_match: impl Fn(&str) -> bool,
) -> Option<String> {
    if !text.contains('{') {
        return None;
    }
    let mut found = None;
    let engine = engine.into();
    tokenize(engine, text, |token| {
        let source = &text[token.range()];
        let name = &source[name_range(engine, token.kind, source)];
        if found.is_none() && token.kind == TokenKind::Placeholder && is_match(name) {
            found = Some(name.to_owned());
        }
    });
    found
}
