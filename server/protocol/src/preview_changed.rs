//! `promptls/previewChanged`: says when to ask for a preview again.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::location::TextDocumentIdentifier;

/// What was said about this prompt may be old.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PreviewChangedParams {
    /// The file of the prompt.
    pub text_document: TextDocumentIdentifier,
    /// The version of its text; `null` if it is not open.
    pub version: Option<i32>,
}
