//! `promptls/compare`: the differences between two cases, or between the present text and a commit
//! or a store.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::engine_error::EngineError;
use crate::location::{Position, TextDocumentIdentifier};

/// The params of `promptls/compare`: a prompt and the two sides to compare.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct CompareParams {
    /// The URI of the prompt's file.
    pub text_document: TextDocumentIdentifier,
    /// The default case of both sides; without it, the selected case.
    pub case: Option<String>,
    /// The key of the prompt in a pack.
    pub task: Option<String>,
    /// A position in the prompt of a pack, if `task` is missing. Without both, the first prompt.
    pub position: Option<Position>,
    /// The older side, or the one to compare with.
    pub left: Side,
    /// The newer side of the comparison.
    pub right: Side,
}

/// One of two texts to compare.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema, TS), ts(optional_fields))]
pub struct Side {
    /// The case; the default is that of the params. A case that the revision does not have yet uses
    /// the inputs of the newer side. These are the present files, or else the right side.
    pub case: Option<String>,
    /// A git revision: `HEAD` for the last commit, a branch, a tag. Or `store:NAME` or
    /// `store:NAME:LABEL` for the text in the store that the prompt was pulled from. Without it,
    /// the present text.
    pub revision: Option<String>,
}

/// Two texts and their differences.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Comparison {
    /// The text of `left`, with its case and revision.
    pub left: ComparedText,
    /// The text of `right`, with its case and revision.
    pub right: ComparedText,
    /// All parts of both texts, in order and without gaps.
    pub parts: Vec<ComparedPart>,
}

/// A resolved text to compare.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ComparedText {
    /// The name of its case; `null` without any inputs.
    pub case: Option<String>,
    /// The revision; `null` for the present text.
    pub revision: Option<String>,
    /// A note about the text in one sentence, for example that its inputs are newer than its
    /// revision. `null` if there is none.
    pub note: Option<String>,
    /// The text, resolved in this case.
    pub text: String,
    /// The error that the engine raises instead of sending it.
    pub error: Option<EngineError>,
}

/// A part of both texts.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct ComparedPart {
    /// The part is equal in both texts.
    pub same: bool,
    /// Offsets into the left text.
    pub left: [usize; 2],
    /// Offsets into the right text.
    pub right: [usize; 2],
}
