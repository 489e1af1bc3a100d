//! entAIngine: `{SNAKE_CASE}` inputs and `{task_0.output_1…}` outputs of other tasks.

use std::ops::Range;

use super::candidate::{Candidate, Window};
use super::horizon::Horizon;
use super::near_miss;
use super::shape::Shape;
use crate::token::TokenKind;

pub(super) struct Entaingine;

impl Shape for Entaingine {
    #[inline]
    fn candidate(window: Window<'_>, at: usize) -> Candidate {
        let end = match window.get(at + 1) {
            Some(b'A'..=b'Z') => input_name(window, at + 1),
            Some(b't') => task_output(window, at + 1),
            None if !window.ends_prompt => return Candidate::Undecided,
            _ => Scan::No,
        };
        match end {
            Scan::Ends(end) => match window.get(end) {
                Some(b'}') => Candidate::token(TokenKind::Placeholder, end + 1),
                None if !window.ends_prompt => Candidate::Undecided,
                _ => near_miss::candidate(window, at),
            },
            Scan::Cut => Candidate::Undecided,
            Scan::No => near_miss::candidate(window, at),
        }
    }

    fn name_range(_: TokenKind, token: &str) -> Range<usize> {
        1..token.len() - 1
    }

    fn horizon(window: Window<'_>, len: usize) -> Horizon {
        let text = &window.bytes[..len];
        let end = memchr::memchr2(b'{', b'}', text);
        Horizon::of(end.map(|end| (end, text[end] == b'}')))
    }
}

enum Scan {
    /// The shape matches up to here.
    Ends(usize),
    No,
    Cut,
}

/// Matches `[A-Z][A-Z0-9]*(_[A-Z0-9]+)*`; the caller checks the first letter.
fn input_name(window: Window<'_>, start: usize) -> Scan {
    let mut end = start;
    let mut after_underscore = false;
    while let Some(byte) = window.get(end) {
        match byte {
            b'A'..=b'Z' | b'0'..=b'9' => after_underscore = false,
            b'_' if !after_underscore => after_underscore = true,
            _ => break,
        }
        end += 1;
    }
    match window.get(end) {
        None if !window.ends_prompt => Scan::Cut,
        _ if after_underscore => Scan::No,
        _ => Scan::Ends(end),
    }
}

/// `task_N.output_M` or `task_N.output_all`, possibly with `.chunkSimilarityMetadata` and `.KEY`.
fn task_output(window: Window<'_>, start: usize) -> Scan {
    let steps: [&dyn Fn(usize) -> Scan; 4] = [
        &|at| literal(window, at, b"task_"),
        &|at| digits(window, at),
        &|at| literal(window, at, b".output_"),
        &|at| digits_or_all(window, at),
    ];
    let mut end = start;
    for step in steps {
        match step(end) {
            Scan::Ends(after) => end = after,
            other => return other,
        }
    }
    match literal(window, end, b".chunkSimilarityMetadata") {
        Scan::Ends(after) => end = after,
        Scan::No => return Scan::Ends(end),
        Scan::Cut => return Scan::Cut,
    }
    if window.get(end) != Some(b'.') {
        return Scan::Ends(end);
    }
    let key = &window.bytes[end + 1..];
    match memchr::memchr2(b'{', b'}', key) {
        Some(0) => Scan::No,
        Some(len) => Scan::Ends(end + 1 + len),
        None if window.ends_prompt => Scan::No,
        None => Scan::Cut,
    }
}

fn literal(window: Window<'_>, at: usize, text: &[u8]) -> Scan {
    match window.starts_with(at, text) {
        Some(true) => Scan::Ends(at + text.len()),
        Some(false) => Scan::No,
        None => Scan::Cut,
    }
}

fn digits(window: Window<'_>, at: usize) -> Scan {
    let rest = window.bytes.get(at..).unwrap_or_default();
    match rest.iter().position(|byte| !byte.is_ascii_digit()) {
        Some(0) => Scan::No,
        Some(len) => Scan::Ends(at + len),
        None if window.ends_prompt => Scan::No,
        None => Scan::Cut,
    }
}

fn digits_or_all(window: Window<'_>, at: usize) -> Scan {
    match literal(window, at, b"all") {
        Scan::No => digits(window, at),
        other => other,
    }
}
