//! The changes between two previews, for clients that still have the previous one.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use crate::location::Position;
use crate::preview::Run;

/// The changes that turn one preview into another.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PreviewEdits {
    /// The edit of the text.
    pub text: TextEdit,
    /// The edit of its map.
    pub map: MapEdit,
}

/// Replaces a range of the old text.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct TextEdit {
    /// Offsets into the old text.
    pub range: [usize; 2],
    /// The new text of the range.
    pub new: String,
}

/// Replaces a range of the old map, and moves the runs after it.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct MapEdit {
    /// The range of runs in the old map.
    pub range: [usize; 2],
    /// The new runs of the range.
    pub runs: Vec<Run>,
    /// The distance by which the runs after the range are moved.
    pub moved: Moved,
}

/// The distance by which runs are moved. It applies to all their offsets in the text, and to their
/// positions in the prompt from `from` on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Moved {
    /// The distance in the text, in its units.
    pub output: isize,
    /// The position in the old prompt before which positions are unchanged.
    pub from: Position,
    /// The number of lines in the prompt.
    pub line: i64,
    /// The number of columns, only for positions in the line of `from`.
    pub character: i64,
}
