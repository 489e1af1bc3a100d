//! `promptls/messages`: a resolved text as programs send it to a model.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use crate::engine_error::EngineError;
#[cfg(test)]
use crate::preview::Role;

/// A resolved prompt as chat messages.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Chat {
    /// The case; `null` without any inputs.
    pub case: Option<String>,
    /// The messages in order; at least one.
    pub messages: Vec<ChatMessage>,
    /// The error that the engine raises instead of sending the text.
    pub error: Option<EngineError>,
}

/// A chat message in the common format of model APIs. `promptls resolve --format messages` prints a
/// list of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ChatMessage {
    /// The role of the sender.
    #[cfg_attr(test, schemars(with = "Role"), ts(as = "Role"))]
    pub role: &'static str,
    /// The text of the message.
    pub content: String,
}
