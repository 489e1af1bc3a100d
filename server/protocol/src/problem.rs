//! What is wrong with a prompt, with places as editors have them.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use crate::location::Location;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The engine fails, or the text is not what is meant.
    Error,
    /// Most likely a mistake.
    Warning,
    /// Good to know.
    Info,
    /// Hardly worth a line.
    Hint,
}

/// A problem of a prompt or of a file that belongs to it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Problem {
    /// Its code, as `promptls explain` takes it.
    pub code: &'static str,
    /// The severity.
    pub severity: Severity,
    /// One sentence.
    pub message: String,
    /// The names it is about.
    pub names: Vec<String>,
    /// Where it is.
    pub location: Location,
    /// Other places that belong to it.
    pub related: Vec<RelatedInformation>,
}

/// A place that helps to understand a problem.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct RelatedInformation {
    /// Where.
    pub location: Location,
    /// What is to be seen there.
    pub message: String,
}
