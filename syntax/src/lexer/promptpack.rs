//! PromptPack: `{{path}}`, wherever it stands complete.

use std::ops::Range;

use super::candidate::{Candidate, Window, is_word};
use super::horizon::Horizon;
use super::near_miss;
use super::shape::Shape;
use crate::token::TokenKind;

/// Whether a byte may stand in a path.
const fn is_path_byte(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'.' | b'[' | b']')
}

/// The shape of its tokens.
pub(super) struct PromptPack;

impl Shape for PromptPack {
    #[inline]
    fn candidate(window: Window<'_>, at: usize) -> Candidate {
        match window.get(at + 1) {
            Some(b'{') => {}
            None if !window.ends_prompt => return Candidate::Undecided,
            _ => return near_miss::candidate(window, at),
        }
        let start = at + 2;
        let rest = window.bytes.get(start..).unwrap_or_default();
        // Nearly always it is a plain name: one look is enough then.
        if let Some(after) = after_name(rest)
            && after.starts_with(b"}}")
        {
            let end = window.bytes.len() - after.len() + 2;
            return Candidate::token(TokenKind::Placeholder, end);
        }
        let len = rest.iter().position(|&byte| !is_path_byte(byte)).unwrap_or(rest.len());
        match window.starts_with(start + len, b"}}") {
            Some(true) if is_path(&rest[..len]) => {
                Candidate::token(TokenKind::Placeholder, start + len + 2)
            }
            Some(_) => near_miss::candidate(window, at),
            None => Candidate::Undecided,
        }
    }

    fn name_range(_: TokenKind, token: &str) -> Range<usize> {
        2..token.len() - 2
    }

    fn horizon(window: Window<'_>, len: usize) -> Horizon {
        let text = &window.bytes[..len];
        let end = text.iter().position(|&byte| !is_path_byte(byte));
        Horizon::of(end.map(|end| (end, text[end] == b'}')))
    }
}

/// `name(.name|[digits])*`
fn is_path(path: &[u8]) -> bool {
    let mut rest = match after_name(path) {
        Some(rest) => rest,
        None => return false,
    };
    loop {
        let step = match rest {
            [] => return true,
            [b'.', name @ ..] => after_name(name),
            [b'[', index @ ..] => after_index(index),
            _ => None,
        };
        match step {
            Some(after) => rest = after,
            None => return false,
        }
    }
}

#[inline]
fn after_name(text: &[u8]) -> Option<&[u8]> {
    let (first, _) = text.split_first()?;
    if !first.is_ascii_alphabetic() && *first != b'_' {
        return None;
    }
    let len = text.iter().position(|&byte| !is_word(byte)).unwrap_or(text.len());
    Some(&text[len..])
}

fn after_index(text: &[u8]) -> Option<&[u8]> {
    let len = text.iter().position(|byte| !byte.is_ascii_digit())?;
    (len > 0 && text[len] == b']').then(|| &text[len + 1..])
}
