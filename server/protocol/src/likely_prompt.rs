//! `promptls/likelyPrompt`: detects prompts among texts that are not recognized as such.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::location::TextDocumentIdentifier;

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
}
