//! What engines of one dialect are known to differ in, as far as a prompt shows it.
//!
//! Each dialect has its own in a file of `dialects/`.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use promptls_resolver::blocks::is_of_item;
use promptls_resolver::{ENGINES, Engine, Value, first_key, steps, walk};
use promptls_syntax::{Dialect, TokenKind, TokenRef, Use, name_range, tokenize};

use super::checker::Checker;
use crate::snapshot::Snapshot;

/// Something that engines of a dialect differ in.
pub(crate) struct Hazard {
    /// What is said of it, behind a name or a tag.
    pub about: &'static str,
    /// Whether this is it, as far as it does not matter where it stands.
    is_it: fn(&Construct<'_, '_>) -> bool,
    /// Whether it is it where it stands; `None` where that does not matter.
    is_there: Option<fn(&Place<'_>) -> bool>,
    /// Whether it is said beside other problems of its place.
    pub is_said_beside: bool,
}

impl Hazard {
    /// One that names and values tell.
    pub const fn new(about: &'static str, is_it: fn(&Construct<'_, '_>) -> bool) -> Hazard {
        Hazard { about, is_it, is_there: None, is_said_beside: false }
    }

    /// The same, said also where a name is a problem because it has no value: what engines do then
    /// is what they differ in.
    pub const fn without_value(self) -> Hazard {
        Hazard { is_said_beside: true, ..self }
    }

    /// The same in some places alone. Cost: a look at each place, until it is one.
    pub const fn only(self, is_there: fn(&Place<'_>) -> bool) -> Hazard {
        Hazard { is_there: Some(is_there), ..self }
    }

    /// Whether a token is it.
    pub fn is_at(&self, checker: &Checker<'_>, token: &TokenRef<'_>) -> bool {
        let construct = Construct { checker, used: token.used(), name: token.name };
        (self.is_it)(&construct) && self.is_there(checker.snapshot, token)
    }

    fn is_there(&self, snapshot: &Snapshot, token: &TokenRef<'_>) -> bool {
        self.is_there.is_none_or(|is_there| is_there(&Place { snapshot, token }))
    }

    /// The first place in a prompt where some of these uses are it.
    ///
    /// Cost: the uses, and where places matter, the first [`LOOKED_AT`] of what they may be.
    pub fn first<'s>(&self, checker: &Checker<'s>, uses: &[Use]) -> Option<TokenRef<'s>> {
        let tree = &checker.snapshot.tree;
        let construct = |used: Use| Construct { checker, used, name: tree.name(used.name) };
        let may_be = uses.iter().copied().filter(|&used| (self.is_it)(&construct(used))).collect();
        let most = if self.is_there.is_some() { LOOKED_AT } else { 1 };
        let mut places = tree.occurrences(&may_be, most).into_iter();
        places.find(|token| self.is_there(checker.snapshot, token))
    }
}

/// In how many places a hazard is looked for that hangs on them: this is done at each keystroke,
/// and a prompt that has one mostly has it early.
const LOOKED_AT: usize = 1_000;

/// Something outside of all placeholders that an engine of a dialect acts on.
pub(crate) struct InText {
    /// What is said of it.
    pub about: &'static str,
    /// Where a text has it first.
    pub first: fn(&str) -> Option<Range<usize>>,
}

/// The engines of a dialect in their newest versions, with what they are called.
pub(crate) fn newest_engines(dialect: Dialect) -> impl Iterator<Item = (&'static str, Engine)> {
    let profiles = ENGINES.iter().filter(move |profile| profile.dialect() == dialect);
    profiles.filter_map(|profile| Some((profile.id, profile.engines().last()?)))
}

/// A token where it stands.
pub(crate) struct Place<'a> {
    snapshot: &'a Snapshot,
    token: &'a TokenRef<'a>,
}

impl Place<'_> {
    /// Whether one of these stands right before it.
    pub fn is_behind(&self, signs: &[char]) -> bool {
        let before = self.snapshot.text.before(self.token.token.start, 1);
        before.ends_with(signs)
    }

    /// How it is written, blanks included; of what has none, the name alone, without braces. Cost:
    /// its length, where there is more.
    pub fn written(&self) -> Cow<'_, str> {
        let token = &self.token.token;
        let spec = self.snapshot.dialect().spec();
        let shortest = spec.open.len() + self.token.name.len() + spec.close.len();
        match token.kind {
            TokenKind::NearMiss => self.token.name.into(),
            _ if token.len <= shortest => self.token.name.into(),
            _ => self.snapshot.text.slice(token.range()),
        }
    }
}

/// Whether the newest engines of a dialect do not agree on which names a text has.
pub(crate) fn is_read_in_several_ways(dialect: Dialect, written: &str) -> bool {
    let names = |(_, engine): (_, Engine)| {
        let mut names: Vec<&str> = Vec::new();
        tokenize(engine.grammar(), written, |token| {
            if token.kind.reads() {
                let source = &written[token.range()];
                names.push(&source[name_range(engine.grammar(), token.kind, source)]);
            }
        });
        names
    };
    let mut engines = newest_engines(dialect).map(names);
    engines.next().is_some_and(|first| engines.any(|other| other != first))
}

/// One way in which a prompt uses a name.
pub(crate) struct Construct<'a, 's> {
    checker: &'a Checker<'s>,
    pub used: Use,
    pub name: &'a str,
}

impl Construct<'_, '_> {
    pub fn snapshot(&self) -> &Snapshot {
        self.checker.snapshot
    }

    /// Whether a rule says that it is meant to stay as it is.
    pub fn is_literal(&self) -> bool {
        self.snapshot().settings.literal.iter().any(|literal| literal == self.name)
    }

    /// See [`Checker::has_block_marker`].
    pub fn is_beside_blocks(&self) -> bool {
        self.checker.has_block_marker()
    }

    /// Whether a case has no value for it, or no case is there that could.
    pub fn may_lack_value(&self) -> bool {
        let cases = &self.snapshot().cases;
        cases.is_empty() || self.values(self.name).len() < cases.len()
    }

    /// Whether the engine looks its name up.
    pub fn reads(&self) -> bool {
        self.used.kind.reads()
    }

    /// Whether it includes a fragment.
    pub fn is_fragment(&self) -> bool {
        self.reads() && self.snapshot().fragment_name(self.name).is_some()
    }

    /// Whether it is about the item of a loop that it stands in.
    pub fn is_of_item(&self) -> bool {
        let snapshot = self.snapshot();
        is_of_item(snapshot.dialect(), self.name)
            && snapshot.tree.loop_around(self.used.scope).is_some()
    }

    /// Whether a block of the same kind is around it.
    pub fn is_nested(&self) -> bool {
        let TokenKind::BlockOpen(kind) = self.used.kind else { return false };
        let tree = &self.snapshot().tree;
        let mut around = tree.scope(self.used.scope);
        while let Some(scope) = around {
            if scope.kind == kind {
                return true;
            }
            around = tree.scope(scope.parent);
        }
        false
    }

    /// The values of a path in all cases that have it.
    pub fn values(&self, path: &str) -> Vec<&Value> {
        let dialect = self.snapshot().dialect();
        let first = first_key(dialect, path);
        let cases = self.snapshot().cases.iter();
        let roots = cases.filter_map(|case| case.inputs.root.get(first));
        roots.filter_map(|entry| walk(&entry.value, steps(dialect, path).skip(1))).collect()
    }

    /// Whether engines of the dialect do not agree on whether it is a name.
    pub fn is_split_otherwise(&self) -> bool {
        let dialect = self.snapshot().dialect();
        let spec = dialect.spec();
        match self.used.kind {
            TokenKind::NearMiss => is_read_in_several_ways(dialect, self.name),
            _ => is_read_in_several_ways(
                dialect,
                &format!("{}{}{}", spec.open, self.name, spec.close),
            ),
        }
    }
}
