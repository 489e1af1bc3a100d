//! `promptls/likelyPrompt`: detects prompts among texts that are not recognized as such.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::location::{Position, TextDocumentIdentifier};

/// The params of `promptls/likelyPrompt`: a document that may be a prompt.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct LikelyPromptParams {
    /// The document to examine; its unsaved text is used if it is open.
    pub text_document: TextDocumentIdentifier,
}

/// The probable dialect of a text that neither its name nor a rule makes a prompt.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct LikelyPrompt {
    /// The id of the dialect.
    pub dialect: &'static str,
    /// The reasons, strongest first. Code in them is in backticks.
    pub reasons: Vec<String>,
    /// In a data file, the value that is probably a prompt; `None` for a whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub value: Option<LikelyValue>,
}

/// A value of a data file that is probably a prompt.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct LikelyValue {
    /// Its key path, such as `agents.one.prompt`.
    pub path: String,
    /// Its start, as the `position` of `promptls.addPrompt`.
    pub position: Position,
}
