//! `promptls/tokens`: for editors that colour prompts in code by themselves. Semantic tokens would
//! replace those from the server of the code.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::location::{Range, TextDocumentIdentifier};

/// The params of `promptls/tokens`: a document and its visible range.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct TokensParams {
    /// The document that contains the prompts.
    pub text_document: TextDocumentIdentifier,
    /// The visible range of the document.
    pub range: Range,
}

/// A part of a placeholder, or another token with a meaning in a prompt.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PromptToken {
    /// The range in the document.
    pub range: Range,
    /// The kind: the name of a semantic token type of the Language Server Protocol.
    pub kind: String,
    /// It names something that has no value.
    pub is_missing: bool,
}
