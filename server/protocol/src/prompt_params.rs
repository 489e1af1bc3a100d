//! Params that identify a prompt and a case.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;
#[cfg(test)]
use ts_rs::TS;

use crate::location::{Position, TextDocumentIdentifier};

/// Identifies a prompt and a case.
// Params with more fields repeat these: serde cannot flatten with numbers of any precision.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct PromptParams {
    /// The URI of the prompt's file.
    pub text_document: TextDocumentIdentifier,
    /// The case; without one, the selected case.
    pub case: Option<String>,
    /// The key of the prompt in a pack.
    pub task: Option<String>,
    /// A position in the prompt of a pack, if `task` is missing. Without both, the first prompt.
    pub position: Option<Position>,
}
