//! `promptls/cursor`: where the cursor is, for the pages that show the same prompt.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;
#[cfg(test)]
use ts_rs::TS;

use crate::location::{Position, TextDocumentIdentifier};

/// Where the cursor is.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct CursorParams {
    /// The document.
    pub text_document: TextDocumentIdentifier,
    /// Where in it.
    pub position: Position,
}
