//! Literal braces that resemble a placeholder, or a tag of another language.
//!
//! All dialects share one rule, which prefers false negatives: one word or path, apart from
//! whitespace, between at most three braces on each side. Prose, JSON and code in braces do not
//! match. If braces are missing after the word, nothing up to the end of the line may close those
//! before it. Whether a near miss deserves a warning depends on the known names, and is not decided
//! here.

use std::ops::Range;

use super::candidate::{Candidate, Window};
use crate::token::TokenKind;

/// The maximum length of a near miss. Names are short, and the limit keeps the lexer from reading
/// far ahead.
const LONGEST: usize = 120;

/// The maximum number of braces on each side.
pub(super) const MAX_BRACES: usize = 3;

/// The number of bytes from the first brace that decide any near miss.
const LOOKAHEAD: usize = LONGEST + 8;

/// A window must extend this far beyond the last relevant brace, so that near misses are never
/// undecided. Those that start at the next few braces count, too.
pub(crate) const MARGIN: usize = LOOKAHEAD + MAX_BRACES;

/// The near miss or foreign tag at an opening brace that starts no placeholder.
pub(super) fn candidate(window: Window<'_>, at: usize) -> Candidate {
    candidate_or(window, at, |_| None)
}

/// The result for a brace that is not followed by a second one; `None` if it is.
#[inline]
pub(super) fn lone_brace(window: Window<'_>, at: usize) -> Option<Candidate> {
    match window.get(at + 1) {
        Some(b'{') => None,
        None if !window.ends_prompt => Some(Candidate::Undecided),
        _ => Some(candidate(window, at)),
    }
}

/// [`candidate`] for a dialect with additional near misses: `other` returns the length of one at
/// the start of a text.
pub(super) fn candidate_or(
    window: Window<'_>,
    at: usize,
    other: fn(&[u8]) -> Option<usize>,
) -> Candidate {
    let rest = &window.bytes[at..];
    if rest.len() < LOOKAHEAD && !window.ends_prompt {
        return Candidate::Undecided;
    }
    let rest = &rest[..rest.len().min(LOOKAHEAD)];
    match foreign_tag(rest).map(|len| (TokenKind::Foreign, len)).or_else(|| {
        let len = near_miss(rest).or_else(|| other(rest));
        let len = len.or_else(|| unclosed(rest)).or_else(|| apart(rest));
        Some((TokenKind::NearMiss, len?))
    }) {
        Some((kind, len)) => Candidate::token(kind, at + len),
        None => Candidate::Nothing { resume: at + 1 },
    }
}

fn near_miss(text: &[u8]) -> Option<usize> {
    let open = count(text, b'{').min(MAX_BRACES);
    let inside = &text[open..];
    let start = blanks(inside);
    let word = word(&inside[start..]);
    if word == 0 {
        return None;
    }
    let mut end = start + word;
    end += blanks(&inside[end..]);
    if inside.get(end) == Some(&b'?') {
        end += 1;
        end += blanks(&inside[end..]);
    }
    let close = count(&inside[end..], b'}').min(open);
    (close == open).then_some(open + end + close)
}

/// One or two braces and a path, with too few braces after it: `{name and`, `{{price} and`. It ends
/// with the last part that belongs to it.
fn unclosed(text: &[u8]) -> Option<usize> {
    let open = count(text, b'{');
    let inside = &text[open..];
    // A single brace followed by whitespace opens a block of code.
    let start = if open == 2 { blanks(inside) } else { 0 };
    let word = &inside[start..][..word(&inside[start..])];
    // A full stop at the end does not belong to the name.
    let word = &word[..word.len() - word.iter().rev().take_while(|&&byte| byte == b'.').count()];
    let (end, behind) = (start + word.len(), &inside[start + word.len()..]);
    let begins_name = |first: &u8| !b".-:$[]0123456789".contains(first);
    if !(1..=2).contains(&open)
        || !word.first().is_some_and(begins_name)
        || word.ends_with(b":")
        || open + end > LONGEST
        || !is_break(behind)
        || behind.trim_ascii_start().starts_with(b"}") && !behind.starts_with(b"}")
    {
        return None;
    }
    let mut line = behind.iter().take_while(|&&byte| byte != b'\n');
    // `None` if its nesting depth returns to that of the outside.
    line.try_fold(open, |depth, byte| match byte {
        b'{' => Some(depth + 1),
        b'}' => depth.checked_sub(1).filter(|&depth| depth > 0),
        _ => Some(depth),
    })?;
    Some(open + end + count(behind, b'}'))
}

/// `{ { path } }`: two braces on each side, with whitespace between them.
fn apart(text: &[u8]) -> Option<usize> {
    let second = 1 + blanks(&text[1..]);
    let inner = text.get(second..).filter(|inner| second > 1 && inner.starts_with(b"{"))?;
    let end = second + near_miss(inner).filter(|_| !inner.starts_with(b"{{"))?;
    let close = end + blanks(&text[end..]);
    (text.get(close) == Some(&b'}')).then_some(close + 1)
}

/// `true` if a word ends here as in prose, or directly before a brace: code continues with other
/// signs.
fn is_break(text: &[u8]) -> bool {
    text.first().is_none_or(|byte| b" \t\r\n{}.,;!?)\"'*".contains(byte))
}

/// A word or a path: letters, digits, and the separators of names in any dialect.
fn word(text: &[u8]) -> usize {
    let part = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || !byte.is_ascii()
            || matches!(byte, b'_' | b'.' | b'-' | b':' | b'$' | b'[' | b']')
    };
    let len = text.iter().position(|&byte| !part(byte)).unwrap_or(text.len());
    let has_letter = text[..len].iter().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    if has_letter { len } else { 0 }
}

/// Tags of Jinja, and sections of Mustache and Handlebars.
fn foreign_tag(text: &[u8]) -> Option<usize> {
    const JINJA: [&str; 12] = [
        "if", "elif", "else", "endif", "for", "endfor", "set", "include", "block", "endblock",
        "macro", "raw",
    ];
    let (inside, close): (&[u8], &[u8]) = match text {
        [b'{', b'%', rest @ ..] => (rest, b"%}"),
        [b'{', b'{', b'#' | b'/', rest @ ..] => (rest, b"}}"),
        _ => return None,
    };
    let inside = inside.strip_prefix(b"-").unwrap_or(inside);
    let inside = &inside[blanks(inside)..];
    let len = inside.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(inside.len());
    let keyword = &inside[..len];
    if keyword.is_empty()
        || (close == b"%}" && !JINJA.iter().any(|known| known.as_bytes() == keyword))
    {
        return None;
    }
    let end = inside.iter().position(|byte| matches!(byte, b'{' | b'}' | b'\n'))?;
    // Jinja's closer begins with a `%`, which is no brace.
    let end = if close == b"%}" { end.checked_sub(1)? } else { end };
    inside[end..].starts_with(close).then_some(text.len() - inside.len() + end + close.len())
}

fn count(text: &[u8], byte: u8) -> usize {
    text.iter().position(|&other| other != byte).unwrap_or(text.len())
}

fn blanks(text: &[u8]) -> usize {
    text.iter().position(|&byte| !matches!(byte, b' ' | b'\t')).unwrap_or(text.len())
}

/// The range of the word in the text of a near miss: without braces, whitespace and mark.
pub fn near_miss_word(token: &str) -> Range<usize> {
    let around = |character: char| matches!(character, '{' | '}' | ' ' | '\t' | '?');
    let start = token.len() - token.trim_start_matches(around).len();
    let word = token.trim_matches(around);
    start..start + word.len()
}
