//! `promptls/cases`: the inexpensive part of a preview.

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
    /// The URI of the prompt's file.
    pub uri: String,
    /// The version of its text; `null` if it is not open.
    pub version: Option<i32>,
    /// The key of the prompt in a pack.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub task: Option<String>,
    /// The selected case; `null` without any inputs.
    pub case: Option<String>,
    /// All cases of the prompt.
    pub cases: Vec<Case>,
    /// The store that it was pulled from; omitted if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub store: Option<String>,
    /// The engine that it is resolved for, such as `adk-python@2.13`; omitted if none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub engine: Option<String>,
    /// The URI of the resolved text in the selected case, for `workspace/textDocumentContent`.
    pub resolved_uri: Option<String>,
}
