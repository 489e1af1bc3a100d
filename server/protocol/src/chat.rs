//! `promptls/messages`: a resolved text as programs send it to a model.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use crate::engine_error::EngineError;
#[cfg(test)]
use crate::preview::Role;

/// A prompt with its inputs filled in, as messages.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Chat {
    /// The case; `null` without any inputs.
    pub case: Option<String>,
    /// In order; at least one.
    pub messages: Vec<ChatMessage>,
    /// What the engine would say instead of sending the text.
    pub error: Option<EngineError>,
}

/// A message of a chat, as the interfaces of models have it; also what `promptls resolve --format
/// messages` prints, in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ChatMessage {
    /// Who says it.
    #[cfg_attr(test, schemars(with = "Role"), ts(as = "Role"))]
    pub role: &'static str,
    /// What is said.
    pub content: String,
}
