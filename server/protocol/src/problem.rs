//! Problems of a prompt, with locations for editors.

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
    /// The engine fails, or the text is not the intended one.
    Error,
    /// The text is probably wrong.
    Warning,
    /// Useful information, not a mistake.
    Info,
    /// A suggestion of minor importance.
    Hint,
}

/// A problem of a prompt or one of its related files.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Problem {
    /// The code, as `promptls explain` accepts it.
    pub code: &'static str,
    /// The severity of the problem.
    pub severity: Severity,
    /// The message, in one sentence.
    pub message: String,
    /// The names that the problem refers to.
    pub names: Vec<String>,
    /// The location of the problem.
    pub location: Location,
    /// Other locations that explain the problem.
    pub related: Vec<RelatedInformation>,
}

/// A location that explains a problem.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct RelatedInformation {
    /// The location, in any file.
    pub location: Location,
    /// A description of the location.
    pub message: String,
}
