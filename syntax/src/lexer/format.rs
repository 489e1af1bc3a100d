//! Python braces: `{name}`, with `{{` and `}}` for single braces.
//!
//! Engines differ: some parse fields completely, some read everything up to the next closing brace
//! as a name, and some replace only what looks like a placeholder.

use std::marker::PhantomData;
use std::ops::Range;

use memchr::{memchr, memchr2};

use super::candidate::{Candidate, Window};
use super::horizon::Horizon;
use super::near_miss;
use super::shape::Shape;
use crate::fields::{Brace, brace, name_len};
use crate::token::{Flaw, TokenKind};

/// The full grammar: `str.format` of Python.
pub(super) struct Full;

impl Shape for Full {
    const STARTS_AT_CLOSERS: bool = true;

    #[inline]
    fn candidate(window: Window<'_>, at: usize) -> Candidate {
        match brace(window.bytes, at, window.ends_prompt, window.ends) {
            Brace::Escape => Candidate::token(TokenKind::Escape, at + 2),
            Brace::Field { len } => {
                let has_fields = memchr(b'{', &window.bytes[at + 1..at + len]).is_some();
                let flaw = has_fields.then_some(Flaw::NestedFields);
                Candidate::Token { kind: TokenKind::Placeholder, end: at + len, flaw }
            }
            Brace::Refused(_) if window.bytes[at] == b'}' => {
                Candidate::token(TokenKind::Malformed, at + 1)
            }
            Brace::Refused(_) => malformed(window, at),
            Brace::Undecided => Candidate::Undecided,
        }
    }

    fn name_range(kind: TokenKind, token: &str) -> Range<usize> {
        match kind {
            TokenKind::Placeholder => 1..1 + name_len(&token.as_bytes()[1..]),
            _ => 0..token.len(),
        }
    }

    fn horizon(window: Window<'_>, len: usize) -> Horizon {
        let decides = |byte: &u8| matches!(byte, b'{' | b'}' | b':' | b'!' | b'[' | b']' | b'\n');
        Horizon::of(window.bytes[..len].iter().position(decides).map(|at| (at, true)))
    }
}

/// An error, up to the end of its line.
fn malformed(window: Window<'_>, at: usize) -> Candidate {
    let line = match memchr(b'\n', &window.bytes[at..]) {
        Some(len) => &window.bytes[at..at + len],
        None if window.ends_prompt => &window.bytes[at..],
        None => return Candidate::Undecided,
    };
    let len = line.len() - usize::from(line.ends_with(b"\r"));
    Candidate::token(TokenKind::Malformed, at + len)
}

/// LangChain for JavaScript: everything up to the next closing brace is a name.
pub(super) struct Flat;

impl Shape for Flat {
    const STARTS_AT_CLOSERS: bool = true;

    #[inline]
    fn candidate(window: Window<'_>, at: usize) -> Candidate {
        let first = window.bytes[at];
        match window.get(at + 1) {
            Some(second) if first == second => return Candidate::token(TokenKind::Escape, at + 2),
            None if !window.ends_prompt => return Candidate::Undecided,
            _ if first == b'}' => return Candidate::token(TokenKind::Malformed, at + 1),
            _ => {}
        }
        match memchr(b'}', &window.bytes[at..]) {
            Some(len) => Candidate::token(TokenKind::Placeholder, at + len + 1),
            None if window.ends_prompt => malformed(window, at),
            None => Candidate::Undecided,
        }
    }

    fn name_range(kind: TokenKind, token: &str) -> Range<usize> {
        match kind {
            TokenKind::Placeholder => 1..token.len() - 1,
            _ => 0..token.len(),
        }
    }

    fn horizon(window: Window<'_>, len: usize) -> Horizon {
        let end = memchr2(b'}', b'\n', &window.bytes[..len]);
        Horizon::of(end.map(|at| (at, true)))
    }
}

/// The innermost pairs of braces whose text an engine accepts as a name; all else is text.
pub(super) struct Open<N>(PhantomData<N>);

/// The names of an engine.
pub(super) trait Names {
    /// `true` if it accepts a text, which contains no braces, as a name.
    fn accepts(name: &[u8]) -> bool;
}

/// LlamaIndex: any text that is not empty.
pub(super) struct AnyText;

impl Names for AnyText {
    fn accepts(name: &[u8]) -> bool {
        !name.is_empty()
    }
}

/// CrewAI: ASCII letters, digits and `_`.
pub(super) struct Words;

impl Names for Words {
    fn accepts(name: &[u8]) -> bool {
        starts_word(name) && name.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }
}

/// CrewAI from 0.120.1 on: `-`, too.
pub(super) struct Hyphenated;

impl Names for Hyphenated {
    fn accepts(name: &[u8]) -> bool {
        let is_in_name = |&byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        starts_word(name) && name.iter().all(is_in_name)
    }
}

fn starts_word(name: &[u8]) -> bool {
    name.first().is_some_and(|&first| first.is_ascii_alphabetic() || first == b'_')
}

impl<N: Names> Shape for Open<N> {
    #[inline]
    fn candidate(window: Window<'_>, at: usize) -> Candidate {
        let Some(len) = memchr2(b'{', b'}', &window.bytes[at + 1..]) else {
            return window.without_closer();
        };
        let end = at + 1 + len;
        if window.bytes[end] == b'}' && N::accepts(&window.bytes[at + 1..end]) {
            return Candidate::token(TokenKind::Placeholder, end + 1);
        }
        near_miss::candidate(window, at)
    }

    fn name_range(_: TokenKind, token: &str) -> Range<usize> {
        1..token.len() - 1
    }

    fn horizon(window: Window<'_>, len: usize) -> Horizon {
        let text = &window.bytes[..len];
        let end = memchr2(b'{', b'}', text);
        Horizon::of(end.map(|end| (end, text[end] == b'}')))
    }
}
