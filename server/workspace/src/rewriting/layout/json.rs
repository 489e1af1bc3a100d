//! JSON with comments: one line per entry, except for objects and lists that are written in one
//! line.

use promptls_data::json_tokens::{JsonToken, TokenKind, tokens};

use super::gaps::{Gap, Gaps};
use super::indentation::Indentation;
use crate::readers::writing::Replacement;

/// The maximum length of a line in a text that is one single line, in characters. Longer lines in
/// other texts are kept: a table of variables has one line per variable.
const WIDTH: usize = 100;

fn is_comment(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::LineComment | TokenKind::BlockComment)
}

/// The changes that lay out a text that parses, in order; `None` if it cannot be split into tokens.
pub fn changes(text: &str, indentation: Indentation) -> Option<Vec<Replacement>> {
    let pieces = tokens(text)?;
    let flat = flat_widths(text, &pieces);
    let most = if is_one_line(text, &pieces) { WIDTH } else { usize::MAX };
    let mut gaps = Gaps::new(text, indentation);
    // For each enclosing object or list of the next token, `true` if it is written over several
    // lines.
    let mut around: Vec<bool> = Vec::new();
    let mut last = None;
    for (index, piece) in pieces.iter().enumerate() {
        let gap = match last {
            None => Gap::Nothing,
            Some(last) => gap(&gaps, &around, last, &pieces[index..], text),
        };
        gaps.put(gap, piece.range.clone());
        match piece.kind {
            TokenKind::Open => {
                let is_outer_in_lines = around.last().copied().unwrap_or(true);
                // Includes one character for a comma after it.
                let fits =
                    flat[index].is_some_and(|flat| gaps.column().saturating_add(flat) < most);
                around.push(is_outer_in_lines && !fits);
            }
            TokenKind::Close => drop(around.pop()),
            _ => {}
        }
        last = Some(piece.kind);
    }
    Some(if pieces.is_empty() { Vec::new() } else { gaps.finish() })
}

/// `true` if a text is a single line, as programs write it.
fn is_one_line(text: &str, pieces: &[JsonToken]) -> bool {
    let ends = pieces.first().zip(pieces.last());
    ends.is_none_or(|(first, last)| !text[first.range.start..last.range.end].contains('\n'))
}

/// The gap between a token of some kind and the remaining ones.
fn gap(gaps: &Gaps<'_>, around: &[bool], last: TokenKind, rest: &[JsonToken], text: &str) -> Gap {
    let next = &rest[0];
    let written = gaps.breaks_before(next.range.start);
    let is_in_lines = around.last().copied().unwrap_or(true);
    let level = around.len() - usize::from(next.kind == TokenKind::Close);
    // An empty line between two entries is kept.
    let may_be_apart = last != TokenKind::Open && next.kind != TokenKind::Close;
    let lines = Gap::Lines { breaks: if may_be_apart { written.clamp(1, 2) } else { 1 }, level };
    match (last, next.kind) {
        (TokenKind::LineComment, _) => lines,
        (_, kind) if is_comment(kind) => {
            match written > 0 || is_in_lines && leads(last, rest, text) {
                true => lines,
                false => Gap::Kept,
            }
        }
        (_, TokenKind::Comma | TokenKind::Colon) | (TokenKind::Open, TokenKind::Close) => {
            Gap::Nothing
        }
        (TokenKind::Colon, _) => Gap::Blank,
        (TokenKind::BlockComment, _) if written == 0 => Gap::Blank,
        (TokenKind::Open | TokenKind::Comma | TokenKind::BlockComment, _)
        | (_, TokenKind::Close) => match is_in_lines {
            true => lines,
            false if last == TokenKind::Comma && next.kind != TokenKind::Close => Gap::Blank,
            false => Gap::Nothing,
        },
        // In valid JSON, two values are never adjacent.
        _ => Gap::Kept,
    }
}

/// `true` if a comment belongs to the token after it, in the same line.
fn leads(last: TokenKind, rest: &[JsonToken], text: &str) -> bool {
    let [comment, next, ..] = rest else { return false };
    let is_first = matches!(last, TokenKind::Open | TokenKind::Comma);
    let is_beside = !text[comment.range.end..next.range.start].contains('\n');
    is_first
        && is_beside
        && comment.kind == TokenKind::BlockComment
        && matches!(next.kind, TokenKind::Scalar | TokenKind::Open)
}

/// The number of characters of each object and list in one line, after its bracket; `None` for one
/// that spans several lines, and for other tokens.
///
/// Cost: the text, because widths are computed from prefix sums.
fn flat_widths(text: &str, pieces: &[JsonToken]) -> Vec<Option<usize>> {
    let mut widths = vec![None; pieces.len()];
    // The start of each open one: its token, and the characters and lines written before it.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    let (mut width, mut lines, mut end) = (0, 0, 0);
    for (index, JsonToken { kind, range }) in pieces.iter().enumerate() {
        lines += memchr::memchr_iter(b'\n', &text.as_bytes()[end..range.end]).count();
        width += text[range.clone()].chars().count();
        width +=
            usize::from(matches!(kind, TokenKind::Comma | TokenKind::Colon) || is_comment(*kind));
        end = range.end;
        match kind {
            TokenKind::Open => open.push((index, width, lines)),
            TokenKind::Close => {
                if let Some((opener, before, lines_before)) = open.pop()
                    && lines == lines_before
                {
                    widths[opener] = Some(width - before);
                }
            }
            _ => {}
        }
    }
    widths
}
