//! What changed between two previews, for clients that still have the last one.

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use crate::location::Position;
use crate::preview::Run;

/// How to make a preview of an older one.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct PreviewEdits {
    /// In the text.
    pub text: TextEdit,
    /// In its map.
    pub map: MapEdit,
}

/// What stands in the place of a stretch of the old text.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct TextEdit {
    /// Offsets into the old text.
    pub range: [usize; 2],
    /// What stands there now.
    pub new: String,
}

/// The same for the map; what stands behind it is moved.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct MapEdit {
    /// Which runs of the old map.
    pub range: [usize; 2],
    /// What stands there now.
    pub runs: Vec<Run>,
    /// How far the runs behind are moved.
    pub moved: Moved,
}

/// How far runs are moved: all of them in the text, and their places in the prompt from one place on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(JsonSchema, TS))]
pub struct Moved {
    /// Units of the text.
    pub output: isize,
    /// In the old prompt: places before it stay as they are.
    pub from: Position,
    /// Lines of the prompt.
    pub line: i64,
    /// Columns, for places in the line of `from` alone.
    pub character: i64,
}
