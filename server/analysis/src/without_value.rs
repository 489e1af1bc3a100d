//! Placeholders that stand in a resolved text for themselves, because they have no value.

use std::collections::HashSet;
use std::ops::Range;

use promptls_resolver::{Given, Outcome, Resolution, Run, RunKind, lookup_name};
use promptls_syntax::TokenKind;

use crate::snapshot::Snapshot;

/// Why a placeholder has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacking {
    /// It needs one.
    Missing,
    /// It comes at run time only.
    Runtime,
}

impl Lacking {
    /// The word for it in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Lacking::Missing => "missing",
            Lacking::Runtime => "runtime",
        }
    }
}

/// Tells the placeholders without a value from literal text and from empty values.
pub struct WithoutValue<'a> {
    snapshot: &'a Snapshot,
    /// Where a name was needed that has no value.
    missing: HashSet<&'a Range<usize>>,
    given: &'a Given<'a>,
}

impl<'a> WithoutValue<'a> {
    /// For the runs of what became of a prompt.
    pub fn new(snapshot: &'a Snapshot, resolution: &'a Resolution, given: &'a Given<'a>) -> Self {
        WithoutValue { snapshot, missing: resolution.missing(), given }
    }

    /// What is to be said of a run, and the name. `None` for all that have their value, or none to
    /// have.
    pub fn of(&self, run: &Run) -> Option<(Lacking, String)> {
        if !matches!(run.kind, RunKind::Literal | RunKind::Value) || run.origin.is_some() {
            return None;
        }
        let is_missing = self.missing.contains(&run.source);
        if !is_missing && self.given.runtime.is_empty() {
            return None;
        }
        let snapshot = self.snapshot;
        let token = snapshot.token_at(run.source.start)?;
        let name = snapshot.slice(snapshot.name_range(&token));
        if is_missing {
            return Some((Lacking::Missing, name));
        }
        let is_runtime = run.kind == RunKind::Literal
            && token.token.range() == run.source
            && matches!(token.token.kind, TokenKind::Placeholder | TokenKind::Optional)
            && matches!(
                lookup_name(snapshot.engine(), &name, self.given).outcome,
                Outcome::Runtime
            );
        is_runtime.then_some((Lacking::Runtime, name))
    }
}
