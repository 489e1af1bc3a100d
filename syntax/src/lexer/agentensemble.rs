//! AgentEnsemble: `{name}`, and `{{name}}` as an escape.
//!
//! The engine first turns every escape into a sentinel word, then searches for placeholders. So an
//! escape inside single braces, `{{{x}}}`, becomes part of a placeholder's name.

use std::ops::Range;

use super::candidate::{Candidate, Window, is_word};
use super::horizon::Horizon;
use super::near_miss::{self, MARGIN};
use super::shape::Shape;
use crate::token::{Flaw, TokenKind};

pub(super) struct AgentEnsemble;

impl Shape for AgentEnsemble {
    #[inline]
    fn candidate(window: Window<'_>, at: usize) -> Candidate {
        match escape(window, at) {
            Match::Ends(end) => {
                let flaw = touches_word(window, at, end).then_some(Flaw::TouchesWord);
                return Candidate::Token { kind: TokenKind::Escape, end, flaw };
            }
            Match::Cut => return Candidate::Undecided,
            Match::No => {}
        }
        let mut end = at + 1;
        loop {
            end = after_word(window, end);
            match window.get(end) {
                None if !window.ends_prompt => return Candidate::Undecided,
                Some(b'}') if end > at + 1 => {
                    return Candidate::token(TokenKind::Placeholder, end + 1);
                }
                Some(b'{') => match escape(window, end) {
                    Match::Ends(after) => end = after,
                    Match::Cut => return Candidate::Undecided,
                    Match::No => break,
                },
                _ => break,
            }
        }
        near_miss::candidate(window, at)
    }

    fn name_range(kind: TokenKind, token: &str) -> Range<usize> {
        let braces = if kind == TokenKind::Escape { 2 } else { 1 };
        braces..token.len() - braces
    }

    fn horizon(window: Window<'_>, len: usize) -> Horizon {
        let text = &window.bytes[..len];
        let end = text.iter().position(|&byte| !is_word(byte));
        Horizon::of(end.map(|end| (end, matches!(text[end], b'{' | b'}'))))
    }
}

enum Match {
    Ends(usize),
    No,
    Cut,
}

/// Matches an escape: `{{`, at least one word character, `}}`.
#[inline]
fn escape(window: Window<'_>, at: usize) -> Match {
    match window.starts_with(at, b"{{") {
        Some(true) => {}
        Some(false) => return Match::No,
        None => return Match::Cut,
    }
    let end = after_word(window, at + 2);
    match window.starts_with(end, b"}}") {
        Some(true) if end > at + 2 => Match::Ends(end + 2),
        Some(_) => Match::No,
        None => Match::Cut,
    }
}

/// The maximum length of examined text after an escape, and of such an escape. Together they are
/// less than the margin of a window after any relevant brace.
const LOOKAHEAD: usize = MARGIN / 2;

/// `true` if the engine includes text after the escape in its name: the sentinel is restored with a
/// greedy pattern, up to the last two underscores of the enclosing word.
fn touches_word(window: Window<'_>, at: usize, end: usize) -> bool {
    if end - at > LOOKAHEAD {
        return false;
    }
    let behind = &window.bytes[end..window.bytes.len().min(end + LOOKAHEAD)];
    let word = behind.iter().position(|&byte| !is_word(byte)).unwrap_or(behind.len());
    let (word, next) = behind.split_at(word);
    word.starts_with(b"_")
        || word.windows(2).any(|pair| pair == b"__")
        || matches!(next, [b'{', b'{', first, ..] if is_word(*first))
}

fn after_word(window: Window<'_>, at: usize) -> usize {
    let rest = window.bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len())
}
