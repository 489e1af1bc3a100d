//! Places in files, as the Language Server Protocol writes them.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// A place in a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Position {
    /// From 0.
    pub line: u32,
    /// From 0, in the units that client and server have agreed on; UTF-16 if they have not.
    pub character: u32,
}

/// A stretch of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Range {
    /// Its first character.
    pub start: Position,
    /// The one behind its last.
    pub end: Position,
}

/// A stretch of a document that may be another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Location {
    /// The document.
    pub uri: String,
    /// Where in it.
    pub range: Range,
}

/// Which document.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct TextDocumentIdentifier {
    /// Its address.
    pub uri: String,
}
