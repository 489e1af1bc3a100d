//! PromptPack: `{{path}}`, wherever it is complete. Its engines have names in place of paths.

use std::marker::PhantomData;
use std::ops::Range;

use super::candidate::{Candidate, Window, is_word};
use super::horizon::Horizon;
use super::near_miss;
use super::shape::Shape;
use crate::token::TokenKind;

/// The text that is valid between the braces.
pub(super) trait Inside {
    /// `true` if the text may contain a byte.
    fn is_part(byte: u8) -> bool;

    /// `true` if such bytes form a name.
    fn is_name(inside: &[u8]) -> bool;
}

/// The rule of the document: `name(.name|[digits])*`.
pub(super) struct Paths;

/// The rule of the engine for Python: `name(:name)?`.
pub(super) struct PythonNames;

/// The rule of the engine for JavaScript: `name`.
pub(super) struct JavaScript;

impl Inside for Paths {
    fn is_part(byte: u8) -> bool {
        is_path_byte(byte)
    }

    fn is_name(inside: &[u8]) -> bool {
        is_path(inside)
    }
}

impl Inside for PythonNames {
    fn is_part(byte: u8) -> bool {
        is_word(byte) || byte == b':'
    }

    fn is_name(inside: &[u8]) -> bool {
        match after_name(inside) {
            Some([b':', second @ ..]) => after_name(second) == Some(&[]),
            rest => rest == Some(&[]),
        }
    }
}

impl Inside for JavaScript {
    fn is_part(byte: u8) -> bool {
        is_word(byte)
    }

    fn is_name(inside: &[u8]) -> bool {
        after_name(inside) == Some(&[])
    }
}

/// `true` if a path may contain a byte.
const fn is_path_byte(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'.' | b'[' | b']')
}

pub(super) struct PromptPack<I>(PhantomData<I>);

impl<I: Inside> Shape for PromptPack<I> {
    #[inline]
    fn candidate(window: Window<'_>, at: usize) -> Candidate {
        if let Some(other) = near_miss::lone_brace(window, at) {
            return other;
        }
        let start = at + 2;
        let rest = window.bytes.get(start..).unwrap_or_default();
        // Usually it is a plain name: then one check is sufficient.
        if let Some(after) = after_name(rest)
            && after.starts_with(b"}}")
        {
            let end = window.bytes.len() - after.len() + 2;
            return Candidate::token(TokenKind::Placeholder, end);
        }
        let len = rest.iter().position(|&byte| !I::is_part(byte)).unwrap_or(rest.len());
        match window.starts_with(start + len, b"}}") {
            Some(true) if I::is_name(&rest[..len]) => {
                Candidate::token(TokenKind::Placeholder, start + len + 2)
            }
            Some(_) => near_miss::candidate_or(window, at, path_of_others),
            None => Candidate::Undecided,
        }
    }

    fn name_range(_: TokenKind, token: &str) -> Range<usize> {
        2..token.len() - 2
    }

    fn horizon(window: Window<'_>, len: usize) -> Horizon {
        let text = &window.bytes[..len];
        let end = text.iter().position(|&byte| !I::is_part(byte));
        Horizon::of(end.map(|end| (end, text[end] == b'}')))
    }
}

/// The length of `{{path}}` with path syntax of other languages: a filter after a `|`, or a key in
/// quotes.
fn path_of_others(text: &[u8]) -> Option<usize> {
    let inside = text.strip_prefix(b"{{")?;
    let end = inside.iter().position(|byte| matches!(byte, b'{' | b'}' | b'\n'))?;
    let path = inside[..end].trim_ascii_start();
    after_name(path)?;
    let (path, rest) = path.split_at(path.iter().position(|&byte| !is_path_byte(byte))?);
    let is_key = path.ends_with(b"[") && matches!(rest[0], b'"' | b'\'');
    let filter = rest.trim_ascii_start().strip_prefix(b"|");
    let is_filter = filter.is_some_and(|filter| {
        filter.trim_ascii_start().first().is_some_and(u8::is_ascii_alphabetic)
    });
    (inside[end..].starts_with(b"}}") && (is_key || is_filter)).then_some(end + 4)
}

/// Returns whether a whole path matches `name(.name|[digits])*`.
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
