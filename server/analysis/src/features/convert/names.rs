//! Chooses the names of a prompt in another dialect.
//!
//! A name is unchanged if it is valid there and refers to the same value. Otherwise its value gets
//! a new key at the root. This is the name itself if it is valid, or a similar one.

use std::collections::{HashMap, HashSet};

use promptls_resolver::{Engine, Lookup, Outcome, ResolveContext, Step, lookup_name, root, steps};
use promptls_syntax::is_name;

use super::had::{Had, MAX_COMPARED, given_there, had};
use super::pieces::{PieceContent, PromptPiece};
use crate::snapshot::Snapshot;

/// The names of a prompt, old and new.
pub(super) struct Plan {
    /// In the order of the prompt.
    pub names: Vec<ConvertedName>,
    by_old: HashMap<String, usize>,
}

/// A name of a prompt.
pub(super) struct ConvertedName {
    pub old: String,
    pub new: String,
    /// It refers to the same path in the inputs; otherwise `new` is a key at their root.
    pub leads_on: bool,
    /// It is optional at all its positions.
    pub optional: bool,
}

impl Plan {
    /// Chooses a new name for each name.
    ///
    /// Cost: each name is looked up in each case.
    pub fn new(snapshot: &Snapshot, target: Engine, pieces: &[PromptPiece]) -> Plan {
        let mut plan = Plan { names: Vec::new(), by_old: HashMap::new() };
        for piece in pieces {
            if let PieceContent::Name { name, optional } = &piece.content {
                plan.add(name, *optional);
            }
        }
        let given = snapshot.given();
        let mut taken = HashSet::new();
        taken.extend(given.iter().flat_map(|given| given.values.all()).flat_map(|all| {
            all.entries().iter().map(|entry| entry.key.to_string()).collect::<Vec<_>>()
        }));
        let declarations = &snapshot.declarations;
        taken.extend(declarations.variables.iter().map(|variable| variable.name.to_string()));
        taken.extend(declarations.fragments.iter().map(|fragment| fragment.name.to_string()));
        for name in &mut plan.names {
            if leads_on(snapshot, target, &given, name) {
                name.leads_on = true;
                taken.insert(root(target.dialect(), &name.old).to_owned());
            }
        }
        for name in plan.names.iter_mut().filter(|name| !name.leads_on) {
            // The position of its own key becomes free, because that key is removed.
            let is_own = is_key(snapshot.engine(), &name.old);
            let is_free = |new: &str| {
                !taken.contains(new) || (is_own && new == name.old && is_key(target, new))
            };
            name.new = new_name(target, &name.old, is_free);
            taken.insert(name.new.clone());
        }
        plan
    }

    fn add(&mut self, name: &str, optional: bool) {
        match self.by_old.get(name) {
            Some(&known) => self.names[known].optional &= optional,
            None => {
                self.by_old.insert(name.to_owned(), self.names.len());
                let (old, new) = (name.to_owned(), name.to_owned());
                self.names.push(ConvertedName { old, new, leads_on: false, optional });
            }
        }
    }

    /// The new name of a name.
    pub fn new_of(&self, old: &str) -> &str {
        self.by_old.get(old).map_or("", |&index| &self.names[index].new)
    }

    /// The renamed names, old and new.
    pub fn changed(&self) -> Vec<(String, String)> {
        let changed = self.names.iter().filter(|name| name.old != name.new);
        changed.map(|name| (name.old.clone(), name.new.clone())).collect()
    }
}

/// Returns whether a name is valid for the target, and refers to the same value in all cases.
fn leads_on(
    snapshot: &Snapshot,
    target: Engine,
    given: &[ResolveContext<'_>],
    name: &ConvertedName,
) -> bool {
    let (source, old) = (snapshot.engine(), &*name.old);
    if !is_name(target, old) {
        return false;
    }
    let goes_the_same_way = || {
        let same = steps(source.dialect(), old).eq(steps(target.dialect(), old));
        same || holds_as_key(target, old)
    };
    let mut has_value = false;
    let mut is_same = |given: &ResolveContext<'_>| {
        let there = given_there(snapshot, given);
        let (before, after) = (lookup_name(source, old, given), lookup_name(target, old, &there));
        match had(snapshot, &before, name.optional) {
            Had::Value => {
                has_value = true;
                is_same_value(&before, &after)
            }
            Had::PutThere(_) => is_key(target, old) || before.text(MAX_COMPARED) == text(&after),
            Had::Nothing => matches!(after.outcome, Outcome::Fragment(_)) == is_fragment(&before),
        }
    };
    given.iter().all(&mut is_same) && (has_value || goes_the_same_way())
}

fn is_fragment(lookup: &Lookup<'_>) -> bool {
    matches!(lookup.outcome, Outcome::Fragment(_))
}

fn is_same_value(before: &Lookup<'_>, after: &Lookup<'_>) -> bool {
    match (&before.location, &after.location) {
        (Some(before), Some(after)) => before == after,
        _ => text(before).is_some() && text(before) == text(after),
    }
}

fn text(lookup: &Lookup<'_>) -> Option<String> {
    lookup.text(MAX_COMPARED)
}

/// Returns whether a name is a single key.
fn is_key(engine: Engine, name: &str) -> bool {
    let mut steps = steps(engine.dialect(), name);
    steps.next() == Some(Step::Key(name)) && steps.next().is_none()
}

/// Returns whether the value of a key at the root is that of the name with the same text.
fn holds_as_key(engine: Engine, name: &str) -> bool {
    is_key(engine, name) || engine.dialect().spec().whole_path_keys
}

/// A valid and unused name: the old one, a similar one, or that with a number.
fn new_name(target: Engine, old: &str, is_free: impl Fn(&str) -> bool) -> String {
    let readable = |name: &str| {
        let spellings = [name.to_owned(), name.to_uppercase()].into_iter();
        spellings.filter(|name| is_name(target, name) && holds_as_key(target, name))
    };
    let plain = plain(old);
    // Not every dialect accepts a digit at the start of a name.
    let base = readable(&plain).chain(readable(&format!("name_{plain}"))).next();
    let base = base.unwrap_or_else(|| plain.clone());
    let numbered = (2..).map(|count| format!("{base}_{count}"));
    let mut all = readable(old).chain(readable(&plain)).chain([base.clone()]).chain(numbered);
    all.find(|new| is_free(new)).unwrap_or(plain)
}

/// A name in letters that every dialect accepts: `items[0].title` becomes `items_0_title`.
fn plain(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let plain = words.collect::<Vec<_>>().join("_");
    if plain.is_empty() { "name".to_owned() } else { plain }
}
