//! `workspace/executeCommand`: the commands of the server.

pub mod add_prompt;
pub mod command_prompt;
pub mod convert_prompt;
mod set_input;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::DEFAULT_CASE;
use promptls_protocol::commands::{
    ADD_PROMPT, COMMANDS, CONVERT_PROMPT, CREATE_INPUTS, CREATE_PROMPT, NAME_ENGINE, PULL_PROMPT,
    PUSH_PROMPT, SELECT_CASE, SET_INPUT,
};
use promptls_protocol::{CommandArgument, EditedInputs};
use promptls_resolver::{FileId, Format, Inputs};
use promptls_workspace::rebase_file_values;
use ropey::Rope;
use serde_json::Value;

use self::add_prompt::add_prompt;
use self::command_prompt::{PlannedEdit, prompt_of};
use self::convert_prompt::convert_prompt;
use self::set_input::set_input;
use super::new_file::{file_name, free, new_inputs};
use crate::convert::{self, ProgressToken, Uri};
use crate::errors::{Result, invalid_params, refused};
use crate::session::Session;
use crate::session::edits::Planned;
use crate::session::prompt_snapshot::PromptSnapshot;
use crate::worker::{Cost, LONG_TEXT, work};
use crate::workspace_edits::WorkspaceEdits;

/// A command that the editor runs.
pub struct CommandRequest {
    pub command: String,
    pub arguments: Vec<Value>,
    /// The progress indicator to use; `None` if the editor has none.
    pub progress: Option<ProgressToken>,
}

/// Runs a command, and responds when the editor has applied its edit.
pub async fn execute_command(
    session: Arc<Session>,
    CommandRequest { command, arguments, progress }: CommandRequest,
) -> Result<Option<Value>> {
    let invalid = || invalid_params(format!("`{command}` takes an object with `uri`"));
    let first = arguments.into_iter().next().unwrap_or_default();
    let argument: CommandArgument = serde_json::from_value(first).map_err(|_| invalid())?;
    let uri: Uri = argument.uri.parse().map_err(|_| invalid())?;
    let plan: fn(&Session, Uri, CommandArgument) -> Result<PlannedEdit> = match &*command {
        SELECT_CASE => {
            return work(false, move || select_case(&session, uri, argument)).await.map(|()| None);
        }
        CREATE_INPUTS => create_inputs,
        SET_INPUT => set_input,
        ADD_PROMPT => add_prompt,
        CONVERT_PROMPT => convert_prompt,
        NAME_ENGINE => super::preview::engine::name,
        #[cfg(feature = "templates")]
        CREATE_PROMPT => super::templates::new_prompt,
        PULL_PROMPT | PUSH_PROMPT => {
            let done = super::stores::run(session, uri, &command, argument.message, progress);
            return done.await.map(|()| None);
        }
        _ => return Err(refused(format!("there is no command `{command}`"))),
    };
    let planning = session.clone();
    let prompts = session.documents.lookup().prompts(&uri);
    let on_worker = Cost::OfFiles(LONG_TEXT).is_for_worker(&prompts);
    let edited =
        session.edit(on_worker, move || plan(&planning, uri.clone(), argument.clone())).await?;
    Ok(edited.and_then(|edited| serde_json::to_value(edited).ok()))
}

/// The names of all commands that this server supports.
pub fn known() -> Vec<String> {
    let has_templates = cfg!(feature = "templates");
    let known = COMMANDS.into_iter().filter(|command| has_templates || *command != CREATE_PROMPT);
    known.map(str::to_owned).collect()
}

/// Selects a case for one prompt, or for all of a file if the command names none.
fn select_case(session: &Session, uri: Uri, argument: CommandArgument) -> Result<()> {
    let is_for_one = argument.task.is_some() || argument.position.is_some();
    let requested = is_for_one.then(|| prompt_of(session, &uri, &argument)).transpose()?;
    // An inputs file stands for its prompt.
    let shown = session.documents.lookup().requested_prompt(&uri, None, None, session.encoding());
    let shown_uri = shown.as_ref().and_then(PromptSnapshot::uri).cloned();
    let of_inputs = shown.filter(|_| shown_uri.as_ref().is_some_and(|shown| *shown != uri));
    let prompt = requested.or(of_inputs);
    let prompt = prompt.as_ref().and_then(PromptSnapshot::name);
    let (uri, case) = (shown_uri.unwrap_or(uri), argument.case.unwrap_or_default());
    if !session.documents.sync().select_case(&uri, prompt, &case) {
        return Err(refused(format!("there is no case `{case}`")));
    }
    if session.documents.version(&uri).is_none() {
        // The prompt is not open, but an open sidecar shows which case is selected.
        session.refresh().display();
    }
    session.diagnostics.mark([uri]);
    Ok(())
}

/// Creates an inputs file. Returns its URI and the position of its first value.
fn create_inputs(session: &Session, uri: Uri, argument: CommandArgument) -> Result<PlannedEdit> {
    let prompt = &prompt_of(session, &uri, &argument)?;
    let CommandArgument { case, from, .. } = argument;
    let case = case.as_deref().unwrap_or(DEFAULT_CASE);
    let path = new_inputs(prompt, case)?;
    let (path, text, first) = match from {
        None => {
            let text = prompt.file().first_inputs_of(prompt.index);
            let first = first_sample(&text);
            (path, text, first)
        }
        Some(from) => {
            let (like, text) = inputs_of(prompt, &from)?;
            let path = path.with_extension(like.extension().unwrap_or_default());
            let text = rebase_file_values(&text, &like, &path).ok_or_else(|| {
                let name = file_name(&like);
                refused(format!("{name} refers to files in a way that cannot be copied automatically; copy it by hand"))
            })?;
            let first = first_value(&path, &text);
            (path, text, first)
        }
    };
    let new = free(&session.documents, &path)?;
    if prompt.snapshot().case_named(case).is_some() {
        return Err(refused(format!("case `{case}` already exists")));
    }
    let position =
        |first| convert::wire_position(&Rope::from_str(&text), first, session.encoding());
    let position = first.map(position);
    let mut edits = WorkspaceEdits::default();
    edits.create(new.clone(), text);
    let answer = Some(EditedInputs { uri: new.to_string(), position });
    Ok(Planned { edits, answer })
}

/// The path and text of the inputs file of a case.
fn inputs_of(prompt: &PromptSnapshot, case: &str) -> Result<(PathBuf, String)> {
    let index = prompt.snapshot().case_named(case);
    let file = index.map(|index| prompt.snapshot().cases[index].inputs.file);
    let place = file.and_then(|file| prompt.place(file));
    let path = place.as_ref().map(|(_, uri)| convert::path(uri));
    match (&place, path) {
        (Some((text, _)), Some(path)) => Ok((path, text.to_string())),
        _ => Err(refused(format!("there is no case `{case}`"))),
    }
}

/// The position of the first value in an inputs file; after the quote for a quoted text.
fn first_value(path: &Path, text: &str) -> Option<usize> {
    let inputs = Inputs::parse(text, Format::of_sidecar(path), FileId::PROMPT).value?;
    let range = inputs.root.entries().first()?.value.span.range();
    let is_quoted = text[range.clone()].starts_with(['"', '\'']);
    Some(range.start + usize::from(is_quoted))
}

/// The position of the first sample value in a JSON text, after its quote.
fn first_sample(json: &str) -> Option<usize> {
    const SAMPLE: &str = "\"<";
    Some(json.find(SAMPLE)? + 1)
}
