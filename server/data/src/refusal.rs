//! The error for an invalid file.

use std::ops::Range;

/// The reason why a file cannot be read, with its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The range at which reading stops, in bytes of the file.
    pub range: Range<usize>,
    /// The reason: one line, lower case, without a full stop.
    pub reason: String,
}

impl Refusal {
    pub(crate) fn new(range: Range<usize>, reason: impl Into<String>) -> Refusal {
        Refusal { range, reason: reason.into() }
    }
}
