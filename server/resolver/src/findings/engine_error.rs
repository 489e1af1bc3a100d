//! Errors of engines that refuse to send a prompt.

use std::error::Error;
use std::fmt;

/// The reason why an engine raises an error.
///
/// Deliberately exhaustive: adding a variant is a breaking change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// At least one name that needs a value has none.
    Missing,
    /// A value has the wrong type.
    Type,
    /// A value violates a rule.
    Validation,
    /// A limit is exceeded: depth, number, length, or non-termination.
    Limit,
    /// Text in double braces remains.
    Unresolved,
    /// The engine rejects the declarations.
    Declaration,
    /// An exception inside of the engine.
    Engine,
}

impl ErrorKind {
    /// All kinds, in the order of listings.
    pub const ALL: [ErrorKind; 7] = [
        ErrorKind::Missing,
        ErrorKind::Type,
        ErrorKind::Validation,
        ErrorKind::Limit,
        ErrorKind::Unresolved,
        ErrorKind::Declaration,
        ErrorKind::Engine,
    ];

    /// The keyword in JSON output: `missing`, `type`, `validation`.
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
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The names concerned, in the engine's order.
    pub names: Vec<String>,
    /// The engine's own message if it is known, else a description.
    pub message: String,
    /// The whole prompt, if the engine's error includes it, as AgentEnsemble's does for names
    /// without a value.
    pub template: Option<String>,
    /// A sentence on what callers of the engine are known to send anyway; `None` if nothing is
    /// sent.
    pub instead: Option<&'static str>,
}

impl EngineError {
    /// Creates an error that does not include the prompt.
    pub fn new(kind: ErrorKind, names: Vec<String>, message: String) -> Self {
        EngineError { kind, names, message, template: None, instead: None }
    }
}

/// Writes the message, without the kind and the names.
impl fmt::Display for EngineError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl Error for EngineError {}

/// Displays the keyword in JSON.
impl fmt::Display for ErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id())
    }
}
