//! `promptls.setInput`: changes one value of a case in its source.

use promptls_analysis::DEFAULT_CASE;
use promptls_analysis::position::Encoding;
use promptls_protocol::{CommandArgument, EditedInputs};
use promptls_resolver::FileId;
use promptls_workspace::{CannotSet, InputEdit, set_input as new_text, set_new_input};
use ropey::Rope;
use serde_json::Value as Json;

use super::command_prompt::{PlannedEdit, prompt_of};
use crate::convert::{self, Uri};
use crate::errors::{Error, Result, invalid_params, no_file_yet, refused};
use crate::handlers::new_file::{free, new_inputs};
use crate::session::Session;
use crate::session::edits::Planned;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::workspace_edits::WorkspaceEdits;

/// Changes a value in its source. Returns the URI of the file, and the position of the value in it.
pub fn set_input(session: &Session, uri: Uri, argument: CommandArgument) -> Result<PlannedEdit> {
    if argument.keys.is_empty() {
        return Err(invalid_params("`promptls.setInput` takes { uri, keys, value }"));
    }
    let prompt = prompt_of(session, &uri, &argument)?;
    let CommandArgument { case, keys, value, .. } = argument;
    let snapshot = prompt.snapshot();
    let named = case.as_deref().map(|name| snapshot.case_named(name));
    match named.unwrap_or(prompt.case) {
        Some(case) => set_in_case(session, &prompt, case, &keys, value.as_ref()),
        None => {
            let case = case.as_deref().unwrap_or(DEFAULT_CASE);
            set_in_new_case(session, &prompt, case, &keys, value.as_ref())
        }
    }
}

fn set_in_case(
    session: &Session,
    prompt: &PromptSnapshot,
    case: usize,
    keys: &[String],
    value: Option<&Json>,
) -> Result<PlannedEdit> {
    let documents = &session.documents;
    let file = prompt.snapshot().cases[case].inputs.file;
    let (text, uri) = prompt.place(file).ok_or_else(|| refused("the file no longer exists"))?;
    let path = convert::path(&uri);
    check_not_broken(prompt, file, session.encoding())?;
    documents.project().check_on_disk(prompt, file)?;
    let inputs = text.to_string();
    let edit = new_text(prompt.snapshot(), case, (&path, &inputs), keys, value);
    let edit = edit.map_err(reason)?;
    if edit.path == path {
        return Ok(planned(session, uri, Some(text), edit));
    }
    // The value is the text of another file.
    let uri = documents.uri(&edit.path).ok_or_else(no_file_yet)?;
    let text = documents.project().text(&edit.path);
    let text = text.map_err(|error| refused(error.to_string()))?;
    Ok(planned(session, uri, Some(&text), edit))
}

fn set_in_new_case(
    session: &Session,
    prompt: &PromptSnapshot,
    case: &str,
    keys: &[String],
    value: Option<&Json>,
) -> Result<PlannedEdit> {
    let path = new_inputs(prompt, case)?;
    // A file that was never valid is not a case, but may exist.
    if let Some(file) = prompt.file_at(&path) {
        check_not_broken(prompt, file, session.encoding())?;
    }
    let edit = set_new_input(prompt.snapshot(), case, &path, keys, value).map_err(reason)?;
    let uri = free(&session.documents, &path)?;
    Ok(planned(session, uri, None, edit))
}

/// The edit of a file, which has the text `before`; `None` for a new file.
fn planned(
    session: &Session,
    uri: Uri,
    before: Option<&Rope>,
    InputEdit { text, offset, .. }: InputEdit,
) -> PlannedEdit {
    let encoding = session.encoding();
    let position = offset.map(|at| convert::wire_position(&Rope::from_str(&text), at, encoding));
    let answer = Some(EditedInputs { uri: uri.to_string(), position });
    let mut edits = WorkspaceEdits::default();
    match before {
        Some(before) if *before == *text => {}
        Some(before) => edits.rewrite(uri, before, &text, encoding),
        None => edits.create(uri, text),
    }
    Planned { edits, answer }
}

fn reason(error: CannotSet) -> Error {
    refused(error.to_string())
}

/// Fails if a file cannot be edited in its present state, with the location of the error.
fn check_not_broken(prompt: &PromptSnapshot, file: FileId, encoding: Encoding) -> Result<()> {
    let Some(problem) = prompt.file().why_broken(file) else { return Ok(()) };
    let Some(location) = prompt.location_in_file(&problem.location, encoding) else {
        return Ok(());
    };
    let start = location.range.start;
    let (line, column) = (start.line + 1, start.character + 1);
    let name = prompt.snapshot().file_name(file);
    let message = &problem.message;
    Err(refused(format!("{name}:{line}:{column}: {message}; fix it first")))
}
