//! What an engine says instead of sending a text.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// The error that the engine would raise.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct EngineError {
    /// What goes wrong.
    pub kind: ErrorKind,
    /// The names it is about, in the engine's order.
    pub names: Vec<String>,
    /// In the engine's words where they are known.
    pub message: String,
    /// The whole prompt, where the engine's error brings it; only `promptls resolve` tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub template: Option<String>,
    /// What is sent all the same, in a sentence; left out where nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub instead: Option<&'static str>,
}

/// What goes wrong in an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    /// A name has no value.
    Missing,
    /// A value has the wrong type.
    Type,
    /// A value breaks a rule of its declaration.
    Validation,
    /// A limit of the engine is exceeded.
    Limit,
    /// Text in double braces is left, which the engine does not send.
    Unresolved,
    /// The engine does not load the declarations.
    Declaration,
    /// Something in the engine itself fails.
    Engine,
}
