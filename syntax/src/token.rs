//! What the lexer finds in a prompt.

/// The kinds of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockKind {
    /// `{{#if path}} … {{/if}}`
    If,
    /// `{{#each path}} … {{/each}}`
    Each,
}

impl BlockKind {
    /// The word in its tags.
    pub const fn keyword(self) -> &'static str {
        match self {
            BlockKind::If => "if",
            BlockKind::Each => "each",
        }
    }
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenKind {
    /// The engine looks its name up.
    Placeholder,
    /// The same, and a missing value is fine.
    Optional,
    /// The engine makes literal braces of it.
    Escape,
    /// Opens a block.
    BlockOpen(BlockKind),
    /// Closes a block.
    BlockClose(BlockKind),
    /// Literal text that looks as if it was meant as a placeholder.
    NearMiss,
    /// Literal text that is a tag of another template language.
    Foreign,
}

impl TokenKind {
    /// Whether it opens or closes a block.
    pub const fn is_block_tag(self) -> bool {
        matches!(self, TokenKind::BlockOpen(_) | TokenKind::BlockClose(_))
    }

    /// Whether the engine looks a name up here: a placeholder or a block's path.
    pub const fn reads(self) -> bool {
        matches!(self, TokenKind::Placeholder | TokenKind::Optional | TokenKind::BlockOpen(_))
    }
}

/// What is wrong with a token because of the text right beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Flaw {
    /// It has more braces at one end than at the other, and all of them go with it.
    UnevenBraces,
    /// An escape that comes out wrong because a word or another escape follows at once.
    TouchesWord,
}

/// A piece of a prompt that is not plain text. Offsets are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it starts.
    pub start: usize,
    /// How long it is.
    pub len: usize,
    /// What it is.
    pub kind: TokenKind,
    /// What is wrong with it.
    pub flaw: Option<Flaw>,
}

impl Token {
    /// The byte after its last one.
    pub const fn end(&self) -> usize {
        self.start + self.len
    }

    /// All of it, braces included.
    pub const fn range(&self) -> std::ops::Range<usize> {
        self.start..self.end()
    }
}
