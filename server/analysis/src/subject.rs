//! What a place is about, be it in a prompt, an inputs file or a variables file.
//!
//! A placeholder, a key and a declaration that mean the same have the same
//! [`Subject`]: that is how one is found from the other. For values it is the path
//! from the top of an inputs file. `this` is no place of its own: in a loop over
//! `items`, `this.title` is the `title` of each item of `items`.

use std::ops::Range;

use promptls_resolver::agentle::is_of_item;
use promptls_resolver::{
    Entry, FileId, Location, Object, Step, Value, ValueKind, effective_name, steps,
};
use promptls_syntax::{BlockKind, Dialect, ScopeId, TokenRef, Use};

use crate::snapshot::Snapshot;

/// The most items that are looked at in one step of a path.
const MAX_ITEMS: usize = 10_000;

/// What a place is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The values that a path leads to; never empty.
    Value(Vec<PathStep>),
    /// The fragment of this name.
    Fragment(String),
}

/// One step from the top of an inputs file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathStep {
    /// The value of a key.
    Key(String),
    /// An item of a list, from 0.
    Index(usize),
    /// Whatever a loop runs over: the items of a list, the entries of a map.
    Item,
}

/// A subject, and the place that is about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    pub subject: Subject,
    pub location: Location,
}

/// The mention at an offset of a file; for a path in a prompt, the piece at the offset, or the
/// last one for an offset at the braces.
pub(crate) fn mention_at(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Mention> {
    if file == FileId::PROMPT {
        let found = snapshot.token_at(offset)?;
        let reading = Reading::of_token(snapshot, &found)?;
        return reading.mention_at(snapshot.name_range(&found), offset);
    }
    let is_here = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    let mention = |subject, range| Mention { subject, location: Location { file, range } };
    let declarations = &snapshot.declarations;
    if declarations.file == file {
        let variable = declarations.variables.iter().find_map(|variable| {
            let range = variable.name_span.range();
            let path = || vec![PathStep::Key(variable.name.to_string())];
            is_here(&range).then(|| mention(Subject::Value(path()), range))
        });
        return variable.or_else(|| {
            declarations.fragments.iter().find_map(|fragment| {
                let range = fragment.name_span.range();
                let subject = || Subject::Fragment(fragment.name.to_string());
                is_here(&range).then(|| mention(subject(), range))
            })
        });
    }
    let case = snapshot.cases.iter().find(|case| case.inputs.file == file)?;
    let (path, range) = key_at(snapshot.dialect(), &case.inputs.root, offset)?;
    Some(mention(Subject::Value(path), range))
}

/// The path of the key at an offset of an inputs file, and where that key stands.
fn key_at(dialect: Dialect, root: &Object, offset: usize) -> Option<(Vec<PathStep>, Range<usize>)> {
    let is_in = |value: &Value| value.span.range().contains(&offset);
    let mut path = Vec::new();
    let mut object = root;
    loop {
        // Keys first: where a value in YAML ends, the next key may start.
        let at_key = |entry: &&Entry| {
            let range = entry.key_span.range();
            range.start <= offset && offset <= range.end
        };
        let key = object.entries().iter().find(at_key);
        let entry = key.or_else(|| object.entries().iter().find(|entry| is_in(&entry.value)))?;
        path.push(PathStep::Key(entry.key.to_string()));
        if key.is_some() {
            // A key may be a whole path there.
            if dialect == Dialect::PromptPack && path.len() == 1 {
                path = steps(dialect, &entry.key).map(PathStep::from).collect();
            }
            return Some((path, entry.key_span.range()));
        }
        let mut value = &entry.value;
        object = loop {
            match &value.kind {
                ValueKind::Object(object) => break object,
                ValueKind::List(items) => {
                    let index = items.iter().position(is_in)?;
                    // Without indexes, a list is read item by item.
                    path.push(match dialect.spec().indexes {
                        true => PathStep::Index(index),
                        false => PathStep::Item,
                    });
                    value = &items[index];
                }
                _ => return None,
            }
        };
    }
}

/// Where a subject is mentioned in the prompt, in order: the piece of the path that is about it.
///
/// Cost: the distinct uses of names, and the places.
pub(crate) fn mentions_in_prompt(snapshot: &Snapshot, subject: &Subject) -> Vec<Location> {
    let tree = &snapshot.tree;
    let is_wanted = |used: &Use| {
        used.kind.reads()
            && Reading::new(snapshot, used.scope, tree.name(used.name)).piece(subject).is_some()
    };
    let wanted = tree.uses().map(|(used, _)| used).filter(is_wanted).collect();
    tree.occurrences(&wanted, usize::MAX)
        .iter()
        .filter_map(|found| {
            let reading = Reading::of_token(snapshot, found)?;
            let piece = reading.piece(subject)?;
            let start = snapshot.name_range(found).start;
            let range = start + piece.start..start + piece.end;
            Some(Location { file: FileId::PROMPT, range })
        })
        .collect()
}

/// Where a subject is declared.
pub(crate) fn declaration_of(snapshot: &Snapshot, subject: &Subject) -> Option<Location> {
    let declarations = &snapshot.declarations;
    let span = match subject {
        Subject::Fragment(name) => declarations.fragment(name)?.name_span,
        Subject::Value(path) => match path.first()? {
            PathStep::Key(name) => declarations.variable(name)?.name_span,
            _ => return None,
        },
    };
    Some(Location { file: declarations.file, range: span.range() })
}

/// What a name is about that is read in some blocks.
pub(crate) fn subject_of(snapshot: &Snapshot, scope: ScopeId, name: &str) -> Subject {
    Reading::new(snapshot, scope, name).subject
}

/// How far a path leads in a case, and where to: keys, or items of lists, which have none.
pub(crate) struct Reached {
    /// How many steps have led somewhere.
    pub steps: usize,
    /// The places that the last one of them has led to.
    pub locations: Vec<Location>,
}

/// Follows a path into the inputs of a case, by its position in the list.
///
/// Cost: the steps, times the items of the loops among them.
pub(crate) fn follow(snapshot: &Snapshot, case: usize, path: &[PathStep]) -> Reached {
    let inputs = &snapshot.cases[case].inputs;
    let location = |range| Location { file: inputs.file, range };
    if snapshot.dialect() == Dialect::PromptPack
        && let Some(entry) = inputs.root.get(&written(path))
    {
        let locations = vec![location(entry.key_span.range())];
        return Reached { steps: path.len(), locations };
    }
    let mut reached = Reached { steps: 0, locations: Vec::new() };
    let mut places = vec![Place::Object(&inputs.root)];
    for step in path {
        let next = places.iter().flat_map(|place| place.step(step)).take(MAX_ITEMS);
        let (next, ranges): (Vec<_>, Vec<_>) = next.unzip();
        if next.is_empty() {
            break;
        }
        places = next;
        reached.steps += 1;
        reached.locations = ranges.into_iter().map(location).collect();
    }
    reached
}

/// A path as PromptPack writes it.
fn written(path: &[PathStep]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            PathStep::Key(key) if text.is_empty() => text.push_str(key),
            PathStep::Key(key) => text.extend([".", key]),
            PathStep::Index(index) => text.push_str(&format!("[{index}]")),
            PathStep::Item => {}
        }
    }
    text
}

/// Where one is on a path.
#[derive(Clone, Copy)]
enum Place<'a> {
    Object(&'a Object),
    Value(&'a Value),
    /// The item of a loop over a map.
    Entry(&'a Entry),
    /// Nothing leads on from here.
    End,
}

impl<'a> Place<'a> {
    fn step(self, step: &PathStep) -> Vec<(Place<'a>, Range<usize>)> {
        let member = |object: &'a Object, key: &str| {
            let entry = object.get(key)?;
            Some((Place::Value(&entry.value), entry.key_span.range()))
        };
        let item = |value: &'a Value| (Place::Value(value), value.span.range());
        match (self, step) {
            (Place::Object(object), PathStep::Key(key)) => {
                member(object, key).into_iter().collect()
            }
            (Place::Entry(entry), PathStep::Key(key)) => match &**key {
                "key" => vec![(Place::End, entry.key_span.range())],
                "value" => vec![(Place::Value(&entry.value), entry.key_span.range())],
                _ => Vec::new(),
            },
            (Place::Value(value), step) => match (&value.kind, step) {
                (ValueKind::Object(object), PathStep::Key(key)) => {
                    member(object, key).into_iter().collect()
                }
                (ValueKind::Object(object), PathStep::Item) => object
                    .entries()
                    .iter()
                    .take(MAX_ITEMS)
                    .map(|entry| (Place::Entry(entry), entry.key_span.range()))
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

impl From<Step<'_>> for PathStep {
    fn from(step: Step<'_>) -> PathStep {
        match step {
            Step::Key(key) => PathStep::Key(key.to_owned()),
            Step::Index(index) => PathStep::Index(index),
        }
    }
}

/// A name as its dialect reads it, piece by piece.
struct Reading {
    /// What all of it is about.
    subject: Subject,
    /// Where each of the last steps stands, in bytes from the start of the name. A path that
    /// starts in a loop has further steps in front, which stand in the headers around.
    pieces: Vec<Range<usize>>,
}

impl Reading {
    fn of_token(snapshot: &Snapshot, found: &TokenRef<'_>) -> Option<Reading> {
        found.token.kind.reads().then(|| Reading::new(snapshot, found.scope, found.name))
    }

    fn new(snapshot: &Snapshot, scope: ScopeId, name: &str) -> Reading {
        let dialect = snapshot.dialect();
        if dialect == Dialect::PromptPack {
            let fragment = name.strip_prefix("fragments.");
            let known = fragment.unwrap_or(name);
            if fragment.is_some() || snapshot.declarations.fragment(known).is_some() {
                let piece = name.len() - known.len()..name.len();
                return Reading {
                    subject: Subject::Fragment(known.to_owned()),
                    pieces: vec![piece],
                };
            }
        }
        let (own, pieces): (Vec<_>, Vec<_>) = pieces(dialect, name).into_iter().unzip();
        let mut path = loop_path(snapshot, scope, name);
        // `this` is the item of the loop, whose path ends with it.
        let skipped = usize::from(!path.is_empty());
        path.extend(own.into_iter().skip(skipped));
        Reading { subject: Subject::Value(path), pieces }
    }

    fn mention_at(&self, name: Range<usize>, offset: usize) -> Option<Mention> {
        let in_name = offset.checked_sub(name.start).filter(|_| offset <= name.end);
        let index = in_name
            .and_then(|offset| self.pieces.iter().position(|piece| offset <= piece.end))
            .or(self.pieces.len().checked_sub(1))?;
        let piece = &self.pieces[index];
        let range = name.start + piece.start..name.start + piece.end;
        let subject = match &self.subject {
            Subject::Value(path) => {
                let steps = path.len() - self.pieces.len() + index + 1;
                Subject::Value(path[..steps].to_vec())
            }
            fragment => fragment.clone(),
        };
        Some(Mention { subject, location: Location { file: FileId::PROMPT, range } })
    }

    /// The piece of the name that is about a subject.
    fn piece(&self, subject: &Subject) -> Option<Range<usize>> {
        match (&self.subject, subject) {
            (Subject::Fragment(own), Subject::Fragment(other)) if own == other => {
                self.pieces.first().cloned()
            }
            (Subject::Value(own), Subject::Value(wanted)) => {
                let steps = steps_to(own, wanted)?;
                let hidden = own.len() - self.pieces.len();
                self.pieces.get(steps.checked_sub(hidden + 1)?).cloned()
            }
            _ => None,
        }
    }
}

/// How many steps of a path lead to where another one ends; `None` if it does not pass there.
fn steps_to(path: &[PathStep], wanted: &[PathStep]) -> Option<usize> {
    let mut taken = 0;
    let mut wanted = wanted.iter().peekable();
    while let Some(step) = wanted.next() {
        let own = path.get(taken)?;
        taken += 1;
        match (own, step) {
            (own, step) if own == step => {}
            (PathStep::Item, PathStep::Index(_)) => {}
            // The entry of a map; what is in its value is behind `this.value`.
            (PathStep::Item, PathStep::Key(_)) => {
                if wanted.peek().is_some() {
                    let value = path.get(taken)?;
                    taken += 1;
                    if !matches!(value, PathStep::Key(key) if key == "value") {
                        return None;
                    }
                }
            }
            _ => return None,
        }
    }
    Some(taken)
}

/// The path of the items that `this` at the start of a name means: of the loop around, which may
/// itself be about the item of a loop. Empty for all other names.
fn loop_path(snapshot: &Snapshot, scope: ScopeId, name: &str) -> Vec<PathStep> {
    let (tree, dialect) = (&snapshot.tree, snapshot.dialect());
    if dialect != Dialect::Agentle || !is_of_item(name) {
        return Vec::new();
    }
    let mut scope = tree.scope(scope);
    // From the inside to the outside.
    let mut headers: Vec<&str> = Vec::new();
    while let Some(found) = scope
        && headers.last().is_none_or(|header| is_of_item(header))
    {
        if found.kind == BlockKind::Each {
            headers.push(tree.name(found.path));
        }
        scope = tree.scope(found.parent);
    }
    let mut path = Vec::new();
    for header in headers.iter().rev() {
        // Outside of all loops, `this` is a name like any other.
        let skipped = usize::from(!path.is_empty() && is_of_item(header));
        path.extend(pieces(dialect, header).into_iter().map(|(step, _)| step).skip(skipped));
        path.push(PathStep::Item);
    }
    path
}

/// The steps of a name, each with its place in it, in bytes.
pub(crate) fn pieces(dialect: Dialect, name: &str) -> Vec<(PathStep, Range<usize>)> {
    let steps: Vec<PathStep> = match dialect {
        // Task, output, `chunkSimilarityMetadata`, and a key that may hold dots.
        Dialect::Entaingine => {
            name.splitn(4, '.').map(|piece| PathStep::Key(piece.to_owned())).collect()
        }
        _ if dialect.spec().paths => steps(dialect, name).map(PathStep::from).collect(),
        _ => {
            let key = effective_name(dialect, name).into_owned();
            return vec![(PathStep::Key(key), 0..name.len())];
        }
    };
    let mut end = 0;
    let mut pieces = Vec::with_capacity(steps.len());
    for step in steps {
        let rest = &name[end..];
        // Between pieces there are only dots, brackets and blanks.
        let (start, len) = match &step {
            PathStep::Key(key) => (rest.find(&**key).unwrap_or(0), key.len()),
            _ => {
                let start = rest.find('[').unwrap_or(0);
                (start, rest[start..].find(']').map_or(0, |close| close + 1))
            }
        };
        let range = end + start..end + start + len;
        end = range.end;
        pieces.push((step, range));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use promptls_resolver::{Format, Inputs};

    use super::*;
    use crate::snapshot::test::{Files, with_cursor};

    #[track_caller]
    fn check_key(format: Format, marked: &str, expected: Option<&str>) {
        let (text, offset) = with_cursor(marked);
        let inputs = Inputs::parse(&text, format, FileId(1)).value.expect("these are inputs");
        let found = key_at(Dialect::PromptPack, &inputs.root, offset);
        assert_eq!(found.map(|(path, _)| written(&path)).as_deref(), expected);
    }

    #[test]
    fn keys_are_found_by_their_place() {
        check_key(Format::Json, r#"{"a": [1, {"$0b": 2}]}"#, Some("a[1].b"));
        check_key(Format::Json, r#"{"a": {"b"$0: 2}}"#, Some("a.b"));
        check_key(Format::Json, r#"{"a": {"b": $02}}"#, None);
        check_key(Format::Yaml, "a:\n  b: 1\n$0c: 2\n", Some("c"));
        check_key(Format::Yaml, "a:\n- b: 1\n- b$0: 1\n", Some("a[1].b"));
    }

    #[test]
    fn every_place_of_a_strange_prompt_can_be_asked_about() {
        let prompt = "{{{x}}} {{a}}{{b}} {{ a . b. }} {{.}} {{}} {{#each }}{{this..é}}{{/each}} \
            {{#each this}}{{this}}{{/each}} {{a[0][1].b}} {task_0..} {app:é?} {{fragments.}}";
        let case = r#"{"x": 1, "a": {"b": [[1], {"é": 2}]}, "": 3, ".": 4}"#;
        for dialect in Dialect::ALL {
            let Files { snapshot, .. } = &Files::new(dialect, prompt, &[case], "{}");
            for (offset, _) in prompt.char_indices() {
                let Some(mention) = mention_at(snapshot, FileId::PROMPT, offset) else { continue };
                let mentions = mentions_in_prompt(snapshot, &mention.subject);
                assert!(mentions.contains(&mention.location), "{dialect:?} {mention:?}");
            }
        }
    }
}
