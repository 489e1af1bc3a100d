//! The commands: those of the server, for `workspace/executeCommand`, and optional ones of an
//! editor, which the server uses.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
#[cfg(test)]
use ts_rs::TS;

use crate::location::Position;

/// Selects the case for previews, hints and lenses: `uri`, `task`, `position` and `case`. Without
/// `task` and `position`, for all prompts of the file.
pub const SELECT_CASE: &str = "promptls.selectCase";

/// Creates an inputs file with all names that the prompt reads, or with the values of another case:
/// `uri`, `task`, `position`, `case` and `from`. Returns an [`EditedInputs`].
pub const CREATE_INPUTS: &str = "promptls.createInputs";

/// Changes a value of an inputs file, or removes it: `uri`, `task`, `position`, `case`, `keys` and
/// `value`. Returns an [`EditedInputs`].
pub const SET_INPUT: &str = "promptls.setInput";

/// Adds a rule to `promptls.toml` that makes a file a prompt, or in data the value at a position:
/// `uri`, `position` and `dialect`. Returns an [`EditedInputs`] with the URI of the config.
pub const ADD_PROMPT: &str = "promptls.addPrompt";

/// Names the engine of a prompt in `promptls.toml`: `uri`, `task`, `position` and `engine`. Without
/// `engine`, that of the project applies, else the specification of its dialect. Returns an
/// [`EditedInputs`] with the URI of the config.
pub const NAME_ENGINE: &str = "promptls.nameEngine";

/// Converts a prompt to another dialect, in new files beside it, with its inputs and variables:
/// `uri`, `task`, `position`, `dialect` and `engine`. Fails unless each case resolves to exactly the
/// same text. Returns an [`EditedInputs`] with the URI of the new prompt.
pub const CONVERT_PROMPT: &str = "promptls.convertPrompt";

/// Creates a prompt from a template, with its variables and first inputs beside it: `uri`,
/// `dialect`, `template`, `arguments` and `language`. Returns an [`EditedInputs`] with the URI of
/// the prompt. Requires a server that was built with templates.
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

/// A client command that shows the preview of a prompt. Its arguments are the URI, and the position
/// of a prompt among several.
pub const OPEN_PREVIEW: &str = "promptls.openPreview";

/// A client command that lets the user select a case of a prompt. Its arguments are those of
/// [`OPEN_PREVIEW`].
pub const PICK_CASE: &str = "promptls.pickCase";

/// A client command that prompts for the name of a case, then creates and opens its inputs file.
/// Its arguments are those of [`OPEN_PREVIEW`].
pub const NEW_CASE: &str = "promptls.newCase";

/// A client command that compares a prompt with its version in the store. Its argument is the URI.
pub const DIFF_STORED: &str = "promptls.diffStored";

/// A client command that runs after a placeholder was completed, with the cursor after its braces.
/// It consumes closing braces that are typed out of habit.
pub const LEAVE_PLACEHOLDER: &str = "promptls.leavePlaceholder";

/// The only argument of each command of the server.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct CommandArgument {
    /// The URI of the prompt's file.
    pub uri: String,
    /// The name of the prompt among those of its file.
    #[cfg_attr(test, ts(optional))]
    pub task: Option<String>,
    /// A position in the prompt, if `task` is missing. Without both, the first prompt.
    #[cfg_attr(test, ts(optional))]
    pub position: Option<Position>,
    /// The name of the case.
    #[cfg_attr(test, ts(optional))]
    pub case: Option<String>,
    /// The case whose values are copied to a new one.
    #[cfg_attr(test, ts(optional))]
    pub from: Option<String>,
    /// The dialect of a new prompt, by its name in `promptls.toml`.
    #[cfg_attr(test, ts(optional))]
    pub dialect: Option<String>,
    /// The engine of a prompt, by its name in `promptls.toml`.
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// The template of a new prompt.
    #[cfg_attr(test, ts(optional))]
    pub template: Option<String>,
    /// The arguments of the template, in its order. Missing or empty ones become placeholders.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The language of a new prompt, such as `pt-BR`; the default is that of the settings.
    #[cfg_attr(test, ts(optional))]
    pub language: Option<String>,
    /// The description of the change, for the store.
    #[cfg_attr(test, ts(optional))]
    pub message: Option<String>,
    /// The value to change: the keys from the root of the inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// The new value, which may be `null`. If it is missing, the value is removed.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "unknown"))]
    pub value: Option<Value>,
}

fn present<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

/// The file that a command has edited. The `workspace/applyEdit` request precedes this response.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct EditedInputs {
    /// The URI of the file, or of the text file that an inputs file names.
    pub uri: String,
    /// The position of the edited value after the edit, or of the first value in a new file. `null`
    /// if it is unknown.
    pub position: Option<Position>,
}
