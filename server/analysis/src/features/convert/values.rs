//! Converts the files beside a prompt: inputs and variables, with as few changes as possible.

use std::collections::BTreeSet;
use std::ops::Range;

use promptls_resolver::{
    Engine, FileId, Format, Object, ResolveContext, Step, Value, ValueKind, lookup_name, root,
    steps,
};
use serde_json::json;

use super::conversion::{ConvertedCase, NotConverted};
use super::had::{Had, MAX_COMPARED, declares_for_itself, given_there, had};
use super::names::{ConvertedName, Plan};
use crate::file_edit::{FileEdit, edit_file};
use crate::snapshot::{DEFAULT_CASE, Snapshot};

/// The file with the declarations of a prompt, if it is beside the prompt.
pub(super) fn variables_file(snapshot: &Snapshot) -> Option<FileId> {
    let file = snapshot.declarations.file;
    let is_beside = declares_for_itself(snapshot) && file != FileId::PROMPT;
    is_beside.then_some(file)
}

/// The converted inputs of each case.
pub(super) fn cases(
    snapshot: &Snapshot,
    target: Engine,
    plan: &Plan,
) -> Result<Vec<ConvertedCase>, NotConverted> {
    let mut converted = Vec::new();
    for (index, given) in snapshot.given().iter().enumerate() {
        let case = snapshot.cases.get(index);
        let nothing = Object::default();
        let values = case.map_or(&nothing, |case| &case.inputs.root);
        let edits = edits(snapshot, target, plan, given, values);
        let new = match case {
            // Without any inputs, there may still be values that the engine supplies.
            None if edits.is_empty() => continue,
            None => {
                let text = edited("{}\n", "", Format::Json, &edits)?;
                ConvertedCase { name: DEFAULT_CASE.into(), file: FileId::PROMPT, text }
            }
            Some(case) => {
                let (name, file) = (case.name.clone(), case.inputs.file);
                let file_name = snapshot.file_name(file);
                let Some(old) = snapshot.file_texts.get(&file) else { continue };
                let text = edited(old, file_name, Format::of_sidecar(file_name), &edits)?;
                ConvertedCase { name, file, text }
            }
        };
        converted.push(new);
    }
    Ok(converted)
}

fn edited(
    text: &str,
    name: &str,
    format: Format,
    edits: &[FileEdit],
) -> Result<String, NotConverted> {
    edit_file(text, format, edits).ok_or_else(|| NotConverted::OnlyByHand(name.to_owned()))
}

/// The edits of a case's inputs.
fn edits(
    snapshot: &Snapshot,
    target: Engine,
    plan: &Plan,
    given: &ResolveContext<'_>,
    values: &Object,
) -> Vec<FileEdit> {
    let source = snapshot.engine();
    let there = given_there(snapshot, given);
    let still_read = keys_still_read(target, plan);
    let mut edits = Vec::new();
    let mut gone = BTreeSet::new();
    for name in &plan.names {
        let before = lookup_name(source, &name.old, given);
        let has = had(snapshot, &before, name.optional);
        if name.leads_on {
            if let Had::PutThere(value) = has
                && lookup_name(target, &name.old, &there).text(MAX_COMPARED)
                    != Some(before.text(MAX_COMPARED).unwrap_or_default())
            {
                edits.push(FileEdit::Set { path: keys(target, &name.old), value });
            }
            continue;
        }
        let path = vec![name.new.clone()];
        let own = values.get(&name.old).filter(|entry| {
            let at = before.location.as_ref().map(|location| location.range.clone());
            at == Some(entry.value.span.range()) && !still_read.contains(&*name.old)
        });
        match (has, own) {
            (Had::Value, Some(_)) if name.new == name.old => {}
            (Had::Value, Some(entry)) if gone.insert(name.old.as_str()) => {
                let (key, name) = (entry.key_span.range(), name.new.clone());
                edits.push(FileEdit::Rename { key, name });
            }
            (Had::Value, _) => {
                let range = before.location.as_ref().map(|location| &location.range);
                let value = range.and_then(|range| value_at(values, range)).map(as_json);
                let text = || json!(before.text(MAX_COMPARED).unwrap_or_default()).to_string();
                edits.push(FileEdit::Insert { path, value: value.unwrap_or_else(text) });
            }
            (Had::PutThere(value), _) => edits.push(FileEdit::Set { path, value }),
            (Had::Nothing, _) => {}
        }
    }
    // Keys that are no longer read are removed.
    let new: BTreeSet<&str> = plan.names.iter().map(|name| &*name.new).collect();
    let mut unread = BTreeSet::new();
    for name in plan.names.iter().filter(|name| !name.leads_on) {
        unread.extend([root(source.dialect(), &name.old), &*name.old]);
    }
    unread.retain(|key| {
        values.get(key).is_some()
            && !gone.contains(key)
            && !still_read.contains(key)
            && !new.contains(key)
    });
    edits.extend(unread.into_iter().map(|key| FileEdit::Unset { path: vec![key.to_owned()] }));
    edits
}

/// The keys at the root that names still refer to.
fn keys_still_read(target: Engine, plan: &Plan) -> BTreeSet<&str> {
    let kept = plan.names.iter().filter(|name| name.leads_on);
    kept.flat_map(|name| [root(target.dialect(), &name.old), &*name.old]).collect()
}

/// The keys that lead to the value of a name.
fn keys(engine: Engine, name: &str) -> Vec<String> {
    let key = |step| match step {
        Step::Key(key) => str::to_owned(key),
        Step::Index(index) => index.to_string(),
    };
    steps(engine.dialect(), name).map(key).collect()
}

/// The value at a range of the file.
fn value_at<'v>(values: &'v Object, range: &Range<usize>) -> Option<&'v Value> {
    let mut open: Vec<&Value> = values.entries().iter().map(|entry| &entry.value).collect();
    while let Some(value) = open.pop() {
        if value.span.range() == *range {
            return Some(value);
        }
        match &value.kind {
            ValueKind::List(items) => open.extend(items),
            ValueKind::Object(object) => {
                open.extend(object.entries().iter().map(|entry| &entry.value));
            }
            _ => {}
        }
    }
    None
}

/// A value in the syntax of an inputs file.
fn as_json(value: &Value) -> String {
    match &value.kind {
        ValueKind::File(file) => json!({ "$file": &*file.path }).to_string(),
        ValueKind::List(items) => {
            format!("[{}]", items.iter().map(as_json).collect::<Vec<_>>().join(", "))
        }
        ValueKind::Object(object) => {
            let member = |entry: &promptls_resolver::Entry| {
                format!("{}: {}", json!(&*entry.key), as_json(&entry.value))
            };
            let members: Vec<String> = object.entries().iter().map(member).collect();
            format!("{{{}}}", members.join(", "))
        }
        _ => value.to_json(),
    }
}

/// The converted variables file, if there is one.
pub(super) fn variables(
    snapshot: &Snapshot,
    target: Engine,
    plan: &Plan,
) -> Result<Option<String>, NotConverted> {
    let Some(file) = variables_file(snapshot) else { return Ok(None) };
    let Some(text) = snapshot.file_texts.get(&file) else { return Ok(None) };
    let declared = &snapshot.declarations;
    let still_read = keys_still_read(target, plan);
    let mut edits = Vec::new();
    let mut has_declaration = BTreeSet::new();
    let changed: Vec<&ConvertedName> = plan.names.iter().filter(|name| !name.leads_on).collect();
    for variable in &declared.variables {
        let of_root = |name: &&&ConvertedName| {
            *name.old == *variable.name || *root(snapshot.dialect(), &name.old) == *variable.name
        };
        if still_read.contains(&*variable.name) || !changed.iter().any(|name| of_root(&name)) {
            continue;
        }
        match changed.iter().find(|name| *name.old == *variable.name) {
            Some(name) => {
                has_declaration.insert(&*name.new);
                let (key, name) = (variable.name_span.range(), name.new.clone());
                if name != *variable.name {
                    edits.push(FileEdit::Rename { key, name });
                }
            }
            None => edits.push(FileEdit::Remove { at: variable.span.start as usize }),
        }
    }
    // If any names are declared, all are.
    if !declared.variables.is_empty() {
        let undeclared = changed.iter().filter(|name| {
            !has_declaration.contains(&*name.new)
                && declared.variable(root(snapshot.dialect(), &name.old)).is_some()
        });
        edits.extend(undeclared.map(|name| FileEdit::Append {
            path: vec!["variables".to_owned()],
            value: json!({ "name": name.new }).to_string(),
        }));
    }
    let has_fragments = |engine: Engine| engine.dialect().spec().fragment_prefix.is_some();
    if has_fragments(snapshot.engine()) && !has_fragments(target) {
        edits.push(FileEdit::Unset { path: vec!["fragments".to_owned()] });
    }
    let name = snapshot.file_name(file);
    edited(text, name, Format::of_sidecar(name), &edits).map(Some)
}
