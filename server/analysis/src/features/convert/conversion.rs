//! The result of a conversion, or the reason why it failed.

use std::ops::Range;
use std::sync::Arc;

use promptls_resolver::{EngineError, FileId};

/// A prompt in another dialect, with the texts of its related files.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversion {
    /// The text of the prompt.
    pub text: String,
    /// The renamed names, old and new, in the order of the prompt.
    pub names: Vec<(String, String)>,
    /// The inputs of each case that has any.
    pub cases: Vec<ConvertedCase>,
    /// The variables file, if there was one.
    pub variables: Option<String>,
    /// The cases in which the resolved text differs.
    pub differences: Vec<Difference>,
}

/// The inputs of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertedCase {
    /// The name of the case.
    pub name: Arc<str>,
    /// The previous file of the inputs; [`FileId::PROMPT`] if there was none.
    pub file: FileId,
    /// The text of the new file. It has the format of the previous one, or is JSON.
    pub text: String,
}

/// A case in which the resolved text differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The name of the case; `None` for a prompt without inputs, whose names stand for themselves.
    pub case: Option<Arc<str>>,
    /// The previous text, or the error of the engine.
    pub before: Result<String, EngineError>,
    /// The new text, or the error of the engine.
    pub after: Result<String, EngineError>,
}

/// The reason why a prompt cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotConverted {
    /// The file belongs to another tool.
    #[error(
        "it seems to belong to another tool; add a rule to promptls.toml to read it as a prompt"
    )]
    Foreign,
    /// The other dialect has no equivalent; in the order of the prompt.
    #[error("{}", .0.first().map_or("", |first| &first.reason))]
    Unsupported(Vec<Unsupported>),
    /// This file cannot be edited automatically.
    #[error("{0} cannot be edited automatically; edit it by hand")]
    OnlyByHand(String),
}

/// A part of a prompt without an equivalent in another dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The range in the prompt.
    pub range: Range<usize>,
    /// The reason, for the user.
    pub reason: String,
}
