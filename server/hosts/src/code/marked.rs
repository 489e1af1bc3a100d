//! Assignment of mark comments to literals, and the expressions that these start.

use std::ops::Range;

use super::outline::Outline;
use super::tokens::Tokens;
use crate::marks::{self, Mark};
use crate::token::TokenKind;
use crate::unread::Unread;

/// The possible line endings between a mark and its literal.
const CONTINUES: [&str; 8] = ["(", "[", "{", "=", ",", "+", ":", "\\"];

/// The maximum number of examined expressions around a literal.
const MAX_AROUND: usize = 8;

/// All marks with a literal, and the token of the literal.
///
/// Cost: the comments, and for each mark the lines up to its literal.
pub(crate) fn marked(tokens: &Tokens<'_>) -> Vec<(Mark, usize)> {
    let mark = |comment: Range<usize>| {
        let mark = marks::mark(&tokens.source[comment.clone()])?;
        Some((mark, literal_of(tokens, comment)?))
    };
    tokens.comments.iter().filter_map(|comment| mark(comment.range())).collect()
}

/// The comments that are just a mark without effect: its dialect does not exist, or no literal
/// follows it.
///
/// Cost: the comments, and for each mark the lines up to its literal.
pub(crate) fn without_effect(tokens: &Tokens<'_>) -> Vec<Unread> {
    let unread = |comment: Range<usize>| {
        let mark = marks::only_mark(&tokens.source[comment.clone()])?;
        if marks::mark(mark).is_none() {
            return Some(marks::unknown(mark, comment));
        }
        let reason =
            "no string follows this mark, so it has no effect; it belongs on the line above";
        literal_of(tokens, comment.clone()).is_none().then(|| Unread::new(comment, reason))
    };
    tokens.comments.iter().filter_map(|comment| unread(comment.range())).collect()
}

/// The literal that a comment refers to.
fn literal_of(tokens: &Tokens<'_>, comment: Range<usize>) -> Option<usize> {
    let first = tokens.at_or_after(comment.end);
    let start = tokens.all.get(first)?.start as usize;
    let lines = tokens.lines_between(comment.end, start.max(comment.end));
    let before = tokens.source[..comment.start].trim_end_matches([' ', '\t']);
    let is_alone = before.is_empty() || before.ends_with(['\n', '\r', '\u{FEFF}']);
    if lines > 1 || (lines == 1 && !is_alone) {
        return None;
    }
    for token in first..tokens.all.len() {
        if token > first && tokens.starts_line(token) {
            let is_open = lines == 1 && continues(tokens, token);
            if !is_open {
                return None;
            }
        }
        if tokens.is_literal(token) {
            return Some(token);
        }
    }
    None
}

/// `true` if the line before that of a token ends with a token that continues a statement.
fn continues(tokens: &Tokens<'_>, token: usize) -> bool {
    let Some(before) = token.checked_sub(1) else { return false };
    let end = tokens.all[before].end as usize;
    let behind = tokens.source[end..].trim_start_matches([' ', '\t']);
    CONTINUES.contains(&tokens.text(before)) || behind.starts_with('\\')
}

/// The expressions that a literal may start, the widest first.
pub(crate) fn around(
    tokens: &Tokens<'_>,
    outline: &Outline<'_>,
    literal: usize,
) -> Vec<Range<usize>> {
    let all = 0..tokens.all.len();
    let statement = outline.statement_at(literal).map_or(all, |it| it.tokens.clone());
    let mut expressions = Vec::new();
    let mut inner = literal;
    while expressions.len() < MAX_AROUND {
        let mut start = inner;
        while let Some(before) = tokens.previous(start).filter(|it| *it >= statement.start) {
            // The enclosing bracket, and not that of a preceding pair.
            let is_around = tokens.kind(start - 1) == Some(TokenKind::Open);
            if is_around || is_edge(tokens, before) {
                break;
            }
            start = before;
        }
        let mut end = inner;
        while end < statement.end && !is_edge(tokens, end) || end == inner {
            end = tokens.next(end);
        }
        expressions.push(start..end.min(statement.end));
        let is_first = (start..literal).all(|token| !tokens.is_literal(token));
        match start.checked_sub(1) {
            Some(open) if is_first && tokens.partner(open).is_some_and(|it| it > literal) => {
                inner = open;
            }
            _ => break,
        }
    }
    expressions.reverse();
    expressions
}

/// `true` if an expression does not extend beyond a token.
fn is_edge(tokens: &Tokens<'_>, token: usize) -> bool {
    match tokens.kind(token) {
        Some(TokenKind::Punctuation) => {
            matches!(tokens.text(token), "," | "=" | ":" | ":=" | ";" | "->" | "?" | "?:")
        }
        Some(TokenKind::Close) => true,
        Some(TokenKind::Open) => tokens.partner(token).is_none(),
        Some(TokenKind::Word) => tokens.text(token) == "return",
        _ => false,
    }
}
