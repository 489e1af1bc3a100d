//! TOML: spaces around `=` and after commas, and multi-line lists are indented. Line breaks stay in
//! place.

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use super::gaps::{Gap, Gaps};
use super::indentation::Indentation;
use crate::readers::writing::Replacement;

/// The kind of enclosing brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// The header of a table: `[prompts]`, `[[prompts]]`.
    Header,
    List,
    Table,
}

/// The changes that lay out a text that parses, in order.
pub fn changes(text: &str, indentation: Indentation) -> Vec<Replacement> {
    let mut gaps = Gaps::new(text, indentation);
    let mut around: Vec<Inside> = Vec::new();
    let mut last = None;
    for token in Source::new(text).lex() {
        let (kind, span) = (token.kind(), token.span());
        if matches!(kind, TokenKind::Whitespace | TokenKind::Newline | TokenKind::Eof) {
            continue;
        }
        let breaks = gaps.breaks_before(span.start());
        gaps.put(gap(&around, last, kind, breaks), span.start()..span.end());
        match kind {
            TokenKind::LeftSquareBracket => around.push(match around.last() {
                None if last.is_none() || breaks > 0 => Inside::Header,
                Some(Inside::Header) => Inside::Header,
                _ => Inside::List,
            }),
            TokenKind::LeftCurlyBracket => around.push(Inside::Table),
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => drop(around.pop()),
            _ => {}
        }
        last = Some(kind);
    }
    if last.is_none() { Vec::new() } else { gaps.finish() }
}

/// The gap before a token that follows this number of line breaks.
fn gap(around: &[Inside], last: Option<TokenKind>, next: TokenKind, breaks: usize) -> Gap {
    let opens = |kind| matches!(kind, TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket);
    let closes = matches!(next, TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket);
    let Some(last) = last else { return Gap::Nothing };
    if breaks > 0 {
        let level = around.len() - usize::from(closes);
        // Top-level empty lines are kept; elsewhere at most one is.
        let most = match around {
            [] => breaks,
            _ if opens(last) || closes => 1,
            _ => 2,
        };
        return Gap::Lines { breaks: breaks.min(most), level };
    }
    match (around.last(), last, next) {
        (_, _, TokenKind::Comment) => Gap::Kept,
        (Some(Inside::Header), ..) | (_, TokenKind::Dot, _) | (_, _, TokenKind::Dot) => {
            Gap::Nothing
        }
        (_, TokenKind::Equals, _) | (_, _, TokenKind::Equals) => Gap::Blank,
        (_, _, TokenKind::Comma) => Gap::Nothing,
        (Some(Inside::List), last, _) if opens(last) || closes => Gap::Nothing,
        (Some(Inside::Table), last, _) if opens(last) && closes => Gap::Nothing,
        (Some(_), last, _) if opens(last) || closes || last == TokenKind::Comma => Gap::Blank,
        // A date and its time.
        _ => Gap::Kept,
    }
}
