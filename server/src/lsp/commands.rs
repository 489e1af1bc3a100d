//! What the editor can have the server do: `workspace/executeCommand`.

use promptls_analysis::skeleton_of_all;
use ropey::Rope;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types as lsp;

use super::backend::Backend;
use super::convert;
use super::edits::WorkspaceEdits;
use crate::workspace::inputs_path;

/// Chooses the case that previews, hints and lenses show.
pub const SELECT_CASE: &str = "promptls.selectCase";

/// Creates an inputs file with all names that the prompt reads.
pub const CREATE_INPUTS: &str = "promptls.createInputs";

/// All commands, by name.
pub const COMMANDS: [&str; 2] = [SELECT_CASE, CREATE_INPUTS];

/// The only argument of each command.
#[derive(Debug, Deserialize)]
struct Argument {
    /// The prompt.
    uri: lsp::Uri,
    /// The case.
    case: Option<String>,
}

impl Backend {
    /// Does a command.
    pub fn do_command(&self, params: lsp::ExecuteCommandParams) -> Result<Option<Value>> {
        let lsp::ExecuteCommandParams { command, arguments, .. } = params;
        let argument = || {
            let first = arguments.into_iter().next().unwrap_or_default();
            serde_json::from_value(first)
                .map_err(|_| Error::invalid_params(format!("`{command}` takes {{ uri, case }}")))
        };
        match &*command {
            SELECT_CASE => self.select_case(argument()?),
            CREATE_INPUTS => self.create_inputs(argument()?),
            _ => Err(refused(format!("there is no command `{command}`"))),
        }
    }

    fn select_case(&self, argument: Argument) -> Result<Option<Value>> {
        let Argument { uri, case } = argument;
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
        let Argument { uri, case } = argument;
        let moments = self.documents.moments(&uri);
        if moments.is_empty() {
            return Err(refused("this is no prompt"));
        }
        let prompt = uri.to_file_path();
        let prompt = prompt.ok_or_else(|| refused("save the prompt first, it has no file yet"))?;
        let path = inputs_path(&prompt, case.as_deref().unwrap_or("default"))
            .ok_or_else(|| refused("a case is called by letters, digits, `-` and `_`"))?;
        let new = convert::uri(&path).ok_or_else(|| refused("the file has no address"))?;
        if path.exists() || self.documents.version(&new).is_some() {
            let name = path.file_name().unwrap_or_default().display().to_string();
            return Err(refused(format!("{name} exists already")));
        }
        let mut edits = WorkspaceEdits::default();
        let text = skeleton_of_all(moments.iter().map(|moment| &moment.snapshot));
        let first = first_gap(&text).map(|gap| {
            convert::lsp_position(&Rope::from_str(&text), gap, self.abilities().encoding)
        });
        edits.create(new.clone(), text);
        let edit = edits.finish(&self.documents, self.abilities()).ok_or_else(|| {
            refused("this editor does not let servers create files; `promptls init` does it, too")
        })?;
        let client = self.client.clone();
        tokio::spawn(async move { client.apply_edit(edit).await });
        Ok(Some(json!({ "uri": new, "position": first })))
    }
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
