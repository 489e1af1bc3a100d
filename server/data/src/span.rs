//! Compact ranges of a file.

use std::ops::Range;

/// A range of a file, in bytes from its start.
///
/// Files are limited to 4 GiB, which keeps values small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// This span as a range of bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        let limit = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: limit(range.start), end: limit(range.end) }
    }
}
