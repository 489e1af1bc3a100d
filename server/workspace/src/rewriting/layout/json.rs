//! JSON with comments: a line for each entry, but what somebody has put into one line stays there.

use std::ops::Range;

use jsonc_parser::tokens::Token;
use jsonc_parser::{Scanner, ScannerOptions};

use super::gaps::{Gap, Gaps};
use super::indentation::Indentation;
use crate::readers::writing::Replacement;

/// How long a line may become in a text that is a single one, in characters. Where somebody has
/// made lines, long ones are meant: a table of variables has one for each.
const WIDTH: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Open,
    Close,
    Comma,
    Colon,
    LineComment,
    BlockComment,
    Value,
}

impl Kind {
    fn is_comment(self) -> bool {
        matches!(self, Kind::LineComment | Kind::BlockComment)
    }
}

struct Piece {
    kind: Kind,
    range: Range<usize>,
}

/// The changes that lay out a text that parses, in order; `None` if it cannot be cut into pieces.
pub fn changes(text: &str, indentation: Indentation) -> Option<Vec<Replacement>> {
    let pieces = pieces(text)?;
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
            Kind::Open => {
                let is_outer_in_lines = around.last().copied().unwrap_or(true);
                // One more, for the comma behind it.
                let fits =
                    flat[index].is_some_and(|flat| gaps.column().saturating_add(flat) < most);
                around.push(is_outer_in_lines && !fits);
            }
            Kind::Close => drop(around.pop()),
            _ => {}
        }
        last = Some(piece.kind);
    }
    Some(if pieces.is_empty() { Vec::new() } else { gaps.finish() })
}

/// Whether a text has no lines, as programs write it.
fn is_one_line(text: &str, pieces: &[Piece]) -> bool {
    let ends = pieces.first().zip(pieces.last());
    ends.is_none_or(|(first, last)| !text[first.range.start..last.range.end].contains('\n'))
}

/// What is to stand between a piece of some kind and those that are still to come.
fn gap(gaps: &Gaps<'_>, around: &[bool], last: Kind, rest: &[Piece], text: &str) -> Gap {
    let next = &rest[0];
    let written = gaps.breaks_before(next.range.start);
    let is_in_lines = around.last().copied().unwrap_or(true);
    let level = around.len() - usize::from(next.kind == Kind::Close);
    // An empty line between two entries says something.
    let may_be_apart = last != Kind::Open && next.kind != Kind::Close;
    let lines = Gap::Lines { breaks: if may_be_apart { written.clamp(1, 2) } else { 1 }, level };
    match (last, next.kind) {
        (Kind::LineComment, _) => lines,
        (_, kind) if kind.is_comment() => {
            match written > 0 || is_in_lines && leads(last, rest, text) {
                true => lines,
                false => Gap::Kept,
            }
        }
        (_, Kind::Comma | Kind::Colon) | (Kind::Open, Kind::Close) => Gap::Nothing,
        (Kind::Colon, _) => Gap::Blank,
        (Kind::BlockComment, _) if written == 0 => Gap::Blank,
        (Kind::Open | Kind::Comma | Kind::BlockComment, _) | (_, Kind::Close) => {
            match is_in_lines {
                true => lines,
                false if last == Kind::Comma && next.kind != Kind::Close => Gap::Blank,
                false => Gap::Nothing,
            }
        }
        // Two values follow each other nowhere in what parses.
        _ => Gap::Kept,
    }
}

/// Whether a comment is about what follows it, in its line.
fn leads(last: Kind, rest: &[Piece], text: &str) -> bool {
    let [comment, next, ..] = rest else { return false };
    let is_first = matches!(last, Kind::Open | Kind::Comma);
    let is_beside = !text[comment.range.end..next.range.start].contains('\n');
    is_first
        && is_beside
        && comment.kind == Kind::BlockComment
        && matches!(next.kind, Kind::Value | Kind::Open)
}

fn pieces(text: &str) -> Option<Vec<Piece>> {
    let mut scanner = Scanner::new(text, &ScannerOptions::default());
    let mut pieces = Vec::new();
    while let Some(token) = scanner.scan().ok()? {
        let kind = match token {
            Token::OpenBrace | Token::OpenBracket => Kind::Open,
            Token::CloseBrace | Token::CloseBracket => Kind::Close,
            Token::Comma => Kind::Comma,
            Token::Colon => Kind::Colon,
            Token::CommentLine(_) => Kind::LineComment,
            Token::CommentBlock(_) => Kind::BlockComment,
            Token::String(_)
            | Token::Word(_)
            | Token::Boolean(_)
            | Token::Number(_)
            | Token::Null => Kind::Value,
        };
        let mut range = scanner.token_start()..scanner.token_end();
        if kind == Kind::LineComment {
            // What ends its line belongs to the gap.
            range.end = range.start + text[range.clone()].trim_end().len();
        }
        pieces.push(Piece { kind, range });
    }
    Some(pieces)
}

/// How many characters it takes to write each object and list in one line, behind its bracket;
/// `None` for one that stands in several, and for what opens nothing.
///
/// Cost: the text, because each is added up from its ends.
fn flat_widths(text: &str, pieces: &[Piece]) -> Vec<Option<usize>> {
    let mut widths = vec![None; pieces.len()];
    // Where each open one starts: its piece, and how much was written, in characters and lines.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    let (mut width, mut lines, mut end) = (0, 0, 0);
    for (index, Piece { kind, range }) in pieces.iter().enumerate() {
        lines += memchr::memchr_iter(b'\n', &text.as_bytes()[end..range.end]).count();
        width += text[range.clone()].chars().count();
        width += usize::from(matches!(kind, Kind::Comma | Kind::Colon) || kind.is_comment());
        end = range.end;
        match kind {
            Kind::Open => open.push((index, width, lines)),
            Kind::Close => {
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
