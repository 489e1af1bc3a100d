//! Why a file cannot be read.

use std::ops::Range;

/// Why a file cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where reading ends, in bytes of the file.
    pub range: Range<usize>,
    /// The reason: one line, lower case, without a full stop.
    pub reason: String,
}

impl Refusal {
    pub(crate) fn new(range: Range<usize>, reason: impl Into<String>) -> Refusal {
        Refusal { range, reason: reason.into() }
    }
}
