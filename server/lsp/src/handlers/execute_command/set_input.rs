//! `promptls.setInput`: changes one value of a case in its source.

use std::path::Path;

use promptls_analysis::position::Encoding;
use promptls_analysis::{DEFAULT_CASE, FileEdit, edit_file};
use promptls_protocol::{self as wire, CommandArgument, EditedInputs};
use promptls_resolver::{FileId, FileText, Format, Inputs, Object, Value, ValueKind};
use promptls_workspace::absolute;
use ropey::Rope;
use serde_json::Value as Json;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use super::PlannedEdit;
use crate::convert;
use crate::errors::{no_file_yet, refused};
use crate::handlers::new_file::{file_name, free, new_inputs};
use crate::session::Session;
use crate::session::edits::Planned;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::workspace_edits::WorkspaceEdits;

/// Changes a value in its source. Returns the URI of the file, and the position of the value in it.
pub fn set_input(
    session: &Session,
    uri: lsp::Uri,
    argument: CommandArgument,
) -> Result<PlannedEdit> {
    let CommandArgument { task, position, case, keys, value, .. } = argument;
    let position = position.map(convert::from_wire);
    if keys.is_empty() {
        return Err(Error::invalid_params("`promptls.setInput` takes { uri, keys, value }"));
    }
    let prompt = session
        .documents
        .lookup()
        .prompt_asked_for(&uri, task.as_deref(), position, session.encoding())
        .ok_or_else(|| refused("this is not a prompt"))?;
    let snapshot = prompt.snapshot();
    let named = case.as_deref().map(|name| snapshot.case_named(name));
    match named.unwrap_or(prompt.case) {
        Some(case) => set_in_case(session, &prompt, case, &keys, value),
        None => {
            let case = case.as_deref().unwrap_or(DEFAULT_CASE);
            set_in_new_case(session, &prompt, case, &keys, value)
        }
    }
}

fn set_in_case(
    session: &Session,
    prompt: &PromptSnapshot,
    case: usize,
    keys: &[String],
    value: Option<Json>,
) -> Result<PlannedEdit> {
    let inputs = &prompt.snapshot().cases[case].inputs;
    let (text, uri) =
        prompt.place(inputs.file).ok_or_else(|| refused("the file no longer exists"))?;
    let path = convert::path(&uri);
    if let Some(broken) = broken(prompt, inputs.file, session.encoding()) {
        return Err(refused(broken));
    }
    session.documents.project().check_on_disk(prompt, inputs.file)?;
    let name = file_name(&path);
    match value_at(&inputs.root, keys) {
        (Some(Value { kind: ValueKind::File(file), .. }), []) => {
            if let Some(Json::String(new)) = &value {
                let folder = path.parent().unwrap_or(Path::new("/"));
                return set_text_of(session, folder, file, new);
            }
        }
        (_, []) => {}
        (there, missing) => {
            check_supplied(prompt, keys)?;
            if value.is_none() {
                return Err(refused(format!("{name} has no `{}`", keys.join("."))));
            }
            check_room(there, keys, missing, &name)?;
        }
    }
    let before = text.to_string();
    let format = Format::of_sidecar(&path);
    let edit = edit_of(keys, value.as_ref());
    let after = edit_file(&before, format, &[edit]).ok_or_else(|| {
        refused(format!("{name} cannot be edited automatically; edit it by hand"))
    })?;
    let position = position_of(session, &after, &path, keys);
    let mut edits = WorkspaceEdits::default();
    if after != before {
        edits.rewrite(uri.clone(), text, &after, session.encoding());
    }
    Ok(Planned { edits, answer: Some(EditedInputs { uri: uri.to_string(), position }) })
}

/// Replaces the text of a file that is used as a value.
fn set_text_of(
    session: &Session,
    folder: &Path,
    file: &FileText,
    new: &str,
) -> Result<PlannedEdit> {
    if file.text.is_none() {
        return Err(refused(format!("`{}` cannot be read, so it is not changed", file.path)));
    }
    let path = absolute(folder, Path::new(&*file.path));
    let uri = session.documents.uri(&path).ok_or_else(no_file_yet)?;
    let text =
        session.documents.project().text(&path).map_err(|error| refused(error.to_string()))?;
    let mut edits = WorkspaceEdits::default();
    if text != new {
        edits.rewrite(uri.clone(), &text, new, session.encoding());
    }
    let position = Some(wire::Position::default());
    Ok(Planned { edits, answer: Some(EditedInputs { uri: uri.to_string(), position }) })
}

fn set_in_new_case(
    session: &Session,
    prompt: &PromptSnapshot,
    case: &str,
    keys: &[String],
    value: Option<Json>,
) -> Result<PlannedEdit> {
    let path = new_inputs(prompt, case)?;
    // A file that was never valid is not a case, but may exist.
    let broken = prompt.file_at(&path).and_then(|file| broken(prompt, file, session.encoding()));
    if let Some(broken) = broken {
        return Err(refused(broken));
    }
    check_supplied(prompt, keys)?;
    if value.is_none() {
        return Err(refused(format!("the case `{case}` has no inputs file")));
    }
    let uri = free(&session.documents, &path)?;
    let text = edit_file("", Format::of_sidecar(&path), &[edit_of(keys, value.as_ref())]);
    let text = text.ok_or_else(|| refused("this value cannot be written"))?;
    let position = position_of(session, &text, &path, keys);
    let mut edits = WorkspaceEdits::default();
    edits.create(uri.clone(), text);
    Ok(Planned { edits, answer: Some(EditedInputs { uri: uri.to_string(), position }) })
}

/// The position of a value in the text of an inputs file.
fn position_of(
    session: &Session,
    text: &str,
    path: &Path,
    keys: &[String],
) -> Option<wire::Position> {
    let inputs = Inputs::parse(text, Format::of_sidecar(path), FileId::PROMPT).value?;
    let (Some(value), []) = value_at(&inputs.root, keys) else { return None };
    let start = value.span.range().start;
    let position = convert::lsp_position(&Rope::from_str(text), start, session.encoding());
    Some(convert::wire_position(position))
}

fn edit_of(keys: &[String], value: Option<&Json>) -> FileEdit {
    let path = keys.to_vec();
    match value {
        Some(value) => FileEdit::Set { path, value: value.to_string() },
        None => FileEdit::Unset { path },
    }
}

/// Fails for values that the application or the engine supplies.
fn check_supplied(prompt: &PromptSnapshot, keys: &[String]) -> Result<()> {
    let path = keys.join(".");
    let runtime = &prompt.snapshot().settings.runtime;
    if runtime.contains(&keys[0]) || runtime.contains(&path) {
        let reason = "is supplied at run time; remove it from `runtime` in promptls.toml first";
        return Err(refused(format!("`{path}` {reason}")));
    }
    let dialect = prompt.snapshot().dialect();
    if dialect.injects(&keys[0]) {
        return Err(refused(format!("{} itself supplies `{path}`", dialect.spec().title)));
    }
    Ok(())
}

/// Fails if the parent of a new value cannot contain it.
///
/// `there` is the value that `keys` lead to before the `missing` ones, as from [`value_at`].
fn check_room(
    there: Option<&Value>,
    keys: &[String],
    missing: &[String],
    name: &str,
) -> Result<()> {
    let (Some(there), [next, ..]) = (there, missing) else { return Ok(()) };
    let whole = keys[..keys.len() - missing.len()].join(".");
    let reason = match &there.kind {
        ValueKind::Object(_) | ValueKind::Null => return Ok(()),
        ValueKind::List(items) if next.parse() == Ok(items.len()) => return Ok(()),
        ValueKind::List(items) => {
            let count = items.len();
            format!("`{whole}` has {count} items in {name}, so there is no `{next}`")
        }
        _ => {
            let kind = there.kind_name();
            format!("`{whole}` is {kind} in {name}, so it cannot have a `{next}`")
        }
    };
    Err(refused(reason))
}

/// The value that the longest prefix of the keys leads to, and the remaining keys.
fn value_at<'v, 'k>(root: &'v Object, keys: &'k [String]) -> (Option<&'v Value>, &'k [String]) {
    let mut here: Option<&Value> = None;
    for (index, key) in keys.iter().enumerate() {
        let next = match here.map(|value| &value.kind) {
            None => root.get(key).map(|entry| &entry.value),
            Some(ValueKind::Object(object)) => object.get(key).map(|entry| &entry.value),
            Some(ValueKind::List(items)) => key.parse::<usize>().ok().and_then(|at| items.get(at)),
            Some(_) => None,
        };
        if next.is_none() {
            return (here, &keys[index..]);
        }
        here = next;
    }
    (here, &[])
}

/// The reason why a file cannot be edited in its present state, with the location of the error.
fn broken(prompt: &PromptSnapshot, file: FileId, encoding: Encoding) -> Option<String> {
    let problem = prompt.file().why_broken(file)?;
    let location = prompt.location_in_file(&problem.location, encoding)?;
    let lsp::Position { line, character } = location.range.start;
    let name = prompt.snapshot().file_name(file);
    let message = &problem.message;
    Some(format!("{name}:{}:{}: {message}; fix it first", line + 1, character + 1))
}
