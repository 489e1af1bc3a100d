//! Agentle: `{{anything but a closing brace}}`, and blocks.
//!
//! The engine first searches for block tags, and then for placeholders only in the text between
//! them. So a block tag ends a placeholder that is still open.

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::candidate::{Candidate, Window};
use super::horizon::Horizon;
use super::near_miss;
use super::shape::Shape;
use crate::token::{BlockKind, TokenKind};

const OPENERS: [(&[u8], BlockKind); 2] =
    [(b"{{#if ", BlockKind::If), (b"{{#each ", BlockKind::Each)];
const CLOSERS: [(&[u8], BlockKind); 2] =
    [(b"{{/if}}", BlockKind::If), (b"{{/each}}", BlockKind::Each)];

pub(super) struct Agentle;

impl Shape for Agentle {
    #[inline]
    fn candidate(window: Window<'_>, at: usize) -> Candidate {
        if let Some(other) = near_miss::lone_brace(window, at) {
            return other;
        }
        match window.get(at + 2) {
            None => window.at_end(at + 1),
            Some(b'}') => Candidate::Nothing { resume: at + 2 },
            Some(b'#' | b'/') => tag(window, at),
            Some(_) => placeholder(window, at),
        }
    }

    #[inline]
    fn name_range(kind: TokenKind, token: &str) -> Range<usize> {
        let before = match kind {
            TokenKind::BlockOpen(block) => "{{#".len() + block.keyword().len(),
            _ => "{{".len(),
        };
        let inside = &token[before..token.len() - 2];
        let is_blank = |byte: &u8| *byte <= b' ';
        let blanks_before = inside.as_bytes().iter().take_while(|byte| is_blank(byte)).count();
        if blanks_before == inside.len() {
            return before..before;
        }
        let blanks_behind =
            inside.as_bytes().iter().rev().take_while(|byte| is_blank(byte)).count();
        before + blanks_before..before + inside.len() - blanks_behind
    }

    fn horizon(window: Window<'_>, len: usize) -> Horizon {
        let end = memchr(b'}', &window.bytes[..len]);
        let end = end.map(|end| (end, window.get(end + 1) == Some(b'}')));
        Horizon { tag: first_tag(window.bytes, 0..len), ..Horizon::of(end) }
    }

    fn tags_end(window: Window<'_>, at: usize) -> bool {
        opener_at(window, at).is_none()
    }
}

#[inline]
fn placeholder(window: Window<'_>, at: usize) -> Candidate {
    // Usually the next brace is the first of two closing ones: then one check is sufficient.
    let inside = &window.bytes[at + 2..];
    if let Some(len) = memchr2(b'{', b'}', inside)
        && inside[len..].starts_with(b"}}")
    {
        return Candidate::token(TokenKind::Placeholder, at + 2 + len + 2);
    }
    unusual_placeholder(window, at)
}

/// The same for any text, including braces in the name.
fn unusual_placeholder(window: Window<'_>, at: usize) -> Candidate {
    let Some(close) = memchr(b'}', &window.bytes[at + 2..]).map(|len| at + 2 + len) else {
        return window.without_closer();
    };
    match window.get(close + 1) {
        Some(b'}') => {}
        None if !window.ends_prompt => return Candidate::Undecided,
        _ => return nothing_up_to(window, at, close),
    }
    match first_tag(&window.bytes[..close + 2], at + 1..close) {
        Some(tag) => Candidate::Unclosed { resume: tag },
        None => Candidate::token(TokenKind::Placeholder, close + 2),
    }
}

/// A single closing brace ends every candidate before it; at most the last brace before it can
/// still start one.
fn nothing_up_to(window: Window<'_>, at: usize, close: usize) -> Candidate {
    let last = memchr::memrchr(b'{', &window.bytes[at + 1..close]);
    Candidate::Unclosed { resume: last.map_or(close + 1, |last| at + 1 + last) }
}

/// A candidate that starts with `{{#` or `{{/`: a block tag, or literal text.
fn tag(window: Window<'_>, at: usize) -> Candidate {
    for (closer, block) in CLOSERS {
        match window.starts_with(at, closer) {
            Some(true) => {
                let end = at + closer.len();
                return Candidate::token(TokenKind::BlockClose(block), end);
            }
            Some(false) => {}
            None => return Candidate::Undecided,
        }
    }
    if let Some((opener, block)) = opener_at(window, at) {
        let path = at + opener.len();
        let Some(close) = memchr(b'}', &window.bytes[path..]).map(|len| path + len) else {
            return window.without_closer();
        };
        return match window.get(close + 1) {
            Some(b'}') => Candidate::token(TokenKind::BlockOpen(block), close + 2),
            None if !window.ends_prompt => Candidate::Undecided,
            _ => nothing_up_to(window, at, close),
        };
    }
    if OPENERS.iter().any(|(opener, _)| window.starts_with(at, opener).is_none()) {
        return Candidate::Undecided;
    }
    match near_miss::candidate(window, at) {
        // `{{#if}}` without a path, `{{/if }}` with whitespace: nearly valid tags of this dialect.
        Candidate::Token { end, .. } if has_own_keyword(&window.bytes[at + 3..end]) => {
            Candidate::token(TokenKind::NearMiss, end)
        }
        other => other,
    }
}

fn has_own_keyword(after_mark: &[u8]) -> bool {
    let len = after_mark.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(0);
    [BlockKind::If, BlockKind::Each]
        .iter()
        .any(|block| block.keyword().as_bytes() == &after_mark[..len])
}

/// The block opener at `at`; `None` if there is none, or if its first bytes are not all in the
/// window.
fn opener_at(window: Window<'_>, at: usize) -> Option<(&'static [u8], BlockKind)> {
    let rest = window.bytes.get(at..)?;
    OPENERS.into_iter().find(|(opener, _)| rest.starts_with(opener))
}

fn is_tag(text: &[u8]) -> bool {
    matches!(text.get(2), Some(b'#' | b'/'))
        && OPENERS.iter().chain(&CLOSERS).any(|(start, _)| text.starts_with(start))
}

/// The first block tag that starts in a range of a text.
fn first_tag(text: &[u8], range: Range<usize>) -> Option<usize> {
    let mut from = range.start;
    while from < range.end
        && let Some(found) = memchr(b'{', &text[from..range.end])
    {
        let first = from + found;
        // Of several adjacent braces, only the last two can start a tag.
        let braces = text[first..].iter().take_while(|&&byte| byte == b'{').count();
        from = first + braces;
        if braces >= 2 && from - 2 < range.end && is_tag(&text[from - 2..]) {
            return Some(from - 2);
        }
    }
    None
}
