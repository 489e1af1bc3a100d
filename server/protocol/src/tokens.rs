//! `promptls/tokens`: for editors that draw the colours of prompts in code by themselves, because
//! semantic tokens would take those of the code from its own server.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::location::{Range, TextDocumentIdentifier};

/// What `promptls/tokens` asks for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct TokensParams {
    /// The document.
    pub text_document: TextDocumentIdentifier,
    /// What is on the screen.
    pub range: Range,
}

/// A part of a placeholder, or of what else means something in a prompt.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PromptToken {
    /// Where it stands.
    pub range: Range,
    /// What it is: the name of a semantic token type of the Language Server Protocol.
    pub kind: String,
    /// Whether it names something that has no value.
    pub is_missing: bool,
}
