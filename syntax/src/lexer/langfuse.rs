//! Langfuse: `{{`, and the next `}}` from there on. Any text may be between, including braces.

use std::ops::Range;

use memchr::memmem;

use super::candidate::{Candidate, Window};
use super::horizon::Horizon;
use super::near_miss;
use super::shape::Shape;
use crate::token::TokenKind;

pub(super) struct Langfuse;

impl Shape for Langfuse {
    #[inline]
    fn candidate(window: Window<'_>, at: usize) -> Candidate {
        if let Some(other) = near_miss::lone_brace(window, at) {
            return other;
        }
        match closer(&window.bytes[at + 2..]) {
            Some(len) => Candidate::token(TokenKind::Placeholder, at + 2 + len + 2),
            None => window.without_closer(),
        }
    }

    fn name_range(_: TokenKind, token: &str) -> Range<usize> {
        let inside = &token[2..token.len() - 2];
        let start = token.len() - 2 - inside.trim_start_matches(is_blank).len();
        start..start + inside.trim_matches(is_blank).len()
    }

    fn horizon(window: Window<'_>, len: usize) -> Horizon {
        // The closer of one candidate closes all waiting ones.
        let end = closer(window.bytes).filter(|&end| end < len);
        Horizon::of(end.map(|end| (end, true)))
    }
}

fn closer(text: &[u8]) -> Option<usize> {
    memmem::find(text, b"}}")
}

/// The result of Python's `str.isspace` for one character.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1C}'..='\u{1F}')
}
