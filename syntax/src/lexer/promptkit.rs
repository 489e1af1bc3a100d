//! PromptKit: `{{`, and the next `}}` from there on, unless another `{{` comes first. Any other
//! text may be between.
//!
//! Which of it is replaced depends on the existing keys, and unreplaced text is an error, so all of
//! it is a placeholder.

use std::ops::Range;

use memchr::memchr2_iter;

use super::candidate::{Candidate, Window};
use super::horizon::Horizon;
use super::near_miss;
use super::shape::Shape;
use crate::token::TokenKind;

pub(super) struct PromptKit;

impl Shape for PromptKit {
    #[inline]
    fn candidate(window: Window<'_>, at: usize) -> Candidate {
        if let Some(other) = near_miss::lone_brace(window, at) {
            return other;
        }
        match first_pair(&window.bytes[at + 1..]) {
            // The second of three braces may open one.
            Some((_, b'{')) => near_miss::candidate(window, at),
            Some((len, _)) => Candidate::token(TokenKind::Placeholder, at + 1 + len + 2),
            None => window.without_closer(),
        }
    }

    fn name_range(_: TokenKind, token: &str) -> Range<usize> {
        2..token.len() - 2
    }

    fn horizon(window: Window<'_>, len: usize) -> Horizon {
        // It closes all waiting candidates, or rejects them.
        let end = first_pair(window.bytes).filter(|&(end, _)| end < len);
        Horizon::of(end.map(|(end, _)| (end, true)))
    }
}

/// The position and kind of the first doubled brace.
fn first_pair(text: &[u8]) -> Option<(usize, u8)> {
    let mut braces = memchr2_iter(b'{', b'}', text);
    braces.find(|&at| text.get(at + 1) == Some(&text[at])).map(|at| (at, text[at]))
}
