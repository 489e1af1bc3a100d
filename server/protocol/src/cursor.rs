//! `promptls/cursor`: the position of the cursor, for pages that show the same prompt.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;
#[cfg(test)]
use ts_rs::TS;

use crate::location::{Position, TextDocumentIdentifier};

/// The params of `promptls/cursor`, a notification without a response.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct CursorParams {
    /// The document that contains the cursor.
    pub text_document: TextDocumentIdentifier,
    /// The position of the cursor.
    pub position: Position,
}
