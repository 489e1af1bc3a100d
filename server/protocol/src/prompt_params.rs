//! Which prompt is asked about, in which case.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;
#[cfg(test)]
use ts_rs::TS;

use crate::location::{Position, TextDocumentIdentifier};

/// Which prompt, in which case.
// The params that have more repeat these fields: serde cannot flatten with numbers of any precision.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct PromptParams {
    /// The file of the prompt.
    pub text_document: TextDocumentIdentifier,
    /// The case; without one, the selected case.
    pub case: Option<String>,
    /// Which prompt of a pack, by its key.
    pub task: Option<String>,
    /// Which prompt of a pack, if no key says it: the one there; without it, the first.
    pub position: Option<Position>,
}
