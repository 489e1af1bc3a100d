//! `promptls/values`: for editors that draw values in place of their placeholders.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::location::{Range, TextDocumentIdentifier};

/// The params of `promptls/values`: a document, its visible range and a case.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct ValuesParams {
    /// The document that contains the prompts.
    pub text_document: TextDocumentIdentifier,
    /// The visible range of the document.
    pub range: Range,
    /// The case; without one, the selected case.
    pub case: Option<String>,
}

/// A text to draw in place of a placeholder.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ShownValue {
    /// The range of the placeholder.
    pub range: Range,
    /// The text, on one line.
    pub text: String,
    /// The kind of the text.
    pub kind: ValueKind,
}

/// The kind of a text that is drawn in place of a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum ValueKind {
    /// The value of the placeholder.
    Value,
    /// Its name, because it has no value.
    Missing,
    /// Its name, because the value is supplied at run time.
    Runtime,
}
