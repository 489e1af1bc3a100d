//! Edits of a prompt's text in its file. All offsets are in bytes.

use std::ops::Range;

/// A range of a text, and its replacement.
pub type Replacement = (Range<usize>, String);

/// The reason why a text cannot be edited in its file, for users.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CannotWrite(pub String);

/// A text after replacements, which are in order and do not overlap.
pub fn replaced(text: &str, edits: &[Replacement]) -> String {
    promptls_data::replaced(text, edits).expect("they are in order")
}
