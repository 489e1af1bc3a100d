//! The shape of tokens: the required code for a new dialect.

use std::ops::Range;

use super::candidate::{Candidate, Window};
use super::horizon::Horizon;
use crate::token::TokenKind;

/// The shape of a dialect's tokens.
pub(crate) trait Shape {
    /// `true` if tokens may start at a closing brace, too.
    const STARTS_AT_CLOSERS: bool = false;

    /// The result for the brace at an offset.
    fn candidate(window: Window<'_>, at: usize) -> Candidate;

    /// The range of the name in the text of a token that the engine processes, except closers of
    /// blocks.
    fn name_range(kind: TokenKind, token: &str) -> Range<usize>;

    /// The horizon that an opener before the window meets in its first `len` bytes.
    fn horizon(window: Window<'_>, len: usize) -> Horizon;

    /// `true` if block tags end the candidate at an offset.
    fn tags_end(_: Window<'_>, _: usize) -> bool {
        false
    }
}
