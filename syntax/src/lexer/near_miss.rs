//! Literal braces that look as if they were meant as a placeholder, or as another language's tag.
//!
//! All dialects share one rule, which errs towards silence: one word or path,
//! blanks aside, between at most three braces on each side. Prose, JSON and code
//! in braces are none. Where braces are missing behind the word, nothing up to the
//! end of the line may close those before it. Whether a near miss is worth a
//! warning depends on the names that are known, and is not decided here.

use std::ops::Range;

use super::candidate::{Candidate, Window};
use crate::token::TokenKind;

/// The longest text that we call a near miss. Names are short, and the bound
/// keeps the lexer from reading far ahead.
const LONGEST: usize = 120;

/// The most braces on each side.
pub(super) const MAX_BRACES: usize = 3;

/// How many bytes from its first brace on it takes to decide any near miss.
const LOOKAHEAD: usize = LONGEST + 8;

/// A window must go on this far behind the last brace of interest, so that near misses are never
/// undecided: those that start at the next few braces count, too.
pub(crate) const MARGIN: usize = LOOKAHEAD + MAX_BRACES;

/// The near miss or foreign tag at an opening brace that starts no placeholder.
pub(super) fn candidate(window: Window<'_>, at: usize) -> Candidate {
    candidate_or(window, at, |_| None)
}

/// What a brace is that no second one follows; `None` where one does.
#[inline]
pub(super) fn lone_brace(window: Window<'_>, at: usize) -> Option<Candidate> {
    match window.get(at + 1) {
        Some(b'{') => None,
        None if !window.ends_prompt => Some(Candidate::Undecided),
        _ => Some(candidate(window, at)),
    }
}

/// [`candidate`] for a dialect that has near misses of its own: `other` gives the length of one that a
/// text starts with.
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

/// One or two braces and a path, with too few braces behind: `{name and`, `{{price} and`. It ends
/// with what belongs to it.
fn unclosed(text: &[u8]) -> Option<usize> {
    let open = count(text, b'{');
    let inside = &text[open..];
    // A single brace with a blank behind it opens a block of code.
    let start = if open == 2 { blanks(inside) } else { 0 };
    let word = &inside[start..][..word(&inside[start..])];
    // The end of a sentence is not part of it.
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
    // Nothing where its depth comes down to what is outside of it.
    line.try_fold(open, |depth, byte| match byte {
        b'{' => Some(depth + 1),
        b'}' => depth.checked_sub(1).filter(|&depth| depth > 0),
        _ => Some(depth),
    })?;
    Some(open + end + count(behind, b'}'))
}

/// `{ { path } }`: two braces on each side, with blanks between them.
fn apart(text: &[u8]) -> Option<usize> {
    let second = 1 + blanks(&text[1..]);
    let inner = text.get(second..).filter(|inner| second > 1 && inner.starts_with(b"{"))?;
    let end = second + near_miss(inner).filter(|_| !inner.starts_with(b"{{"))?;
    let close = end + blanks(&text[end..]);
    (text.get(close) == Some(&b'}')).then_some(close + 1)
}

/// Whether a word ends here as it does in prose, or right before a brace: code goes on with other
/// signs.
fn is_break(text: &[u8]) -> bool {
    text.first().is_none_or(|byte| b" \t\r\n{}.,;!?)\"'*".contains(byte))
}

/// A word or a path: letters, digits, and what joins names in one dialect or another.
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

/// Where the word stands in the text of a near miss: without braces, blanks and mark.
pub fn near_miss_word(token: &str) -> Range<usize> {
    let around = |character: char| matches!(character, '{' | '}' | ' ' | '\t' | '?');
    let start = token.len() - token.trim_start_matches(around).len();
    let word = token.trim_matches(around);
    start..start + word.len()
}
