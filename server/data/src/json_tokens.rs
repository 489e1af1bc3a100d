//! The tokens of JSON with comments.

use std::ops::Range;

use jsonc_parser::tokens::Token as Scanned;
use jsonc_parser::{Scanner, ScannerOptions};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// An opening bracket: `{` or `[`.
    Open,
    /// A closing bracket: `}` or `]`.
    Close,
    /// A comma, also a trailing one.
    Comma,
    /// A colon between a key and its value.
    Colon,
    /// A comment up to the line end: `// …`.
    LineComment,
    /// A comment between `/*` and `*/`, possibly with line ends.
    BlockComment,
    /// A string, a number, or a word.
    Scalar,
}

/// A token and its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonToken {
    /// The kind of the token.
    pub kind: TokenKind,
    /// Its range in bytes; for a comment, without the line end.
    pub range: Range<usize>,
}

/// The tokens of a text, in order; `None` if it contains anything else between them.
///
/// Cost: its length.
pub fn tokens(text: &str) -> Option<Vec<JsonToken>> {
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
        tokens.push(JsonToken { kind, range });
    }
    Some(tokens)
}
