//! What the tokens of a dialect look like: what there is to write for a new one.

use std::ops::Range;

use super::candidate::{Candidate, Window};
use super::horizon::Horizon;
use crate::token::TokenKind;

/// The shape of a dialect's tokens.
pub(crate) trait Shape {
    /// What the opening brace at an offset turns out to be.
    fn candidate(window: Window<'_>, at: usize) -> Candidate;

    /// Where the name stands in the text of a token that the engine acts on, closers of blocks
    /// aside.
    fn name_range(kind: TokenKind, token: &str) -> Range<usize>;

    /// What an opener from the left meets in the first `len` bytes of a window.
    fn horizon(window: Window<'_>, len: usize) -> Horizon;

    /// Whether block tags end the candidate at an offset.
    fn tags_end(_: Window<'_>, _: usize) -> bool {
        false
    }
}
