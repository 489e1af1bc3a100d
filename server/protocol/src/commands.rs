//! The commands: those of the server, for `workspace/executeCommand`, and those that it asks of an
//! editor that offers them.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
#[cfg(test)]
use ts_rs::TS;

use crate::location::Position;

/// Chooses the case that previews, hints and lenses show: `uri` and `case`.
pub const SELECT_CASE: &str = "promptls.selectCase";

/// Creates an inputs file with all names that the prompt reads, or with the values of another case:
/// `uri`, `case` and `from`. The answer is an [`EditedInputs`].
pub const CREATE_INPUTS: &str = "promptls.createInputs";

/// Changes a value of an inputs file, or removes it: `uri`, `task`, `position`, `case`, `keys` and
/// `value`. The answer is an [`EditedInputs`].
pub const SET_INPUT: &str = "promptls.setInput";

/// Says in `promptls.toml` that a file is a prompt: `uri` and `dialect`. The answer is an
/// [`EditedInputs`] with the address of that file.
pub const ADD_PROMPT: &str = "promptls.addPrompt";

/// Says in `promptls.toml` which engine sends a prompt: `uri` and `engine`; without `engine`, that it
/// is read as the document of its dialect says. The answer is an [`EditedInputs`] with the address of
/// that file.
pub const NAME_ENGINE: &str = "promptls.nameEngine";

/// Creates a prompt in another dialect beside one, with its inputs and variables, if the very same
/// is sent in each case: `uri`, `task`, `dialect` and `engine`. The answer is an [`EditedInputs`]
/// with the address of the new prompt.
pub const CONVERT_PROMPT: &str = "promptls.convertPrompt";

/// Creates a prompt from a template, with its variables and first inputs beside it: `uri`,
/// `dialect`, `template`, `arguments` and `language`. The answer is an [`EditedInputs`] with the
/// address of the prompt. Only where the server was built with templates.
pub const CREATE_PROMPT: &str = "promptls.createPrompt";

/// Pulls a prompt from its store again: `uri`.
pub const PULL_PROMPT: &str = "promptls.pullPrompt";

/// Pushes a prompt to its store: `uri` and `message`.
pub const PUSH_PROMPT: &str = "promptls.pushPrompt";

/// All commands of the server. Each takes one [`CommandArgument`].
pub const COMMANDS: [&str; 9] = [
    SELECT_CASE,
    CREATE_INPUTS,
    SET_INPUT,
    ADD_PROMPT,
    NAME_ENGINE,
    CONVERT_PROMPT,
    CREATE_PROMPT,
    PULL_PROMPT,
    PUSH_PROMPT,
];

/// The editor's own command that shows the preview of a prompt: its URI, and its position if it is
/// one of several.
pub const OPEN_PREVIEW: &str = "promptls.openPreview";

/// The editor's own command that lets the user choose a case of a prompt: its URI.
pub const PICK_CASE: &str = "promptls.pickCase";

/// The editor's own command that creates an inputs file for a prompt, asking for what it takes, and
/// opens it: its URI.
pub const NEW_CASE: &str = "promptls.newCase";

/// The editor's own command that compares a prompt with what its store has: its URI.
pub const DIFF_STORED: &str = "promptls.diffStored";

/// The editor's own command for when a placeholder was completed, and the cursor is behind its
/// braces: it takes in closing braces that are typed out of habit.
pub const LEAVE_PLACEHOLDER: &str = "promptls.leavePlaceholder";

/// The only argument of each command of the server.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct CommandArgument {
    /// The file of the prompt.
    pub uri: String,
    /// Which prompt of a pack, by its key.
    #[cfg_attr(test, ts(optional))]
    pub task: Option<String>,
    /// Which prompt of a pack, if no key says it: the one there; without it, the first.
    #[cfg_attr(test, ts(optional))]
    pub position: Option<Position>,
    /// The case.
    #[cfg_attr(test, ts(optional))]
    pub case: Option<String>,
    /// The case whose values a new one starts with.
    #[cfg_attr(test, ts(optional))]
    pub from: Option<String>,
    /// The dialect of a new prompt, as `promptls.toml` calls it.
    #[cfg_attr(test, ts(optional))]
    pub dialect: Option<String>,
    /// The engine of a prompt, as `promptls.toml` names it.
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// The template of a new prompt.
    #[cfg_attr(test, ts(optional))]
    pub template: Option<String>,
    /// What its template takes, in its order; what is left out or empty becomes a placeholder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The language that a new prompt is written in, such as `pt-BR`; without it, the one of the
    /// settings.
    #[cfg_attr(test, ts(optional))]
    pub language: Option<String>,
    /// Why a prompt was changed, for its store.
    #[cfg_attr(test, ts(optional))]
    pub message: Option<String>,
    /// Which value to change: the keys from the top of the inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// What it shall be, `null` too; without it, it goes.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "unknown"))]
    pub value: Option<Value>,
}

fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

/// The file that a command has edited, by a `workspace/applyEdit` before this answer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct EditedInputs {
    /// The file, or the text file that an inputs file names.
    pub uri: String,
    /// Where the value is going to be, or the first one of a new file; `null` where that cannot be
    /// said.
    pub position: Option<Position>,
}
