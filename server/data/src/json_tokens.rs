//! The tokens of JSON, with comments.

use std::ops::Range;

use jsonc_parser::tokens::Token as Scanned;
use jsonc_parser::{Scanner, ScannerOptions};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `{` or `[`
    Open,
    /// `}` or `]`
    Close,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `// …`
    LineComment,
    /// `/* … */`
    BlockComment,
    /// A string, a number, a word.
    Scalar,
}

/// A token and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// In bytes; of a comment, without the end of its line.
    pub range: Range<usize>,
}

/// The tokens of a text, in order; `None` for a text with anything else between them.
///
/// Cost: its length.
pub fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut scanner = Scanner::new(text, &ScannerOptions::default());
    let mut tokens = Vec::new();
    while let Some(scanned) = scanner.scan().ok()? {
        let kind = match scanned {
            Scanned::OpenBrace | Scanned::OpenBracket => TokenKind::Open,
            Scanned::CloseBrace | Scanned::CloseBracket => TokenKind::Close,
            Scanned::Comma => TokenKind::Comma,
            Scanned::Colon => TokenKind::Colon,
            Scanned::CommentLine(_) => TokenKind::LineComment,
            Scanned::CommentBlock(_) => TokenKind::BlockComment,
            Scanned::String(_)
            | Scanned::Word(_)
            | Scanned::Boolean(_)
            | Scanned::Number(_)
            | Scanned::Null => TokenKind::Scalar,
        };
        let mut range = scanner.token_start()..scanner.token_end();
        if kind == TokenKind::LineComment {
            range.end = range.start + text[range.clone()].trim_end().len();
        }
        tokens.push(Token { kind, range });
    }
    Some(tokens)
}
