//! `promptls/cases`: the light part of a preview.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use crate::preview::Case;

/// A prompt and its cases, without its text.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PromptCases {
    /// The file of the prompt.
    pub uri: String,
    /// The version of its text; `null` if it is not open.
    pub version: Option<i32>,
    /// Which prompt of a pack: the key it stands under.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub task: Option<String>,
    /// The case that is shown; `null` without any inputs.
    pub case: Option<String>,
    /// All that can be shown.
    pub cases: Vec<Case>,
    /// The store that it was pulled from; left out if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub store: Option<String>,
    /// The engine that it is resolved for, where one is named: `adk-python@2.13`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// The resolved text in the case that is shown, as a document for
    /// `workspace/textDocumentContent`.
    pub resolved_uri: Option<String>,
}
