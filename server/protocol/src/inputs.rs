//! `promptls/inputs`: the inputs of a case as a form. The command `promptls.setInput` edits its
//! fields.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
#[cfg(test)]
use ts_rs::TS;

use crate::location::Location;
use crate::problem::Severity;

/// A form for the inputs of a case.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct InputsForm {
    /// The name of the case; `null` without any inputs.
    pub case: Option<String>,
    /// The URI of the inputs file to edit; `null` if there is none yet.
    pub uri: Option<String>,
    /// All values that can be edited.
    pub fields: Vec<Field>,
}

/// A value that can be edited separately.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Field {
    /// The keys from the root of the inputs.
    pub keys: Vec<String>,
    /// The same path, in the syntax of the prompt.
    pub path: String,
    /// The type of its values.
    #[serde(rename = "type")]
    pub value_type: FieldType,
    /// The effective value; omitted if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "unknown"))]
    pub value: Option<Value>,
    /// The source of the value.
    pub from: FieldOrigin,
    /// The range of the value in its source; omitted if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub location: Option<Location>,
    /// The allowed values, if they are restricted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(type = "unknown[]"))]
    pub options: Vec<Value>,
    /// The description in its declaration; omitted if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub description: Option<String>,
    /// Other constraints of the declaration, each in a few words.
    pub rules: Vec<String>,
    /// The engine fails without a value.
    pub required: bool,
    /// The prompt uses the value.
    pub used: bool,
    /// The problems of the value.
    pub problems: Vec<FieldProblem>,
}

/// The type of a field's values.
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

/// The source of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub enum FieldOrigin {
    /// The inputs file contains it.
    Inputs,
    /// The default of its declaration.
    Default,
    /// A text file that the inputs file names.
    File,
    /// The application, at run time.
    Runtime,
    /// The field has no value.
    Missing,
}

/// A problem of a field.
#[derive(Debug, Serialize, PartialEq, Eq)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct FieldProblem {
    /// The severity of the problem.
    pub severity: Severity,
    /// The message, in one sentence.
    pub message: String,
}
