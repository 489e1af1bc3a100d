//! `promptls/values`: for editors that draw values in the place of their placeholders.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::location::{Range, TextDocumentIdentifier};

/// What `promptls/values` asks for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct ValuesParams {
    /// The document.
    pub text_document: TextDocumentIdentifier,
    /// What is on the screen.
    pub range: Range,
    /// The case; without one, the selected case.
    pub case: Option<String>,
}

/// What stands in the place of a placeholder.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ShownValue {
    /// The placeholder.
    pub range: Range,
    /// In one line.
    pub text: String,
    /// What the text is.
    pub kind: ValueKind,
}

/// What stands in the place of a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum ValueKind {
    /// Its value.
    Value,
    /// Its name: it has no value.
    Missing,
    /// Its name: the value comes at run time.
    Runtime,
}
