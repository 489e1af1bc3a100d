//! Known differences between engines of one dialect, as far as a prompt shows them.
//!
//! Each dialect defines its own in a file of `dialects/`.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use promptls_resolver::blocks::is_of_item;
use promptls_resolver::{ENGINES, Engine, Value, first_key, steps, walk};
use promptls_syntax::{Dialect, TokenKind, TokenRef, Use, UseSet, name_range, tokenize};

use super::checker::Checker;
use crate::snapshot::Snapshot;

/// A difference between engines of a dialect.
pub(crate) struct Hazard {
    /// The description, after a name or a tag.
    pub about: &'static str,
    /// Returns whether a use has the hazard, independent of its position.
    is_it: fn(&Construct<'_, '_>) -> bool,
    /// The condition for its position; `None` if the position is irrelevant.
    place: Option<Position>,
    /// It is reported in addition to other problems at the same position.
    pub is_reported_beside: bool,
}

/// A condition for the position of a token.
struct Position {
    /// Returns whether a text may contain such a position. This costs less than a look at each
    /// token, and nearly no text does.
    may_be_in: fn(&str) -> bool,
    is_there: fn(&TokenContext<'_>) -> bool,
}

impl Hazard {
    /// A hazard that depends only on names and values.
    pub const fn new(about: &'static str, is_it: fn(&Construct<'_, '_>) -> bool) -> Hazard {
        Hazard { about, is_it, place: None, is_reported_beside: false }
    }

    /// Also reports the hazard for a name that is a problem because it has no value: the engines
    /// differ in that situation.
    pub const fn without_value(self) -> Hazard {
        Hazard { is_reported_beside: true, ..self }
    }

    /// Restricts the hazard to some positions. Cost: a check of each position until one matches, in
    /// a text that `may_be_in` accepts.
    pub const fn only(
        self,
        may_be_in: fn(&str) -> bool,
        is_there: fn(&TokenContext<'_>) -> bool,
    ) -> Hazard {
        Hazard { place: Some(Position { may_be_in, is_there }), ..self }
    }

    /// Returns whether a token has the hazard.
    pub fn is_at(&self, checker: &Checker<'_>, token: &TokenRef<'_>) -> bool {
        let construct = Construct { checker, used: token.used(), name: token.name };
        let context = TokenContext { snapshot: checker.snapshot, token };
        // The position is checked first, because nearly all are harmless.
        self.place.as_ref().is_none_or(|place| (place.is_there)(&context))
            && (self.is_it)(&construct)
    }
}

/// The first position of each of some hazards in a prompt.
///
/// Cost: the uses, for each hazard; if positions matter for any of them, also the text if it is
/// short, and the first [`LOOKED_AT`] positions if it may have such a position.
pub(crate) fn first_places<'s>(
    checker: &Checker<'s>,
    hazards: &[Hazard],
) -> Vec<Option<TokenRef<'s>>> {
    let depends_on_place = |hazard: &Hazard| hazard.place.is_some();
    let may_be_there = |hazard: &Hazard| {
        let place = hazard.place.as_ref();
        place.is_some_and(|place| checker.whole_if_short().is_none_or(place.may_be_in))
    };
    let tree = &checker.snapshot.tree;
    let mut affected = vec![UseSet::default(); hazards.len()];
    for (used, _) in tree.uses() {
        let construct = Construct { checker, used, name: tree.name(used.name) };
        for (hazard, affected) in hazards.iter().zip(&mut affected) {
            if !depends_on_place(hazard) && (hazard.is_it)(&construct) {
                affected.insert(used);
            }
        }
    }
    let first_of = |uses: &UseSet| tree.occurrences(uses, 1).into_iter().next();
    let mut first: Vec<Option<TokenRef<'_>>> = affected.iter().map(first_of).collect();
    let by_place: Vec<usize> =
        (0..hazards.len()).filter(|&index| may_be_there(&hazards[index])).collect();
    if by_place.is_empty() {
        return first;
    }
    let closes = |token: &TokenRef<'_>| matches!(token.token.kind, TokenKind::BlockClose(_));
    let places = tree.tokens().filter(|token| !closes(token));
    for token in places.take(LOOKED_AT) {
        for &index in &by_place {
            if first[index].is_none() && hazards[index].is_at(checker, &token) {
                first[index] = Some(token);
            }
        }
    }
    first
}

/// The maximum number of positions that are checked for a hazard that depends on them. This runs at
/// each keystroke, and a prompt with a hazard usually has it early.
const LOOKED_AT: usize = 1_000;

/// Text outside of placeholders that an engine of a dialect acts on.
pub(crate) struct InText {
    /// The description of the hazard.
    pub about: &'static str,
    /// The first such range in a text.
    pub first: fn(&str) -> Option<Range<usize>>,
}

/// The engines of a dialect in their newest versions, with their ids.
pub(crate) fn newest_engines(dialect: Dialect) -> impl Iterator<Item = (&'static str, Engine)> {
    let profiles = ENGINES.iter().filter(move |profile| profile.dialect() == dialect);
    profiles.filter_map(|profile| Some((profile.id, profile.engines().last()?)))
}

/// A token at its position.
pub(crate) struct TokenContext<'a> {
    snapshot: &'a Snapshot,
    token: &'a TokenRef<'a>,
}

impl TokenContext<'_> {
    /// Returns whether one of these ASCII characters is right before it.
    pub fn is_after(&self, signs: &[u8]) -> bool {
        let before = self.snapshot.text.byte_before(self.token.token.start);
        before.is_some_and(|before| signs.contains(&before))
    }

    /// The source text, including whitespace; only the name, without braces, if the token contains
    /// nothing else. Cost: its length, if it contains more.
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

/// Returns whether the newest engines of a dialect find different names in a text.
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

    /// Returns whether a rule marks it as literal text.
    pub fn is_literal(&self) -> bool {
        self.snapshot().settings.literal.iter().any(|literal| literal == self.name)
    }

    /// Returns whether the text has block markers. Cost: the text, once per prompt.
    pub fn is_beside_blocks(&self) -> bool {
        self.checker.has_block_marker()
    }

    /// Returns whether a case has no value for it, or there is no case.
    pub fn may_be_missing(&self) -> bool {
        let cases = &self.snapshot().cases;
        cases.is_empty() || self.values(self.name).len() < cases.len()
    }

    /// Returns whether the engine looks up its name.
    pub fn reads(&self) -> bool {
        self.used.kind.reads()
    }

    /// Returns whether it includes a fragment.
    pub fn is_fragment(&self) -> bool {
        self.reads() && self.snapshot().fragment_name(self.name).is_some()
    }

    /// Returns whether it refers to the item of a loop around it.
    pub fn is_of_item(&self) -> bool {
        let snapshot = self.snapshot();
        is_of_item(snapshot.dialect(), self.name)
            && snapshot.tree.loop_around(self.used.scope).is_some()
    }

    /// Returns whether a block of the same kind is around it.
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

    /// Returns whether engines of the dialect disagree about it being a name.
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
