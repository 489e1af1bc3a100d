//! JSON with comments: a line for each entry, but what somebody has put into one line stays there.

use promptls_data::json_tokens::{Token, TokenKind, tokens};

use super::gaps::{Gap, Gaps};
use super::indentation::Indentation;
use crate::readers::writing::Replacement;

/// How long a line may become in a text that is a single one, in characters. Where somebody has
/// made lines, long ones are meant: a table of variables has one for each.
const WIDTH: usize = 100;

fn is_comment(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::LineComment | TokenKind::BlockComment)
}

/// The changes that lay out a text that parses, in order; `None` if it cannot be cut into pieces.
pub fn changes(text: &str, indentation: Indentation) -> Option<Vec<Replacement>> {
    let pieces = tokens(text)?;
    let flat = flat_widths(text, &pieces);
    let most = if is_one_line(text, &pieces) { WIDTH } else { usize::MAX };
    let mut gaps = Gaps::new(text, indentation);
    // Whether each object or list around the next piece is written in lines.
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
                // One more, for the comma behind it.
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

/// Whether a text has no lines, as programs write it.
fn is_one_line(text: &str, pieces: &[Token]) -> bool {
    let ends = pieces.first().zip(pieces.last());
    ends.is_none_or(|(first, last)| !text[first.range.start..last.range.end].contains('\n'))
}

/// What is to stand between a piece of some kind and those that are still to come.
fn gap(gaps: &Gaps<'_>, around: &[bool], last: TokenKind, rest: &[Token], text: &str) -> Gap {
    let next = &rest[0];
    let written = gaps.breaks_before(next.range.start);
    let is_in_lines = around.last().copied().unwrap_or(true);
    let level = around.len() - usize::from(next.kind == TokenKind::Close);
    // An empty line between two entries says something.
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
        // Two values follow each other nowhere in what parses.
        _ => Gap::Kept,
    }
}

/// Whether a comment is about what follows it, in its line.
fn leads(last: TokenKind, rest: &[Token], text: &str) -> bool {
    let [comment, next, ..] = rest else { return false };
    let is_first = matches!(last, TokenKind::Open | TokenKind::Comma);
    let is_beside = !text[comment.range.end..next.range.start].contains('\n');
    is_first
        && is_beside
        && comment.kind == TokenKind::BlockComment
        && matches!(next.kind, TokenKind::Scalar | TokenKind::Open)
}

/// How many characters it takes to write each object and list in one line, behind its bracket;
/// `None` for one that stands in several, and for what opens nothing.
///
/// Cost: the text, because each is added up from its ends.
fn flat_widths(text: &str, pieces: &[Token]) -> Vec<Option<usize>> {
    let mut widths = vec![None; pieces.len()];
    // Where each open one starts: its piece, and how much was written, in characters and lines.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    let (mut width, mut lines, mut end) = (0, 0, 0);
    for (index, Token { kind, range }) in pieces.iter().enumerate() {
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
