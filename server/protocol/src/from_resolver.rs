//! Converts types of the resolver to types of the protocol.

use promptls_resolver as resolver;
use promptls_resolver::ViaStep;

use crate::engine_error::{EngineError, ErrorKind};
use crate::preview::RunKind;
use crate::problem::Severity;
use crate::via::Via;

impl From<resolver::EngineError> for EngineError {
    fn from(error: resolver::EngineError) -> Self {
        let resolver::EngineError { kind, names, message, instead, .. } = error;
        // A client has the prompt already, and it may be large.
        EngineError { kind: kind.into(), names, message, template: None, instead }
    }
}

impl From<resolver::ErrorKind> for ErrorKind {
    fn from(kind: resolver::ErrorKind) -> Self {
        match kind {
            resolver::ErrorKind::Missing => ErrorKind::Missing,
            resolver::ErrorKind::Type => ErrorKind::Type,
            resolver::ErrorKind::Validation => ErrorKind::Validation,
            resolver::ErrorKind::Limit => ErrorKind::Limit,
            resolver::ErrorKind::Unresolved => ErrorKind::Unresolved,
            resolver::ErrorKind::Declaration => ErrorKind::Declaration,
            resolver::ErrorKind::Engine => ErrorKind::Engine,
        }
    }
}

impl From<resolver::Severity> for Severity {
    fn from(severity: resolver::Severity) -> Self {
        match severity {
            resolver::Severity::Error => Severity::Error,
            resolver::Severity::Warning => Severity::Warning,
            resolver::Severity::Information => Severity::Info,
            resolver::Severity::Hint => Severity::Hint,
        }
    }
}

impl From<resolver::RunKind> for RunKind {
    fn from(kind: resolver::RunKind) -> Self {
        match kind {
            resolver::RunKind::Literal => RunKind::Literal,
            resolver::RunKind::Value => RunKind::Value,
            resolver::RunKind::Escape => RunKind::Escape,
            resolver::RunKind::Mixed => RunKind::Mixed,
        }
    }
}

impl From<&ViaStep> for Via {
    fn from(step: &ViaStep) -> Self {
        match step {
            ViaStep::Fragment(fragment) => Via::Fragment { fragment: fragment.to_string() },
            ViaStep::Each { path, item } => Via::Each { each: path.to_string(), item: *item },
        }
    }
}

impl Via {
    /// The fragments and loops that a run passed through, outermost first.
    pub fn all(via: &resolver::Via) -> Vec<Via> {
        via.steps().into_iter().map(Via::from).collect()
    }
}
