//! What the editor can have the server do: `workspace/executeCommand`.

use std::path::{Path, PathBuf};

use promptls_analysis::skeleton_of_all;
use promptls_resolver::{Format, Inputs};
use ropey::Rope;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types as lsp;

use super::backend::Backend;
use super::convert;
use super::copied::copied;
use super::edits::WorkspaceEdits;
use super::moment::Moment;
use crate::workspace::inputs_path;

/// Chooses the case that previews, hints and lenses show.
pub const SELECT_CASE: &str = "promptls.selectCase";

/// Creates an inputs file with all names that the prompt reads.
pub const CREATE_INPUTS: &str = "promptls.createInputs";

/// Changes a value of an inputs file, or removes it.
pub const SET_INPUT: &str = "promptls.setInput";

/// All commands, by name.
pub const COMMANDS: [&str; 3] = [SELECT_CASE, CREATE_INPUTS, SET_INPUT];

/// The only argument of each command.
#[derive(Debug, Deserialize)]
pub struct Argument {
    /// The prompt.
    pub uri: lsp::Uri,
    /// Which prompt of a pack, by its key.
    pub task: Option<String>,
    /// Which prompt of a pack, if no key says it: the one there; without it, the first.
    pub position: Option<lsp::Position>,
    /// The case.
    pub case: Option<String>,
    /// The case whose values a new one starts with.
    from: Option<String>,
    /// Which value to change: the keys from the top of the inputs.
    #[serde(default)]
    pub keys: Vec<String>,
    /// What it shall be, `null` too; without it, it goes.
    #[serde(default, deserialize_with = "present")]
    pub value: Option<Value>,
}

fn present<'de, D: Deserializer<'de>>(value: D) -> std::result::Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

impl Backend {
    /// Does a command.
    pub fn do_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        let lsp::ExecuteCommandParams { command, arguments, .. } = params;
        let argument = || {
            let first = arguments.into_iter().next().unwrap_or_default();
            serde_json::from_value(first).map_err(|_| {
                Error::invalid_params(format!("`{command}` takes an object with `uri`"))
            })
        };
        match &*command {
            SELECT_CASE => self.select_case(argument()?),
            CREATE_INPUTS => self.create_inputs(argument()?),
            SET_INPUT => self.set_input(argument()?),
            _ => Err(refused(format!("there is no command `{command}`"))),
        }
    }

    fn select_case(&self, argument: Argument) -> Result<Option<Value>> {
        let Argument { uri, case, .. } = argument;
        let case = case.unwrap_or_default();
        if !self.documents.select_case(&uri, &case) {
            return Err(refused(format!("there is no case `{case}`")));
        }
        if self.documents.version(&uri).is_none() {
            // The prompt is not open, but a sidecar is that tells which case is shown.
            self.publisher.refresher().display();
        }
        self.publisher.mark([uri]);
        Ok(None)
    }

    /// The answer says which file it is, and where its first value is to be typed; the editor
    /// creates it when it gets to it.
    fn create_inputs(&self, argument: Argument) -> Result<Option<Value>> {
        let Argument { uri, case, from, .. } = argument;
        let moments = self.documents.moments(&uri);
        let Some(moment) = moments.first() else { return Err(refused("this is no prompt")) };
        let case = case.as_deref().unwrap_or("default");
        let path = new_inputs(moment, case)?;
        let (path, text, first) = match from {
            None => {
                let text = skeleton_of_all(moments.iter().map(|moment| moment.snapshot()));
                let first = first_gap(&text);
                (path, text, first)
            }
            Some(from) => {
                let (like, text) = inputs_of(moment, &from)?;
                let path = path.with_extension(like.extension().unwrap_or_default());
                let text = copied(&text, &like, &path).ok_or_else(|| {
                    let name = file_name(&like);
                    refused(format!("{name} names files in a way that only you can copy"))
                })?;
                let first = first_value(&path, &text);
                (path, text, first)
            }
        };
        let new = self.free(&path)?;
        if moment.snapshot().case_named(case).is_some() {
            return Err(refused(format!("there is a case `{case}` already")));
        }
        let first = first.map(|first| {
            convert::lsp_position(&Rope::from_str(&text), first, self.abilities().encoding)
        });
        let mut edits = WorkspaceEdits::default();
        edits.create(new.clone(), text);
        self.send_edit(edits)?;
        Ok(Some(json!({ "uri": new, "position": first })))
    }

    /// The address of a file that is not there yet.
    pub fn free(&self, path: &Path) -> Result<lsp::Uri> {
        let uri = convert::uri(path).ok_or_else(|| refused("the file has no address"))?;
        if path.exists() || self.documents.version(&uri).is_some() {
            return Err(refused(format!("{} exists already", file_name(path))));
        }
        Ok(uri)
    }

    /// Has the editor do some edits when it gets to it. What it does not do, the user hears of.
    pub fn send_edit(&self, edits: WorkspaceEdits) -> Result<()> {
        let edit = edits.finish(&self.documents, self.abilities()).ok_or_else(|| {
            refused("this editor does not let servers create files; `promptls init` does it, too")
        })?;
        let client = self.client.clone();
        tokio::spawn(async move {
            if let Ok(answer) = client.apply_edit(edit).await
                && !answer.applied
            {
                let reason = answer.failure_reason.unwrap_or_default();
                let colon = if reason.is_empty() { "" } else { ": " };
                let message = format!("the inputs were not changed{colon}{reason}");
                client.show_message(lsp::MessageType::WARNING, message).await;
            }
        });
        Ok(())
    }
}

/// Where a new case of a prompt is written.
pub fn new_inputs(moment: &Moment, case: &str) -> Result<PathBuf> {
    let prompt = moment.uri().and_then(|uri| uri.to_file_path());
    let prompt = prompt.ok_or_else(|| refused("save the prompt first, it has no file yet"))?;
    inputs_path(&prompt, case)
        .ok_or_else(|| refused("a case is called by letters, digits, `-` and `_`"))
}

/// The inputs file of a case, and its text.
fn inputs_of(moment: &Moment, case: &str) -> Result<(PathBuf, String)> {
    let index = moment.snapshot().case_named(case);
    let file = index.map(|index| moment.snapshot().cases[index].inputs.file);
    let place = file.and_then(|file| moment.place(file));
    let path = place.as_ref().and_then(|(_, uri)| uri.to_file_path());
    match (&place, path) {
        (Some((text, _)), Some(path)) => Ok((path.into_owned(), text.to_string())),
        _ => Err(refused(format!("there is no case `{case}`"))),
    }
}

/// What a file is called.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().display().to_string()
}

/// How an inputs file is written.
pub fn format_of(path: &Path) -> Format {
    path.to_str().and_then(Format::from_path).unwrap_or(Format::Json)
}

/// Where the first value of an inputs file is; of a text in quotes, behind the first one.
fn first_value(path: &Path, text: &str) -> Option<usize> {
    let inputs = Inputs::parse(text, format_of(path), promptls_resolver::FileId::PROMPT).value?;
    let range = inputs.root.entries().first()?.value.span.range();
    let is_quoted = text[range.clone()].starts_with(['"', '\'']);
    Some(range.start + usize::from(is_quoted))
}

/// Where the first empty text among the values of a JSON text is, between its quotes.
fn first_gap(json: &str) -> Option<usize> {
    const EMPTY: &str = ": \"\"";
    Some(json.find(EMPTY)? + EMPTY.len() - 1)
}

/// What cannot be done, with the reason for the user.
pub fn refused(reason: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    /// `RequestFailed`: the request was fine, but it cannot be done.
    const REQUEST_FAILED: i64 = -32803;
    Error { code: ErrorCode::ServerError(REQUEST_FAILED), message: reason.into(), data: None }
}
