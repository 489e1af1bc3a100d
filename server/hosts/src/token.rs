//! What a scanner finds in source code: literals, comments, words and brackets, nothing more of a
//! grammar.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name, a keyword or a number: letters, digits and what else the language takes for one.
    Word,
    /// A string with its prefix and quotes, whatever is nested in it; also one of bytes, and one
    /// that ends too early.
    Literal,
    /// A comment with its marks, without the line end behind it.
    Comment,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// Any other character or operator of the language that matters as one, like `:=` and `->`.
    Punctuation,
    /// What is text of another kind and never a string: a regular expression, JSX, a character.
    Other,
}

/// A token and its place in the source, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// All tokens of a source, in order; blanks stand between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scan {
    pub tokens: Vec<Token>,
    /// Where a literal or comment starts that the end of the source cuts off: what stands behind
    /// it is not what it seems.
    pub unclosed: Option<usize>,
}
