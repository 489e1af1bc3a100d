//! `promptls/compare`: what is different between two cases, or between now and a commit, or a store.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::engine_error::EngineError;
use crate::location::{Position, TextDocumentIdentifier};

/// What `promptls/compare` asks for.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct CompareParams {
    /// The file of the prompt.
    pub text_document: TextDocumentIdentifier,
    /// The case of a side that says none; without it, the selected case.
    pub case: Option<String>,
    /// Which prompt of a pack, by its key.
    pub task: Option<String>,
    /// Which prompt of a pack, if no key says it: the one there; without it, the first.
    pub position: Option<Position>,
    /// The older one, or the one to compare with.
    pub left: Side,
    /// The other.
    pub right: Side,
}

/// One of two texts to compare.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct Side {
    /// Without one, that of the params. A case that its revision does not have has the inputs of the
    /// newer side: of the current files, else of the right side.
    pub case: Option<String>,
    /// What git calls the commit: `HEAD` for the last one, a branch, a tag. Or `store:NAME` for what
    /// the store has that the prompt was pulled from, or `store:NAME:LABEL`. Without one, as it is
    /// now.
    pub revision: Option<String>,
}

/// Two texts, and what is different.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Comparison {
    /// As it was asked for.
    pub left: ComparedText,
    /// As it was asked for.
    pub right: ComparedText,
    /// In order, without gaps.
    pub parts: Vec<ComparedPart>,
}

/// One of the texts.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ComparedText {
    /// `null` without any inputs.
    pub case: Option<String>,
    /// `null` as it is now.
    pub revision: Option<String>,
    /// What a reader must know about the text, in a sentence: that its inputs are newer than its
    /// revision, for example. `null` for nothing.
    pub note: Option<String>,
    /// The resolved text.
    pub text: String,
    /// What the engine would say instead of sending it.
    pub error: Option<EngineError>,
}

/// A piece of both texts.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ComparedPart {
    /// Whether it is the same in both.
    pub same: bool,
    /// Offsets into the left text.
    pub left: [usize; 2],
    /// Offsets into the right text.
    pub right: [usize; 2],
}
