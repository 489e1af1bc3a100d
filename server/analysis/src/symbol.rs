//! Symbols: the meanings of positions in a prompt, an inputs file or a variables file.
//!
//! A placeholder, a key and a declaration with the same meaning have the same [`Symbol`], by which
//! one is found from the other. For values, it is the path from the root of an inputs file. `this`
//! has no symbol of its own: in a loop over `items`, `this.title` is the `title` of each item of
//! `items`.
//!
//! Names are resolved to symbols in `reading.rs`, and paths are followed into values in
//! `values.rs`.

mod flat_key;
mod fragment_text;
mod path;
mod reading;
mod values;

use std::collections::HashSet;
use std::ops::Range;

use promptls_resolver::{Entry, FileId, Location, Object, Value, ValueKind, steps};
use promptls_syntax::{Dialect, ScopeId, Use, name_range};

pub(crate) use flat_key::{flat_key, object_path};
pub(crate) use fragment_text::{tokens, tokens_as_written};
pub use path::{PathStep, Symbol};
pub(crate) use path::{Reference, shown_path, written};
pub(crate) use reading::{pieces, steps_in_braces};
pub(crate) use values::{DeadEnd, FirstNames, dead_end, follow, is_object, keys_of, null_at};

use crate::dialects::format::{nested_field_at, nested_fields};
use crate::snapshot::{Hole, NamePlace, Snapshot};
use reading::Reading;

/// The symbol at an offset of a file; `None` if there is no name.
pub fn symbol_at(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Symbol> {
    Some(reference_at(snapshot, file, offset)?.symbol)
}

/// The reference at an offset of a file. For a path in a prompt, it is the step at the offset, or
/// the last one for an offset at the braces.
pub(crate) fn reference_at(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Reference> {
    if file == FileId::PROMPT {
        if let Some(hole) = snapshot.hole_at(offset) {
            return Some(hole_reference(hole));
        }
        let found = snapshot.token_at(offset)?;
        if let Some(field) = nested_field_at(snapshot, &found, offset) {
            let reading = Reading::new(snapshot, field.scope, &field.name);
            return reading.reference_at(field.range, offset);
        }
        let reading = Reading::of_token(snapshot, &found)?;
        return reading.reference_at(snapshot.name_range(&found), offset);
    }
    let (symbol, range) = if snapshot.declarations.file == file {
        in_variables(snapshot, offset)?
    } else if let Some(case) = snapshot.cases.iter().find(|case| case.inputs.file == file) {
        let (path, range) = key_at(snapshot.dialect(), Vec::new(), &case.inputs.root, offset)?;
        (Symbol::Value(path), range)
    } else {
        let place = snapshot.program()?.place_at(file, offset)?;
        (symbol_of(snapshot, ScopeId::ROOT, &place.name), place.location.range.clone())
    };
    Some(Reference { symbol, location: Location { file, range } })
}

/// A part that the program computes, as a reference to its value in inputs files.
fn hole_reference(hole: &Hole) -> Reference {
    let symbol = Symbol::Value(vec![PathStep::Key(hole.key())]);
    Reference { symbol, location: Location { file: FileId::PROMPT, range: hole.range.clone() } }
}

/// The parts that the program computes and whose value has a symbol, in order.
fn holes_of<'s>(snapshot: &'s Snapshot, symbol: &'s Symbol) -> impl Iterator<Item = &'s Hole> {
    whole_name(symbol).into_iter().flat_map(|key| snapshot.holes_of(key))
}

/// Returns whether a symbol is the value of a part that the program computes, which has no name.
pub(crate) fn is_of_hole(snapshot: &Snapshot, symbol: &Symbol) -> bool {
    holes_of(snapshot, symbol).next().is_some()
}

/// The symbol at an offset of the variables file, and its range. It may be the name of a variable
/// or a fragment, a key in a default, or a name in the text of a fragment.
fn in_variables(snapshot: &Snapshot, offset: usize) -> Option<(Symbol, Range<usize>)> {
    let declarations = &snapshot.declarations;
    let dialect = snapshot.dialect();
    let is_here = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    for variable in &declarations.variables {
        let path = || vec![PathStep::Key(variable.name.to_string())];
        let range = variable.name_span.range();
        if is_here(&range) {
            return Some((Symbol::Value(path()), range));
        }
        let default = variable.default.as_ref().filter(|_| dialect.spec().declarations);
        if let Some(object) = default.and_then(Value::as_object)
            && let Some((path, range)) = key_at(dialect, path(), object, offset)
        {
            return Some((Symbol::Value(path), range));
        }
    }
    for fragment in &declarations.fragments {
        let range = fragment.name_span.range();
        if is_here(&range) {
            return Some((Symbol::Fragment(fragment.name.to_string()), range));
        }
    }
    let (reading, name) = names_in_fragments(snapshot).find(|(_, name)| is_here(name))?;
    let Reference { symbol, location } = reading.reference_at(name, offset)?;
    Some((symbol, location.range))
}

/// The path of the key at an offset of an inputs file, and the range of that key. `path` leads to
/// the object.
fn key_at(
    dialect: Dialect,
    mut path: Vec<PathStep>,
    mut object: &Object,
    offset: usize,
) -> Option<(Vec<PathStep>, Range<usize>)> {
    let is_in = |value: &Value| value.span.range().contains(&offset);
    loop {
        // Keys first: in YAML, the next key may start at the end of a value.
        let at_key = |entry: &&Entry| {
            let range = entry.key_span.range();
            range.start <= offset && offset <= range.end
        };
        let key = object.entries().iter().find(at_key);
        let entry = key.or_else(|| object.entries().iter().find(|entry| is_in(&entry.value)))?;
        path.push(PathStep::Key(entry.key.to_string()));
        if key.is_some() {
            // A key at the root may be a whole path.
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

/// The references to a symbol in the prompt, in order: the step of the path that refers to it, or a
/// part that the program computes. References in a text of another file are one, at its name.
///
/// Cost: the distinct uses of names, and the references; with texts of other files, a parse.
pub(crate) fn references_in_prompt(snapshot: &Snapshot, symbol: &Symbol) -> Vec<Location> {
    let Some((filled, with_texts)) = snapshot.with_other_texts() else {
        return references_in_text(snapshot, symbol);
    };
    let mut found = references_in_text(&with_texts, symbol);
    for location in &mut found {
        location.range = filled.in_prompt(&location.range);
    }
    found.dedup();
    found.extend(
        holes_of(snapshot, symbol)
            .filter(|hole| hole.text.is_some())
            .map(|hole| hole_reference(hole).location),
    );
    found
}

/// The same in the text of a snapshot alone.
fn references_in_text(snapshot: &Snapshot, symbol: &Symbol) -> Vec<Location> {
    let tree = &snapshot.tree;
    let is_reference = |used: &Use| {
        used.kind.reads()
            && Reading::new(snapshot, used.scope, tree.name(used.name)).piece(symbol).is_some()
    };
    let uses = tree.uses().map(|(used, _)| used).filter(is_reference).collect();
    tree.occurrences(&uses, usize::MAX)
        .iter()
        .filter_map(|found| {
            let reading = Reading::of_token(snapshot, found)?;
            let piece = reading.piece(symbol)?;
            let start = snapshot.name_range(found).start;
            let range = start + piece.start..start + piece.end;
            Some(Location { file: FileId::PROMPT, range })
        })
        .chain(references_in_specifications(snapshot, symbol))
        .chain(holes_of(snapshot, symbol).map(|hole| hole_reference(hole).location))
        .collect()
}

/// The same in fields of format specifications.
fn references_in_specifications(
    snapshot: &Snapshot,
    symbol: &Symbol,
) -> impl Iterator<Item = Location> {
    let fields = nested_fields(snapshot).into_iter();
    fields.filter_map(|field| {
        let piece = Reading::new(snapshot, field.scope, &field.name).piece(symbol)?;
        let range = field.range.start + piece.start..field.range.start + piece.end;
        Some(Location { file: FileId::PROMPT, range })
    })
}

/// The first keys of the paths that the prompt reads.
///
/// Cost: the distinct uses of names.
pub(crate) fn first_keys_read(snapshot: &Snapshot) -> HashSet<String> {
    let tree = &snapshot.tree;
    let key = |used: &Use| {
        let reading = Reading::new(snapshot, used.scope, tree.name(used.name));
        match &reading.symbol {
            Symbol::Value(path) => match path.first() {
                Some(PathStep::Key(key)) => {
                    let first = Symbol::Value(vec![PathStep::Key(key.clone())]);
                    reading.piece(&first).map(|_| key.clone())
                }
                _ => None,
            },
            Symbol::Fragment(_) => None,
        }
    };
    let uses = tree.uses().map(|(used, _)| used).filter(|used| used.kind.reads());
    uses.filter_map(|used| key(&used)).collect()
}

/// The references to a symbol in the texts of fragments, in order.
///
/// Cost: the texts of all fragments.
pub(crate) fn references_in_fragments(snapshot: &Snapshot, symbol: &Symbol) -> Vec<Location> {
    let file = snapshot.declarations.file;
    let location = |(reading, name): (Reading, Range<usize>)| {
        let piece = reading.piece(symbol)?;
        Some(Location { file, range: name.start + piece.start..name.start + piece.end })
    };
    names_in_fragments(snapshot).filter_map(location).collect()
}

/// The names in the texts of fragments, each with its range in the file.
///
/// A fragment whose names differ from their source, because of an escape inside braces, has none:
/// see [`tokens_as_written`].
fn names_in_fragments(snapshot: &Snapshot) -> impl Iterator<Item = (Reading, Range<usize>)> {
    let dialect = snapshot.dialect();
    let has_fragments = dialect.spec().declarations;
    let fragments = snapshot.declarations.fragments.iter().filter(move |_| has_fragments);
    fragments.flat_map(move |fragment| {
        let tokens = tokens_as_written(snapshot, fragment).unwrap_or_default();
        tokens.into_iter().filter(|(token, _)| token.kind.reads()).map(move |(token, text)| {
            let name = name_range(snapshot.engine(), token.kind, &text);
            let reading = Reading::new(snapshot, ScopeId::ROOT, &text[name.clone()]);
            (reading, token.start + name.start..token.start + name.end)
        })
    })
}

/// The symbol of a name in a scope.
pub(crate) fn symbol_of(snapshot: &Snapshot, scope: ScopeId, name: &str) -> Symbol {
    Reading::new(snapshot, scope, name).symbol
}

/// The declaration of a symbol.
pub(crate) fn declaration_of(snapshot: &Snapshot, symbol: &Symbol) -> Option<Location> {
    let declarations = &snapshot.declarations;
    let span = match symbol {
        Symbol::Fragment(name) => declarations.fragment(name)?.name_span,
        Symbol::Value(path) => match path.first()? {
            PathStep::Key(name) => declarations.variable(name)?.name_span,
            _ => return None,
        },
    };
    Some(Location { file: declarations.file, range: span.range() })
}

/// The places in the surrounding program that refer to a symbol. A path into a value has none.
pub(crate) fn program_places<'s>(
    snapshot: &'s Snapshot,
    symbol: &Symbol,
) -> impl Iterator<Item = &'s NamePlace> {
    whole_name(symbol).into_iter().flat_map(|name| snapshot.program_places(name))
}

/// The name of a symbol, if it belongs to the state that all prompts of the surrounding program
/// share. Whether code certainly refers to it does not matter: code may set it in a way that is not
/// followed.
pub fn name_in_program<'n>(snapshot: &Snapshot, symbol: &'n Symbol) -> Option<&'n str> {
    let has_state = snapshot.program().is_some_and(|program| program.has_state);
    whole_name(symbol).filter(|_| has_state)
}

/// The name of a symbol that is a whole value, not a member.
pub(crate) fn whole_name(symbol: &Symbol) -> Option<&str> {
    match symbol {
        Symbol::Value(path) => match &path[..] {
            [PathStep::Key(name)] => Some(name),
            _ => None,
        },
        Symbol::Fragment(_) => None,
    }
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
    fn keys_are_found_by_offset() {
        check_key(Format::Json, r#"{"a": [1, {"$0b": 2}]}"#, Some("a[1].b"));
        check_key(Format::Json, r#"{"a": {"b"$0: 2}}"#, Some("a.b"));
        check_key(Format::Json, r#"{"a": {"b": $02}}"#, None);
        check_key(Format::Yaml, "a:\n  b: 1\n$0c: 2\n", Some("c"));
        check_key(Format::Yaml, "a:\n- b: 1\n- b$0: 1\n", Some("a[1].b"));
    }

    #[test]
    fn symbols_are_found_at_every_offset_of_an_odd_prompt() {
        let prompt = "{{{x}}} {{a}}{{b}} {{ a . b. }} {{.}} {{}} {{#each }}{{this..é}}{{/each}} \
            {{#each this}}{{this}}{{/each}} {{a[0][1].b}} {task_0..} {app:é?} {{fragments.}}";
        let case = r#"{"x": 1, "a": {"b": [[1], {"é": 2}]}, "": 3, ".": 4}"#;
        for dialect in Dialect::ALL {
            let Files { snapshot, .. } = &Files::new(dialect, prompt, &[case], "{}");
            for (offset, _) in prompt.char_indices() {
                let Some(reference) = reference_at(snapshot, FileId::PROMPT, offset) else {
                    continue;
                };
                let references = references_in_prompt(snapshot, &reference.symbol);
                assert!(references.contains(&reference.location), "{dialect:?} {reference:?}");
            }
        }
    }
}
