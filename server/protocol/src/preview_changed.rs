//! `promptls/previewChanged`: notifies clients that a preview is stale.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::location::TextDocumentIdentifier;

/// Previous results about this prompt may be stale.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PreviewChangedParams {
    /// The URI of the prompt's file.
    pub text_document: TextDocumentIdentifier,
    /// The version of its text; `null` if it is not open.
    pub version: Option<i32>,
}
