//! What comes of a conversion, or why nothing does.

use std::ops::Range;
use std::sync::Arc;

use promptls_resolver::{EngineError, FileId};

/// A prompt in another dialect, with the texts of the files that belong to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Conversion {
    /// The prompt.
    pub text: String,
    /// The names that are others now, old and new, in the order of the prompt.
    pub names: Vec<(String, String)>,
    /// The inputs of each case that has any.
    pub cases: Vec<ConvertedCase>,
    /// The variables file, if there was one.
    pub variables: Option<String>,
    /// The cases in which something else is sent.
    pub differences: Vec<Difference>,
}

/// The inputs of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertedCase {
    /// What it is called.
    pub name: Arc<str>,
    /// The file that they were in; [`FileId::PROMPT`] if they were in none.
    pub file: FileId,
    /// The text of the new file. It has the format of the old one, or is JSON.
    pub text: String,
}

/// A case in which something else is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// What it is called; `None` for a prompt without inputs, whose names stand for themselves.
    pub case: Option<Arc<str>>,
    /// What was sent, or why nothing was.
    pub before: Result<String, EngineError>,
    /// What would be sent.
    pub after: Result<String, EngineError>,
}

/// Why there is no such prompt in the other dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotConverted {
    /// It is another tool's.
    #[error("it seems to be another tool's; a rule of promptls.toml makes it a prompt")]
    Foreign,
    /// The other dialect cannot say it; in the order of the prompt.
    #[error("{}", .0.first().map_or("", |first| &first.reason))]
    Unsayable(Vec<Unsayable>),
    /// Nobody but its author can change this file.
    #[error("{0} is written in a way that only you can edit")]
    OnlyByHand(String),
}

/// A piece of a prompt that another dialect cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsayable {
    /// Where it stands.
    pub range: Range<usize>,
    /// Why not.
    pub reason: String,
}
