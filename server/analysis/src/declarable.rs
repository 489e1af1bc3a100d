//! Determines which names an author declares.

use std::collections::HashSet;

use promptls_resolver::{effective_name, root};

use crate::dialects::advice;
use crate::snapshot::Snapshot;

/// Returns whether a name in braces refers to a value of the author, which may be declared. Files,
/// fragments, items of loops, and names that the engine supplies do not.
pub(crate) fn can_be_declared(snapshot: &Snapshot, name: &str) -> bool {
    let dialect = snapshot.dialect();
    let spec = dialect.spec();
    let first = root(dialect, name);
    !first.is_empty()
        && spec.item != Some(first)
        && !spec.file_prefix.is_some_and(|prefix| first.starts_with(prefix))
        && snapshot.fragment_name(name).is_none()
        && !dialect.is_engine_key(first)
        && !dialect.injects(first)
        && effective_name(snapshot.engine(), name) == name
        && advice(dialect).foreign_name(name).is_none()
}

/// Returns whether a name in braces should be declared and is not.
pub(crate) fn is_undeclared(snapshot: &Snapshot, name: &str) -> bool {
    let first = root(snapshot.dialect(), name);
    can_be_declared(snapshot, name) && snapshot.declarations.variable(first).is_none()
}

/// The first names of paths that a prompt reads without a declaration, in the order of the
/// prompt.
///
/// Cost: the tokens.
pub(crate) fn names_to_declare(snapshot: &Snapshot) -> Vec<&str> {
    let mut seen = HashSet::new();
    let tokens = snapshot.tree.tokens();
    let read = tokens.filter(|token| token.token.kind.reads()).map(|token| token.name);
    read.filter(|name| is_undeclared(snapshot, name))
        .map(|name| root(snapshot.dialect(), name))
        .filter(|first| seen.insert(*first))
        .collect()
}
