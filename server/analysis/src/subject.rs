//! What a place is about, be it in a prompt, an inputs file or a variables file.
//!
//! A placeholder, a key and a declaration that mean the same have the same
//! [`Subject`]: that is how one is found from the other. For values it is the path
//! from the top of an inputs file. `this` is no place of its own: in a loop over
//! `items`, `this.title` is the `title` of each item of `items`.

use std::collections::BTreeSet;
use std::ops::Range;

use promptls_resolver::blocks::is_of_item;
use promptls_resolver::{
    Entry, FileId, Fragment, Location, Object, Step, Value, ValueKind, effective_name, steps,
};
use promptls_syntax::{
    BlockKind, Dialect, PathStyle, ScopeId, Token, TokenKind, TokenRef, Use, name_range, tokenize,
};

use crate::snapshot::Snapshot;

/// The most items that are looked at in one step of a path.
const MAX_ITEMS: usize = 10_000;

/// What a place is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The values that a path leads to; never empty.
    Value(Vec<PathStep>),
    /// The fragment of this name.
    Fragment(String),
}

/// One step from the top of an inputs file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
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

/// What the place at an offset of a file is about; `None` where there is no name.
pub fn subject_at(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Subject> {
    Some(mention_at(snapshot, file, offset)?.subject)
}

/// The mention at an offset of a file; for a path in a prompt, the piece at the offset, or the
/// last one for an offset at the braces.
pub(crate) fn mention_at(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Mention> {
    if file == FileId::PROMPT {
        let found = snapshot.token_at(offset)?;
        let reading = Reading::of_token(snapshot, &found)?;
        return reading.mention_at(snapshot.name_range(&found), offset);
    }
    let (subject, range) = if snapshot.declarations.file == file {
        in_variables(snapshot, offset)?
    } else {
        let case = snapshot.cases.iter().find(|case| case.inputs.file == file)?;
        let (path, range) = key_at(snapshot.dialect(), Vec::new(), &case.inputs.root, offset)?;
        (Subject::Value(path), range)
    };
    Some(Mention { subject, location: Location { file, range } })
}

/// What the place at an offset of the variables file is about, and where that is written: the name
/// of a variable or a fragment, a key in a default, a name in the text of a fragment.
fn in_variables(snapshot: &Snapshot, offset: usize) -> Option<(Subject, Range<usize>)> {
    let declarations = &snapshot.declarations;
    let dialect = snapshot.dialect();
    let is_here = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    for variable in &declarations.variables {
        let path = || vec![PathStep::Key(variable.name.to_string())];
        let range = variable.name_span.range();
        if is_here(&range) {
            return Some((Subject::Value(path()), range));
        }
        let default = variable.default.as_ref().filter(|_| dialect.spec().declarations);
        if let Some(object) = default.and_then(Value::as_object)
            && let Some((path, range)) = key_at(dialect, path(), object, offset)
        {
            return Some((Subject::Value(path), range));
        }
    }
    for fragment in &declarations.fragments {
        let range = fragment.name_span.range();
        if is_here(&range) {
            return Some((Subject::Fragment(fragment.name.to_string()), range));
        }
    }
    let (reading, name) = names_in_fragments(snapshot).find(|(_, name)| is_here(name))?;
    let Mention { subject, location } = reading.mention_at(name, offset)?;
    Some((subject, location.range))
}

/// The path of the key at an offset of an inputs file, and where that key stands. `path` leads to
/// the object.
fn key_at(
    dialect: Dialect,
    mut path: Vec<PathStep>,
    mut object: &Object,
    offset: usize,
) -> Option<(Vec<PathStep>, Range<usize>)> {
    let is_in = |value: &Value| value.span.range().contains(&offset);
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
            if dialect.spec().whole_path_keys && path.len() == 1 {
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
                    path.push(match dialect.spec().paths.has_indexes() {
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

/// Where a subject is mentioned in the texts of fragments, in order.
///
/// Cost: the texts of all fragments.
pub(crate) fn mentions_in_fragments(snapshot: &Snapshot, subject: &Subject) -> Vec<Location> {
    let file = snapshot.declarations.file;
    let location = |(reading, name): (Reading, Range<usize>)| {
        let piece = reading.piece(subject)?;
        Some(Location { file, range: name.start + piece.start..name.start + piece.end })
    };
    names_in_fragments(snapshot).filter_map(location).collect()
}

/// The names in the texts of fragments, each with its place in the file.
///
/// A fragment whose names are not written as they are read, which takes an escape inside of
/// braces, has none: see [`tokens_as_written`].
fn names_in_fragments(snapshot: &Snapshot) -> impl Iterator<Item = (Reading, Range<usize>)> {
    let dialect = snapshot.dialect();
    let has_fragments = dialect.spec().declarations;
    let fragments = snapshot.declarations.fragments.iter().filter(move |_| has_fragments);
    fragments.flat_map(move |fragment| {
        let tokens = tokens_as_written(snapshot, fragment).unwrap_or_default();
        tokens.into_iter().filter(|(token, _)| token.kind.reads()).map(move |(token, text)| {
            let name = name_range(dialect, token.kind, &text);
            let reading = Reading::new(snapshot, ScopeId::ROOT, &text[name.clone()]);
            (reading, token.start + name.start..token.start + name.end)
        })
    })
}

/// The tokens of a fragment, each with its text; their places are those in the file.
///
/// The text stands in a JSON or YAML string, so it is read as it is written there; `None` where
/// that gives other tokens than the text itself has.
pub(crate) fn tokens_as_written(
    snapshot: &Snapshot,
    fragment: &Fragment,
) -> Option<Vec<(Token, String)>> {
    let file = snapshot.declarations.file;
    let range = fragment.span.range();
    let start = range.start;
    let written = snapshot.written_at(&Location { file, range })?;
    let read = tokens(snapshot.dialect(), &fragment.text);
    let mut found = tokens(snapshot.dialect(), &written);
    let texts = |tokens: &[(Token, String)]| -> Vec<String> {
        tokens.iter().map(|(_, text)| text.clone()).collect()
    };
    if texts(&read) != texts(&found) {
        return None;
    }
    for (token, _) in &mut found {
        token.start += start;
    }
    Some(found)
}

/// What the engine acts on in a text, each with what is written there.
pub(crate) fn tokens(dialect: Dialect, text: &str) -> Vec<(Token, String)> {
    let mut tokens = Vec::new();
    tokenize(dialect, text, |token| {
        if !matches!(token.kind, TokenKind::NearMiss | TokenKind::Foreign) {
            tokens.push((token, text[token.range()].to_owned()));
        }
    });
    tokens
}

/// A key of a sidecar, and which piece of it is about a subject: nearly always all of it, but a
/// key may be a whole path.
pub(crate) struct KeyMention<'a> {
    pub location: Location,
    /// The key, unescaped.
    pub key: &'a str,
    /// The piece, in bytes of the key.
    pub piece: Range<usize>,
}

/// The keys that a path leads to, in every case and in the defaults of variables. `None` if the
/// last step is no key of anybody's, but one of those that the engine gives to each entry of a
/// map in a loop.
///
/// Cost: the cases, times the steps, times the items of the loops among them.
pub(crate) fn keys_of<'a>(
    snapshot: &'a Snapshot,
    path: &'a [PathStep],
) -> Option<Vec<KeyMention<'a>>> {
    let dialect = snapshot.dialect();
    let Some((PathStep::Key(key), before)) = path.split_last() else { return Some(Vec::new()) };
    let mut found = Vec::new();
    let add = |file: FileId, places: &[Place<'_>], found: &mut Vec<KeyMention<'a>>| {
        for place in places {
            if matches!(place, Place::Entry(_)) {
                return None;
            }
            let next = place.step(&path[before.len()]).into_iter();
            found.extend(next.map(|(_, range)| KeyMention {
                location: Location { file, range },
                key,
                piece: 0..key.len(),
            }));
        }
        Some(())
    };
    for case in &snapshot.cases {
        let inputs = &case.inputs;
        let (steps, places) = walk(Place::Object(&inputs.root), before);
        if steps == before.len() {
            add(inputs.file, &places, &mut found)?;
        }
        if !dialect.spec().whole_path_keys {
            continue;
        }
        for entry in inputs.root.entries().iter().filter(|entry| entry.key.contains(['.', '['])) {
            let pieces = pieces(dialect, &entry.key);
            let is_behind = pieces.len() >= path.len()
                && pieces.iter().zip(path).all(|((own, _), wanted)| own == wanted);
            if is_behind && is_path(dialect, &entry.key) {
                let location = Location { file: inputs.file, range: entry.key_span.range() };
                let piece = pieces[before.len()].1.clone();
                found.push(KeyMention { location, key: &entry.key, piece });
            }
        }
    }
    let declarations = &snapshot.declarations;
    if let Some((PathStep::Key(root), inner)) = before.split_first()
        && dialect.spec().declarations
        && let Some(default) = declarations.variable(root).and_then(|it| it.default.as_ref())
    {
        let (steps, places) = walk(Place::Value(default), inner);
        if steps == inner.len() {
            add(declarations.file, &places, &mut found)?;
        }
    }
    Some(found)
}

/// Whether a dialect reads a text in its braces as a name or a path, all of it.
fn is_path(dialect: Dialect, path: &str) -> bool {
    steps_in_braces(dialect, path).is_some()
}

/// The steps of a name or a path that stands alone in its braces; `None` if the dialect reads
/// something else there.
pub(crate) fn steps_in_braces(dialect: Dialect, path: &str) -> Option<Vec<PathStep>> {
    let spec = dialect.spec();
    let text = format!("{}{path}{}", spec.open, spec.close);
    match &tokens(dialect, &text)[..] {
        [(token, _)]
            if token.range() == (0..text.len())
                && token.kind == TokenKind::Placeholder
                && text[name_range(dialect, token.kind, &text)] == *path =>
        {
            Some(pieces(dialect, path).into_iter().map(|(step, _)| step).collect())
        }
        _ => None,
    }
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
    if snapshot.dialect().spec().whole_path_keys
        && let Some(entry) = inputs.root.get(&written(path))
    {
        let locations = vec![location(entry.key_span.range())];
        return Reached { steps: path.len(), locations };
    }
    let mut reached = Reached { steps: 0, locations: Vec::new() };
    let mut places = vec![Place::Object(&inputs.root)];
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

/// A path for people; `items[].title` is the title of each item.
pub(crate) fn shown_path(path: &[PathStep]) -> String {
    let mut text = String::new();
    for (index, step) in path.iter().enumerate() {
        match step {
            PathStep::Key(key) if index == 0 => text.push_str(key),
            PathStep::Key(key) => text.extend([".", key]),
            PathStep::Index(index) => text.push_str(&format!("[{index}]")),
            PathStep::Item => text.push_str("[]"),
        }
    }
    text
}

/// The step of a name at which no case leads on, and what might stand there instead.
pub(crate) struct DeadEnd {
    /// Where the step is in the name, in bytes.
    pub piece: Range<usize>,
    /// What it is.
    pub written: String,
    /// The keys that the cases have there; for the first step all names that are known.
    pub known: BTreeSet<String>,
}

/// Where a name leads nowhere; `None` if it does not, or at an item of a list.
pub(crate) fn dead_end(snapshot: &Snapshot, scope: ScopeId, name: &str) -> Option<DeadEnd> {
    let Reading { subject, pieces } = Reading::new(snapshot, scope, name);
    let fragments = snapshot.declarations.fragments.iter().map(|it| it.name.to_string());
    let path = match subject {
        Subject::Value(path) => path,
        Subject::Fragment(written) => {
            let piece = pieces.first()?.clone();
            return Some(DeadEnd { piece, written, known: fragments.collect() });
        }
    };
    let cases = || 0..snapshot.cases.len();
    let steps = cases().map(|case| follow(snapshot, case, &path).steps).max().unwrap_or(0);
    let PathStep::Key(written) = path.get(steps)? else { return None };
    let hidden = path.len() - pieces.len();
    let known = match steps {
        0 => snapshot.known_names().into_iter().map(str::to_owned).chain(fragments).collect(),
        _ => cases()
            .flat_map(|case| places(snapshot, case, &path[..steps]))
            .flat_map(Place::keys)
            .collect(),
    };
    let piece = pieces.get(steps.checked_sub(hidden)?)?.clone();
    Some(DeadEnd { piece, written: written.clone(), known })
}

/// The places that a path leads to in a case.
fn places<'s>(snapshot: &'s Snapshot, case: usize, path: &[PathStep]) -> Vec<Place<'s>> {
    let start = vec![Place::Object(&snapshot.cases[case].inputs.root)];
    path.iter().fold(start, |places, step| step_on(&places, step).0)
}

/// Whether a path leads to one object in a case, to which a key may be added.
pub(crate) fn is_object(snapshot: &Snapshot, case: usize, path: &[PathStep]) -> bool {
    match places(snapshot, case, path)[..] {
        [Place::Object(_)] => true,
        [Place::Value(value)] => value.as_object().is_some(),
        _ => false,
    }
}

/// Where the `null` stands that a path leads to in a case.
pub(crate) fn null_at(snapshot: &Snapshot, case: usize, path: &[PathStep]) -> Option<Location> {
    match places(snapshot, case, path)[..] {
        [Place::Value(value)] if value.is_null() => {
            Some(Location { file: snapshot.cases[case].inputs.file, range: value.span.range() })
        }
        _ => None,
    }
}

/// How many steps of a path lead somewhere, and where to.
fn walk<'a>(start: Place<'a>, path: &[PathStep]) -> (usize, Vec<Place<'a>>) {
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

/// Where a step leads from all of some places, and where that is written.
fn step_on<'a>(places: &[Place<'a>], step: &PathStep) -> (Vec<Place<'a>>, Vec<Range<usize>>) {
    places.iter().flat_map(|place| place.step(step)).take(MAX_ITEMS).unzip()
}

/// A path as PromptPack writes it.
pub(crate) fn written(path: &[PathStep]) -> String {
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
    fn keys(self) -> Vec<String> {
        let object = match self {
            Place::Object(object) => Some(object),
            Place::Value(value) => value.as_object(),
            Place::Entry(_) | Place::End => None,
        };
        let entries = object.map(Object::entries).unwrap_or_default();
        entries.iter().map(|entry| entry.key.to_string()).collect()
    }

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
        if let Some(known) = snapshot.declarations.fragment_name(dialect, name) {
            let piece = name.len() - known.len()..name.len();
            return Reading { subject: Subject::Fragment(known.to_owned()), pieces: vec![piece] };
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
    if !is_of_item(dialect, name) {
        return Vec::new();
    }
    let mut scope = tree.scope(scope);
    // From the inside to the outside.
    let mut headers: Vec<&str> = Vec::new();
    while let Some(found) = scope
        && headers.last().is_none_or(|header| is_of_item(dialect, header))
    {
        if found.kind == BlockKind::Each {
            headers.push(tree.name(found.path));
        }
        scope = tree.scope(found.parent);
    }
    let mut path = Vec::new();
    for header in headers.iter().rev() {
        // Outside of all loops, `this` is a name like any other.
        let skipped = usize::from(!path.is_empty() && is_of_item(dialect, header));
        path.extend(pieces(dialect, header).into_iter().map(|(step, _)| step).skip(skipped));
        path.push(PathStep::Item);
    }
    path
}

/// The steps of a name, each with its place in it, in bytes.
pub(crate) fn pieces(dialect: Dialect, name: &str) -> Vec<(PathStep, Range<usize>)> {
    if dialect.spec().paths == PathStyle::Whole {
        let key = effective_name(dialect, name).into_owned();
        return vec![(PathStep::Key(key), 0..name.len())];
    }
    let steps: Vec<PathStep> = steps(dialect, name).map(PathStep::from).collect();
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
        let found = key_at(Dialect::PromptPack, Vec::new(), &inputs.root, offset);
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
