//! `promptls/inputs`: the inputs of a case as a form. The command `promptls.setInput` fills it in.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
#[cfg(test)]
use ts_rs::TS;

use crate::location::Location;
use crate::problem::Severity;

/// The inputs of a case, to be filled in.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct InputsForm {
    /// `null` without any inputs.
    pub case: Option<String>,
    /// The inputs file that edits go to; `null` if there is none yet.
    pub uri: Option<String>,
    /// The values there are.
    pub fields: Vec<Field>,
}

/// A value that can be edited by itself.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Field {
    /// The keys from the top of the inputs.
    pub keys: Vec<String>,
    /// The same as it is written in the prompt.
    pub path: String,
    /// What kind of value it takes.
    #[serde(rename = "type")]
    pub value_type: FieldType,
    /// The value that counts; left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "unknown"))]
    pub value: Option<Value>,
    /// Where the value comes from.
    pub from: FieldOrigin,
    /// Where it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub location: Option<Location>,
    /// The only values that are allowed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(type = "unknown[]"))]
    pub options: Vec<Value>,
    /// What its declaration says about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub description: Option<String>,
    /// What else is asked of it, each in a few words.
    pub rules: Vec<String>,
    /// Whether the engine fails without it.
    pub required: bool,
    /// Whether the prompt uses it.
    pub used: bool,
    /// What is wrong with it.
    pub problems: Vec<FieldProblem>,
}

/// What kind of value a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
#[expect(missing_docs, reason = "they are the names of kinds of JSON values")]
pub enum FieldType {
    Text,
    Integer,
    Number,
    Boolean,
    List,
    Object,
    Any,
}

/// Where the value of a field comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum FieldOrigin {
    /// The inputs file.
    Inputs,
    /// The default of its declaration.
    Default,
    /// A text file that the inputs file names.
    File,
    /// The application, at run time.
    Runtime,
    /// Nowhere: it has none.
    Missing,
}

/// What is wrong with a field.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FieldProblem {
    /// The severity.
    pub severity: Severity,
    /// One sentence.
    pub message: String,
}
