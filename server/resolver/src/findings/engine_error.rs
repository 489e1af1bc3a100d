//! What an engine says when it refuses to send a prompt.

use std::error::Error;
use std::fmt;

/// Why an engine raises an error.
///
/// Whoever matches all kinds is to be told of a new one, so it comes with a version that breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// Names without a value.
    Missing,
    /// A value of the wrong type.
    Type,
    /// A value that breaks a rule.
    Validation,
    /// Too deep, too many, too long, or without end.
    Limit,
    /// Text in double braces is left.
    Unresolved,
    /// Declarations that the engine does not load.
    Declaration,
    /// An exception of the engine's own machinery.
    Engine,
}

impl ErrorKind {
    /// All kinds, in the order in which we list them.
    pub const ALL: [ErrorKind; 7] = [
        ErrorKind::Missing,
        ErrorKind::Type,
        ErrorKind::Validation,
        ErrorKind::Limit,
        ErrorKind::Unresolved,
        ErrorKind::Declaration,
        ErrorKind::Engine,
    ];

    /// The word for it in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            ErrorKind::Missing => "missing",
            ErrorKind::Type => "type",
            ErrorKind::Validation => "validation",
            ErrorKind::Limit => "limit",
            ErrorKind::Unresolved => "unresolved",
            ErrorKind::Declaration => "declaration",
            ErrorKind::Engine => "engine",
        }
    }
}

/// The error that the engine would raise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineError {
    /// Why.
    pub kind: ErrorKind,
    /// The names it is about, in the engine's order.
    pub names: Vec<String>,
    /// The engine's own message where it is known, else ours.
    pub message: String,
    /// The whole prompt, where the engine's error brings it: AgentEnsemble's does for names
    /// without a value.
    pub template: Option<String>,
    /// What callers of the engine are known to send all the same, in a sentence; `None` where
    /// nothing is sent.
    pub instead: Option<&'static str>,
}

impl EngineError {
    /// An error that says nothing of the prompt itself.
    pub fn new(kind: ErrorKind, names: Vec<String>, message: String) -> Self {
        EngineError { kind, names, message, template: None, instead: None }
    }
}

/// The message.
impl fmt::Display for EngineError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl Error for EngineError {}

/// The word for it in JSON.
impl fmt::Display for ErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id())
    }
}
