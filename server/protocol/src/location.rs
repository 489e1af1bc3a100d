//! Positions in files, in the format of the Language Server Protocol.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// A position in a document.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize,
)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Position {
    /// The line, from 0; editors show it from 1.
    pub line: u32,
    /// The column, from 0, in the negotiated encoding; UTF-16 by default.
    pub character: u32,
}

/// A range of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Range {
    /// The position of its first character.
    pub start: Position,
    /// The position after its last character.
    pub end: Position,
}

/// A range of any document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Location {
    /// The URI of the document.
    pub uri: String,
    /// The range in the document.
    pub range: Range,
}

/// A document as the Language Server Protocol identifies it, without a version.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct TextDocumentIdentifier {
    /// The URI of the document.
    pub uri: String,
}
