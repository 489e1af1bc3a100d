//! The names that a prompt reads, and unused keys.

use std::collections::{BTreeSet, HashSet};

use promptls_resolver::{
    Code, Declarations, Engine, EngineRef, Entry, FileId, Fragment, Inputs, Location, Problem,
    Template, first_key, root,
};
use promptls_syntax::{TokenKind, Use};

use super::checker::Checker;
use crate::dialects::advice;
use crate::dialects::format::nested_fields;
use crate::near_miss::{Evidence, NearMiss};
use crate::snapshot::key::is_placeholder;
use crate::snapshot::{Hole, Settings, Snapshot};
use crate::suggest::KnownNames;

/// The keys of inputs files that a prompt reads: first names, and whole paths where a key may be
/// one.
///
/// Words in near misses and in tags of other languages also count: they are reported separately,
/// and one problem is enough. Names that no placeholder can contain count if they have a value, so
/// that no problem demands one. Cost: the distinct names, and the fragments.
pub fn names_read(snapshot: &Snapshot) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    each_name_read(snapshot, |name| {
        names.insert(name.to_owned());
    });
    names
}

/// [`names_read`], one by one; some more than once.
fn each_name_read(snapshot: &Snapshot, mut take: impl FnMut(&str)) {
    let dialect = snapshot.dialect();
    let tree = &snapshot.tree;
    let mut fragments = Fragments::default();
    for (used, _) in tree.uses() {
        let name = tree.name(used.name);
        match used.kind {
            TokenKind::NearMiss | TokenKind::Foreign => {
                let counts = |word: &&str| {
                    snapshot.is_known(word) || is_placeholder(snapshot.engine(), word)
                };
                words(name).filter(counts).for_each(&mut take);
            }
            TokenKind::Escape | TokenKind::Malformed => {}
            // Without its closer, such a name contains several names.
            // Nearly no name has a brace, and a search for a character is quicker.
            _ if dialect.spec().free_names
                && name.contains('{')
                && name.contains(dialect.spec().open) =>
            {
                words(name).for_each(&mut take);
            }
            _ => read(snapshot.engine(), name, &snapshot.declarations, &mut fragments, &mut take),
        }
    }
    for field in nested_fields(snapshot) {
        read(snapshot.engine(), &field.name, &snapshot.declarations, &mut fragments, &mut take);
    }
    // Text that only another of several engines treats as a name is read by that engine.
    for engine in snapshot.engines().iter().skip(1).map(EngineRef::engine) {
        if engine.grammar() != snapshot.engine().grammar() {
            let text = snapshot.text.whole();
            for name in Template::compile(engine, &text).path_names() {
                read(engine, name, &snapshot.declarations, &mut fragments, &mut take);
            }
        }
    }
    // Each fragment once, so that a cycle of fragments ends.
    let mut seen = 0;
    while let Some(fragment) = fragments.in_order.get(seen).copied() {
        seen += 1;
        for name in Template::compile(snapshot.engine(), &fragment.text).path_names() {
            read(snapshot.engine(), name, &snapshot.declarations, &mut fragments, &mut take);
        }
    }
}

/// The keys of inputs files that a prompt needs: those that it reads, required variables, without
/// which the engine does not send it, those that misspelt names refer to, and those of its holes.
pub fn keys_needed(snapshot: &Snapshot) -> BTreeSet<String> {
    let mut keys: BTreeSet<String> = snapshot.holes().iter().map(Hole::key).collect();
    let snapshot = &*snapshot.with_parts();
    each_key_needed(snapshot, |key| {
        keys.insert(key.to_owned());
    });
    keys.extend(keys_meant(snapshot));
    keys
}

/// The keys that are suggested for unknown names. They count as used, because the problem is
/// already reported at the misspelt name.
fn keys_meant(snapshot: &Snapshot) -> BTreeSet<String> {
    let (tree, dialect) = (&snapshot.tree, snapshot.dialect());
    let Settings { runtime, literal, .. } = &*snapshot.settings;
    let is_misspelt = |used: &Use| {
        let name = tree.name(used.name);
        let first = root(dialect, name);
        let is_meant = ![runtime, literal].iter().any(|it| it.contains(first) || it.contains(name));
        // An optional name without a value is not a problem.
        let needs_value = used.in_force && used.kind.reads() && used.kind != TokenKind::Optional;
        needs_value && is_meant && !dialect.injects(first) && !snapshot.is_known(first)
    };
    let uses = || tree.uses().map(|(used, _)| used);
    let misspelt = uses().filter(is_misspelt);
    let misspelt: BTreeSet<&str> =
        misspelt.map(|used| root(dialect, tree.name(used.name))).collect();
    let near_misses = uses().filter(|used| used.kind == TokenKind::NearMiss);
    let near_misses: BTreeSet<&str> = near_misses.map(|used| tree.name(used.name)).collect();
    let questions = misspelt.len() + near_misses.len();
    if questions == 0 {
        return BTreeSet::new();
    }
    let names = snapshot.names_to_mean([]);
    let nearest = misspelt.iter().filter_map(|name| names.nearest(name, questions));
    let mut meant: BTreeSet<String> = nearest.map(str::to_owned).collect();
    for token in near_misses {
        let found = NearMiss::new(snapshot, token, Evidence::Near).among(&names, questions);
        let is_misspelt = !found.is_known(found.word);
        let remark = found.remark(|it| advice(dialect).near_miss(it)).filter(|_| is_misspelt);
        let similar = remark.and(found.similar());
        meant.extend(similar.map(str::to_owned));
    }
    meant
}

/// [`keys_needed`], one by one; some more than once.
fn each_key_needed(snapshot: &Snapshot, mut take: impl FnMut(&str)) {
    each_name_read(snapshot, &mut take);
    if snapshot.dialect().spec().declarations {
        let required = snapshot.declarations.variables.iter().filter(|variable| variable.required);
        required.for_each(|variable| take(&variable.name));
    }
}

/// Returns whether a key is for editors or is a comment: `$schema`, `//`, `_comment`.
pub(crate) fn is_for_tools(key: &str) -> bool {
    ["$schema", "$comment", "$id", "//", "#", "_comment"].iter().any(|mark| key.starts_with(mark))
}

/// The fragments that were found, each once.
#[derive(Default)]
struct Fragments<'s> {
    in_order: Vec<&'s Fragment>,
    names: HashSet<&'s str>,
}

fn read<'s>(
    engine: Engine,
    name: &str,
    declarations: &'s Declarations,
    fragments: &mut Fragments<'s>,
    take: &mut impl FnMut(&str),
) {
    let fragment = engine.fragment_name(declarations, name);
    if let Some(fragment) = fragment.and_then(|name| declarations.fragment(name)) {
        if fragments.names.insert(&fragment.name) {
            fragments.in_order.push(fragment);
        }
        return;
    }
    let dialect = engine.dialect();
    let first = first_key(dialect, name);
    take(first);
    if first != name {
        take(name);
    }
    if let Some(outputs) = advice(dialect).outputs() {
        outputs.also_read(name).into_iter().for_each(take);
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |character: char| character.is_alphanumeric() || "_-:$".contains(character);
    let words = text.split(move |character| !is_word(character));
    words.filter(|word| !word.is_empty())
}

/// `true` for the key of a hole: `=city`. A hole may read any other name.
pub fn is_of_hole(key: &str) -> bool {
    key.starts_with('=')
}

/// The unused keys of an inputs file.
///
/// `read` contains [`keys_needed`] of every prompt that reads this file; `reader` describes these
/// prompts.
pub fn unused_inputs(inputs: &Inputs, read: &BTreeSet<String>, reader: &str) -> Vec<Problem> {
    let is_unused = |entry: &&Entry| !read.contains(&*entry.key) && !is_for_tools(&entry.key);
    let unused: Vec<&Entry> = inputs.root.entries().iter().filter(is_unused).collect();
    let without_value = read.iter().filter(|name| inputs.root.get(name).is_none());
    let meant = KnownNames::new(without_value.map(String::as_str));
    let questions = unused.len();
    unused
        .into_iter()
        .map(|entry| {
            let location = Location { file: inputs.file, range: entry.key_span.range() };
            let hint = meant.did_you_mean(&entry.key, questions);
            let message = format!("`{}` is never read by {reader}{hint}", entry.key);
            Problem::new(Code::UnusedInput, location, message).about(&*entry.key)
        })
        .collect()
}

/// The unused variables. `read` contains [`names_read`] of every prompt that uses the declarations.
pub fn unused_variables(
    declarations: &Declarations,
    read: &BTreeSet<String>,
    reader: &str,
) -> Vec<Problem> {
    let is_unused = |name: &str| {
        !declarations.has_unread_variables
            && !read.contains(name)
            && declarations.fragment(name).is_none()
    };
    declarations
        .variables
        .iter()
        .filter(|variable| is_unused(&variable.name))
        .map(|variable| {
            let range = variable.name_span.range();
            let location = Location { file: declarations.file, range };
            let message = format!("`{}` is declared and never used by {reader}", variable.name);
            Problem::new(Code::UnusedVariable, location, message).about(&*variable.name)
        })
        .collect()
}

/// The files with a key that the prompt does not need. They are few, and only for them is a set of
/// names built. This runs at each keystroke.
fn not_all_read<'i>(snapshot: &Snapshot, files: Vec<&'i Inputs>) -> Vec<&'i Inputs> {
    let no_key_is_read = |inputs: &Inputs| vec![false; inputs.root.entries().len()];
    let mut are_read: Vec<_> = files.iter().map(|inputs| no_key_is_read(inputs)).collect();
    each_key_needed(snapshot, |key| {
        for (inputs, is_read) in files.iter().zip(&mut are_read) {
            if let Some(position) = inputs.root.position(key) {
                is_read[position] = true;
            }
        }
    });
    let unread = files.into_iter().zip(are_read).filter(|(_, is_read)| is_read.contains(&false));
    unread.map(|(inputs, _)| inputs).collect()
}

pub(super) fn check(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let own: Vec<&Inputs> =
        snapshot.cases.iter().filter(|case| !case.is_shared()).map(|case| &*case.inputs).collect();
    let has_variables = snapshot.has_variables_file && !snapshot.shared_variables;
    if own.is_empty() && !has_variables {
        return;
    }
    let reader = snapshot.file_name(FileId::PROMPT);
    let own = not_all_read(snapshot, own);
    if !own.is_empty() {
        let needed = keys_needed(snapshot);
        checker.problems.extend(own.iter().flat_map(|own| unused_inputs(own, &needed, reader)));
    }
    if has_variables {
        let read = names_read(snapshot);
        for unused in unused_variables(&snapshot.declarations, &read, reader) {
            // A problem that the variable is required and missing is already reported there.
            let problems = &mut checker.problems;
            if !problems.iter().any(|problem| problem.location == unused.location) {
                problems.push(unused);
            }
        }
    }
}
