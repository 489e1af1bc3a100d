//! The tokens of source code: literals, comments, words and brackets, without further grammar.

use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name, a keyword or a number: letters, digits and other word characters of the language.
    Word,
    /// A string with its prefix and quotes, including everything nested in it; also one of bytes,
    /// and one that is cut off.
    Literal,
    /// A comment with its delimiters, without the line end after it.
    Comment,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// Any other character, or a relevant operator of the language, such as `:=` and `->`.
    Punctuation,
    /// Other text that is never a string: a regular expression, JSX, a character.
    Other,
}

/// A token and its range in the source, in bytes.
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

/// All tokens of a source, in order; only whitespace is between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scan {
    pub tokens: Vec<Token>,
    /// The start of a literal or comment that is cut off by the end of the source: the code after
    /// it is unreliable.
    pub unclosed: Option<usize>,
    /// The start of the first literal that its line ends in code nested in it, which may look
    /// closed.
    pub cut_off: Option<usize>,
}
