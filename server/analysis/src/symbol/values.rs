//! Follows paths into the values of cases and defaults, and finds the step at which they end too
//! early.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use promptls_resolver::{Entry, FileId, Location, Object, Value, ValueKind};
use promptls_syntax::ScopeId;

use super::path::{PathStep, Symbol, written};
use super::reading::{Reading, is_path, pieces};
use crate::dialects::advice;
use crate::snapshot::Snapshot;
use crate::snapshot::key::is_meant;
use crate::suggest::NameIndex;

/// The maximum number of items that are visited in one step of a path.
const MAX_ITEMS: usize = 10_000;

/// A key of a sidecar, and its part that refers to a symbol. Usually that is the whole key, but a
/// key may be a whole path.
pub(crate) struct KeyReference<'a> {
    pub location: Location,
    /// The key, after escapes are decoded.
    pub key: &'a str,
    /// The range of the part, in bytes of the key.
    pub piece: Range<usize>,
}

/// The keys that a path leads to, in every case and in the defaults of variables. `None` if the
/// last step is one of the keys that the engine itself defines for each entry of a map in a loop.
///
/// Cost: the cases, times the steps, times the items of the loops among them.
pub(crate) fn keys_of<'a>(
    snapshot: &'a Snapshot,
    path: &'a [PathStep],
) -> Option<Vec<KeyReference<'a>>> {
    let dialect = snapshot.dialect();
    let Some((PathStep::Key(key), before)) = path.split_last() else { return Some(Vec::new()) };
    let mut found = Vec::new();
    let add = |file: FileId, places: &[PathPosition<'_>], found: &mut Vec<KeyReference<'a>>| {
        for place in places {
            if matches!(place, PathPosition::Entry(_)) {
                return None;
            }
            let next = place.step(&path[before.len()]).into_iter();
            found.extend(next.map(|(_, range)| KeyReference {
                location: Location { file, range },
                key,
                piece: 0..key.len(),
            }));
        }
        Some(())
    };
    for case in &snapshot.cases {
        let inputs = &case.inputs;
        let (steps, places) = walk(PathPosition::Object(&inputs.root), before);
        if steps == before.len() {
            add(inputs.file, &places, &mut found)?;
        }
        if !dialect.spec().whole_path_keys {
            continue;
        }
        for entry in inputs.root.entries().iter().filter(|entry| entry.key.contains(['.', '['])) {
            let pieces = pieces(dialect, &entry.key);
            let is_behind = pieces.len() >= path.len()
                && pieces.iter().zip(path).all(|((own, _), step)| own == step);
            if is_behind && is_path(dialect, &entry.key) {
                let location = Location { file: inputs.file, range: entry.key_span.range() };
                let piece = pieces[before.len()].1.clone();
                found.push(KeyReference { location, key: &entry.key, piece });
            }
        }
    }
    let declarations = &snapshot.declarations;
    if let Some((PathStep::Key(root), inner)) = before.split_first()
        && dialect.spec().declarations
        && let Some(default) = declarations.variable(root).and_then(|it| it.default.as_ref())
    {
        let (steps, places) = walk(PathPosition::Value(default), inner);
        if steps == inner.len() {
            add(declarations.file, &places, &mut found)?;
        }
    }
    Some(found)
}

/// The result of following a path in a case: keys, or items of lists, which have none.
pub(crate) struct Reached {
    /// The number of steps that exist.
    pub steps: usize,
    /// The locations that the last existing step leads to.
    pub locations: Vec<Location>,
}

/// Follows a path into the inputs of a case, by its index.
///
/// Cost: the steps, times the items of the loops among them.
pub(crate) fn follow(snapshot: &Snapshot, case: usize, path: &[PathStep]) -> Reached {
    let inputs = &snapshot.cases[case].inputs;
    let location = |range| Location { file: inputs.file, range };
    if snapshot.dialect().spec().whole_path_keys
        && let Some(entry) = inputs.root.get(&written(path))
    {
        let locations = vec![location(entry.key_span.range())];
        return Reached { steps: path.len(), locations };
    }
    let mut reached = Reached { steps: 0, locations: Vec::new() };
    let mut places = vec![PathPosition::Object(&inputs.root)];
    for step in path {
        let (next, ranges) = step_on(&places, step);
        if next.is_empty() {
            break;
        }
        places = next;
        reached.steps += 1;
        reached.locations = ranges.into_iter().map(location).collect();
    }
    reached
}

/// The step of a name that exists in no case, and its possible corrections.
pub(crate) struct DeadEnd {
    /// The range of the step in the name, in bytes.
    pub piece: Range<usize>,
    /// The text of the step.
    pub written: String,
    /// The keys of the cases at that position, except those with another number; for the first
    /// step, all known names.
    pub known: Arc<NameIndex<String>>,
    /// The symbol of the name up to this step.
    pub symbol: Symbol,
}

/// The possible names of a first step, indexed on first use. They belong to one snapshot.
#[derive(Default)]
pub(crate) struct FirstNames(OnceCell<Arc<NameIndex<String>>>);

impl DeadEnd {
    /// The most similar key; `questions` is the expected number of lookups of the same keys.
    pub fn nearest(&self, questions: usize) -> Option<&str> {
        self.known.nearest(&self.written, questions).map(|(_, name)| &**name)
    }

    /// The name with another key in place of the step.
    pub fn with(&self, name: &str, key: &str) -> String {
        let mut changed = name.to_owned();
        changed.replace_range(self.piece.clone(), key);
        changed
    }
}

/// The step of a name that exists in no case. `None` if all exist, or if it is an item of a list.
///
/// Cost: the known names, once for the same `first_names`.
pub(crate) fn dead_end(
    snapshot: &Snapshot,
    scope: ScopeId,
    name: &str,
    first_names: &FirstNames,
) -> Option<DeadEnd> {
    let Reading { symbol, pieces } = Reading::new(snapshot, scope, name);
    let fragments = snapshot.declarations.fragments.iter().map(|it| it.name.to_string());
    let mut path = match symbol {
        Symbol::Value(path) => path,
        Symbol::Fragment(written) => {
            let piece = pieces.first()?.clone();
            let symbol = Symbol::Fragment(written.clone());
            let known = Arc::new(NameIndex::new(fragments.collect::<BTreeSet<_>>()));
            return Some(DeadEnd { piece, written, known, symbol });
        }
    };
    if let Some(outputs) = advice(snapshot.dialect()).outputs() {
        outputs.stand_in(snapshot, &mut path);
    }
    let cases = || 0..snapshot.cases.len();
    let steps = cases().map(|case| follow(snapshot, case, &path).steps).max().unwrap_or(0);
    let PathStep::Key(written) = path.get(steps)? else { return None };
    let hidden = path.len() - pieces.len();
    let known = match steps {
        0 => {
            let index = || {
                let known = snapshot.known_names().into_iter();
                let known = known.filter(|name| is_meant(snapshot.engine(), name));
                let all: BTreeSet<String> = known.map(str::to_owned).chain(fragments).collect();
                Arc::new(NameIndex::new(all))
            };
            first_names.0.get_or_init(index).clone()
        }
        // `output_1` is not a slip for `output_0`.
        _ => {
            let keys: BTreeSet<String> = cases()
                .flat_map(|case| places(snapshot, case, &path[..steps]))
                .flat_map(PathPosition::keys)
                .filter(|key| without_digits(key) != without_digits(written))
                .collect();
            Arc::new(NameIndex::new(keys))
        }
    };
    let piece = pieces.get(steps.checked_sub(hidden)?)?.clone();
    let symbol = Symbol::Value(path[..=steps].to_vec());
    Some(DeadEnd { piece, written: written.clone(), known, symbol })
}

fn without_digits(name: &str) -> String {
    name.chars().filter(|character| !character.is_ascii_digit()).collect()
}

/// The values that a path leads to in a case.
fn places<'s>(snapshot: &'s Snapshot, case: usize, path: &[PathStep]) -> Vec<PathPosition<'s>> {
    let start = vec![PathPosition::Object(&snapshot.cases[case].inputs.root)];
    path.iter().fold(start, |places, step| step_on(&places, step).0)
}

/// Returns whether a path leads to exactly one object in a case, to which a key may be added.
pub(crate) fn is_object(snapshot: &Snapshot, case: usize, path: &[PathStep]) -> bool {
    match places(snapshot, case, path)[..] {
        [PathPosition::Object(_)] => true,
        [PathPosition::Value(value)] => value.as_object().is_some(),
        _ => false,
    }
}

/// The location of the `null` that a path leads to in a case.
pub(crate) fn null_at(snapshot: &Snapshot, case: usize, path: &[PathStep]) -> Option<Location> {
    match places(snapshot, case, path)[..] {
        [PathPosition::Value(value)] if value.is_null() => {
            Some(Location { file: snapshot.cases[case].inputs.file, range: value.span.range() })
        }
        _ => None,
    }
}

/// The number of existing steps of a path, and the values that they lead to.
fn walk<'a>(start: PathPosition<'a>, path: &[PathStep]) -> (usize, Vec<PathPosition<'a>>) {
    let mut places = vec![start];
    for (taken, step) in path.iter().enumerate() {
        let (next, _) = step_on(&places, step);
        if next.is_empty() {
            return (taken, places);
        }
        places = next;
    }
    (path.len(), places)
}

/// The results of a step from all given values, and their source ranges.
fn step_on<'a>(
    places: &[PathPosition<'a>],
    step: &PathStep,
) -> (Vec<PathPosition<'a>>, Vec<Range<usize>>) {
    places.iter().flat_map(|place| place.step(step)).take(MAX_ITEMS).unzip()
}

/// A position on a path.
#[derive(Clone, Copy)]
enum PathPosition<'a> {
    Object(&'a Object),
    Value(&'a Value),
    /// The item of a loop over a map.
    Entry(&'a Entry),
    /// No step exists from here.
    End,
}

impl<'a> PathPosition<'a> {
    fn keys(self) -> Vec<String> {
        let object = match self {
            PathPosition::Object(object) => Some(object),
            PathPosition::Value(value) => value.as_object(),
            PathPosition::Entry(_) | PathPosition::End => None,
        };
        let entries = object.map(Object::entries).unwrap_or_default();
        entries.iter().map(|entry| entry.key.to_string()).collect()
    }

    fn step(self, step: &PathStep) -> Vec<(PathPosition<'a>, Range<usize>)> {
        let member = |object: &'a Object, key: &str| {
            let entry = object.get(key)?;
            Some((PathPosition::Value(&entry.value), entry.key_span.range()))
        };
        let item = |value: &'a Value| (PathPosition::Value(value), value.span.range());
        match (self, step) {
            (PathPosition::Object(object), PathStep::Key(key)) => {
                member(object, key).into_iter().collect()
            }
            (PathPosition::Entry(entry), PathStep::Key(key)) => match &**key {
                "key" => vec![(PathPosition::End, entry.key_span.range())],
                "value" => vec![(PathPosition::Value(&entry.value), entry.key_span.range())],
                _ => Vec::new(),
            },
            (PathPosition::Value(value), step) => match (&value.kind, step) {
                (ValueKind::Object(object), PathStep::Key(key)) => {
                    member(object, key).into_iter().collect()
                }
                (ValueKind::Object(object), PathStep::Item) => object
                    .entries()
                    .iter()
                    .take(MAX_ITEMS)
                    .map(|entry| (PathPosition::Entry(entry), entry.key_span.range()))
                    .collect(),
                (ValueKind::List(items), PathStep::Index(index)) => {
                    items.get(*index).map(item).into_iter().collect()
                }
                (ValueKind::List(items), PathStep::Item) => {
                    items.iter().take(MAX_ITEMS).map(item).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}
