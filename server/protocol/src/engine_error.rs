//! Errors that an engine raises instead of sending a text.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// The error that the engine would raise.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct EngineError {
    /// The kind of failure, such as `missing` for a name without a value.
    pub kind: ErrorKind,
    /// The affected names, in the engine's order.
    pub names: Vec<String>,
    /// The message of the engine, where it is known.
    pub message: String,
    /// The whole prompt, if the engine's error contains it. Only `promptls resolve` includes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub template: Option<String>,
    /// The text that is sent in spite of the error, described in one sentence. Omitted if none is
    /// sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub instead: Option<&'static str>,
}

/// The kind of failure in an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    /// A name has no value.
    Missing,
    /// A value has the wrong type.
    Type,
    /// A value violates a rule of its declaration.
    Validation,
    /// A limit of the engine is exceeded.
    Limit,
    /// Text in double braces remains, which the engine does not send.
    Unresolved,
    /// The engine does not load the declarations.
    Declaration,
    /// An internal error of the engine.
    Engine,
}
