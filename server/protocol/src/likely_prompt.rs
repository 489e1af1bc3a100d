//! `promptls/likelyPrompt`: whether a text that nobody reads as a prompt is one.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::location::TextDocumentIdentifier;

/// Which document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct LikelyPromptParams {
    /// The document.
    pub text_document: TextDocumentIdentifier,
}

/// What a text is most likely that no name and no rule makes a prompt.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct LikelyPrompt {
    /// The id of the dialect.
    pub dialect: &'static str,
    /// Why, in words with code in backquotes, the strongest reasons first.
    pub reasons: Vec<String>,
}
