//! Placeholders that remain in a resolved text, because they have no value.

use std::collections::HashSet;
use std::ops::Range;

use promptls_resolver::{Outcome, Resolution, ResolveContext, Run, RunKind, lookup_name};
use promptls_syntax::TokenKind;

use crate::snapshot::Snapshot;

/// The reason why a placeholder has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValueReason {
    /// The value is required and missing.
    Missing,
    /// The value is supplied only at run time.
    Runtime,
}

impl NoValueReason {
    /// The identifier in JSON output: `missing` or `runtime`.
    pub const fn id(self) -> &'static str {
        match self {
            NoValueReason::Missing => "missing",
            NoValueReason::Runtime => "runtime",
        }
    }
}

/// Distinguishes placeholders without a value from literal text and from empty values.
pub struct WithoutValue<'a> {
    snapshot: &'a Snapshot,
    /// The ranges of names that require a value and have none.
    missing: HashSet<&'a Range<usize>>,
    given: &'a ResolveContext<'a>,
}

impl<'a> WithoutValue<'a> {
    /// For the runs of a resolved prompt.
    pub fn new(
        snapshot: &'a Snapshot,
        resolution: &'a Resolution,
        given: &'a ResolveContext<'a>,
    ) -> Self {
        WithoutValue { snapshot, missing: resolution.missing(), given }
    }

    /// The reason why a run has no value, and its name. `None` for runs that have a value or need
    /// none.
    pub fn of(&self, run: &Run) -> Option<(NoValueReason, String)> {
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
            return Some((NoValueReason::Missing, name));
        }
        let is_runtime = run.kind == RunKind::Literal
            && token.token.range() == run.source
            && matches!(token.token.kind, TokenKind::Placeholder | TokenKind::Optional)
            && matches!(
                lookup_name(snapshot.engine(), &name, self.given).outcome,
                Outcome::Runtime
            );
        is_runtime.then_some((NoValueReason::Runtime, name))
    }
}
