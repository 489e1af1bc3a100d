//! Fixes for keys, declarations and values in the files beside a prompt.

use promptls_resolver::{FileId, Format, Problem, Value, ValueKind, VariableType};
use serde_json::Value as Json;

use super::action::{Change, NewFile};
use super::fix::{Fix, replace};
use super::id::{ActionId, ActionName};
use crate::diagnose::names_read;
use crate::file_edit::FileEdit;
use crate::skeleton::skeleton;
use crate::snapshot::Snapshot;
use crate::suggest::nearest;

/// Returns whether the declarations have their own file, which may be empty.
pub(super) fn has_declarations_file(snapshot: &Snapshot) -> bool {
    snapshot.declarations.file != FileId::PROMPT
}

pub(super) fn unused_input(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let (file, key) = (problem.location.file, problem.location.range.clone());
    let case = snapshot.cases.iter().find(|case| case.inputs.file == file);
    let (Some(name), Some(case)) = (problem.names.first(), case) else { return Vec::new() };
    let read = names_read(snapshot);
    let without_value = read.iter().filter(|name| case.inputs.root.get(name).is_none());
    let remove = Fix::of(
        ActionId::of_parts(ActionName::RemoveKey, [name, snapshot.file_name(file)]),
        format!("Remove `{name}` from {}", snapshot.file_name(file)),
        Change::File(file, FileEdit::Remove { at: key.start }),
    );
    // A misspelt key should be kept.
    match nearest(name, without_value.map(String::as_str)) {
        None => vec![remove.preferred()],
        Some(meant) => {
            let rename = FileEdit::Rename { key, name: meant.to_owned() };
            let title = format!("Rename the key to `{meant}`");
            let id = ActionId::new(ActionName::RenameKey, meant);
            vec![Fix::of(id, title, Change::File(file, rename)), remove]
        }
    }
}

pub(super) fn unused_variable(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let (declarations, place) = (&snapshot.declarations, &problem.location);
    let declared = declarations.variables.iter().find(|variable| {
        declarations.file == place.file && variable.name_span.range() == place.range
    });
    let fix = declared.map(|variable| {
        let remove = FileEdit::Remove { at: variable.span.start as usize };
        let title = format!("Remove the declaration of `{}`", variable.name);
        let id = ActionId::new(ActionName::RemoveDeclaration, &*variable.name);
        Fix::of(id, title, Change::File(place.file, remove)).preferred()
    });
    fix.into_iter().collect()
}

/// Converts a value to the declared type: `"5"` for `5`, or the reverse.
pub(super) fn wrong_type(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let place = &problem.location;
    let fix = problem.names.first().and_then(|name| {
        let case = snapshot.cases.iter().find(|case| case.inputs.file == place.file)?;
        let value = &case.inputs.root.get(name)?.value;
        let declared = snapshot.declarations.variable(name)?.declared_type?;
        let converted = converted(value, declared)?;
        let is_here = value.span.range() == place.range;
        let id = ActionId::new(ActionName::Change, &*converted);
        let title = format!("Change to `{converted}`");
        let change = replace(place.file, place.range.clone(), converted);
        is_here.then(|| Fix::of(id, title, change).preferred())
    });
    fix.into_iter().collect()
}

/// The maximum number of allowed values that are offered if none is similar.
const MAX_CHOICES: usize = 5;

/// Allowed values for an invalid one: a similar one, or the first few.
pub(super) fn not_allowed(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let place = &problem.location;
    let fixes = problem.names.first().and_then(|name| {
        let case = snapshot.cases.iter().find(|case| case.inputs.file == place.file)?;
        let value = &case.inputs.root.get(name)?.value;
        if value.span.range() != place.range {
            return None;
        }
        let allowed = &snapshot.declarations.variable(name)?.rules.allowed.as_ref()?.value;
        let fix = |allowed: &Value| {
            let written = allowed.to_json();
            let title = format!("Change to `{written}`");
            let id = ActionId::new(ActionName::Change, &*written);
            Fix::of(id, title, replace(place.file, place.range.clone(), written))
        };
        let text = value.as_text().unwrap_or_default();
        let meant = nearest(text, allowed.iter().filter_map(Value::as_text));
        let meant = allowed.iter().find(|allowed| meant.is_some() && allowed.as_text() == meant);
        Some(match meant {
            Some(meant) => vec![fix(meant).preferred()],
            None => allowed.iter().take(MAX_CHOICES).map(fix).collect(),
        })
    });
    fixes.unwrap_or_default()
}

fn converted(value: &Value, declared: VariableType) -> Option<String> {
    let quoted = |text: &str| Some(Json::from(text).to_string());
    match (&value.kind, declared) {
        (ValueKind::Number(number), VariableType::String) => quoted(number),
        (ValueKind::Bool(flag), VariableType::String) => quoted(&flag.to_string()),
        (ValueKind::String(text), VariableType::Number | VariableType::Boolean) => {
            let json: Json = serde_json::from_str(text).ok()?;
            let fits = match declared {
                VariableType::Number => json.is_number(),
                _ => json.is_boolean(),
            };
            fits.then(|| text.trim().to_owned())
        }
        _ => None,
    }
}

/// Removes the first of two equal keys, which has no effect.
pub(super) fn duplicate(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let (Some(name), Some(first)) = (problem.names.first(), problem.related.first()) else {
        return Vec::new();
    };
    let (file, at) = (first.location.file, first.location.range.start);
    // In YAML, the position of an overridden value is not recorded.
    if Format::from_path(snapshot.file_name(file)) != Some(Format::Json) {
        return Vec::new();
    }
    let title = format!("Remove the first `{name}`, which is ignored");
    let id = ActionId::new(ActionName::RemoveDuplicate, &**name);
    vec![Fix::of(id, title, Change::File(file, FileEdit::Remove { at })).preferred()]
}

/// Fills an empty inputs file.
pub(super) fn empty(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let file = problem.location.file;
    let is_inputs = snapshot.file_name(file).ends_with(".inputs.json");
    let is_empty = snapshot.file_texts.get(&file).is_some_and(|text| text.trim().is_empty());
    if !(is_inputs && is_empty) {
        return Vec::new();
    }
    let write = FileEdit::Replace { text: skeleton(snapshot) };
    let title = "Add all names that the prompt reads";
    vec![Fix::of(ActionName::FillInputs, title, Change::File(file, write)).preferred()]
}

/// Creates a case with the values of another one.
pub(super) fn new_case(snapshot: &Snapshot, case: usize) -> Option<Fix> {
    let case = snapshot.cases.get(case)?;
    let mut names = (1..).map(|count| match count {
        1 => "new".to_owned(),
        count => format!("new{count}"),
    });
    let name = names.find(|name| snapshot.case_named(name).is_none())?;
    let title = format!("New case with the values of `{}`", case.name);
    let id = ActionId::new(ActionName::CreateCase, &*case.name);
    Some(Fix::of(id, title, Change::Create(NewFile::Case { name, like: case.inputs.file })))
}
