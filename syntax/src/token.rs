//! The tokens of a prompt.

/// The kinds of block; a dialect may support none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockKind {
    /// `{{#if path}} … {{/if}}`
    If,
    /// `{{#each path}} … {{/each}}`
    Each,
}

impl BlockKind {
    /// The keyword in its tags.
    pub const fn keyword(self) -> &'static str {
        match self {
            BlockKind::If => "if",
            BlockKind::Each => "each",
        }
    }
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenKind {
    /// A name that the engine looks up.
    Placeholder,
    /// A name that the engine looks up, and whose value may be missing.
    Optional,
    /// Syntax for literal braces, such as `{{name}}` in AgentEnsemble.
    Escape,
    /// Opens a block; without a closer, it is literal text.
    BlockOpen(BlockKind),
    /// Closes a block; without an opener, it is literal text.
    BlockClose(BlockKind),
    /// Text at which the engine raises an error.
    Malformed,
    /// Literal text that resembles a placeholder.
    NearMiss,
    /// Literal text that is a tag of another template language.
    Foreign,
}

impl TokenKind {
    /// `true` if it opens or closes a block.
    pub const fn is_block_tag(self) -> bool {
        matches!(self, TokenKind::BlockOpen(_) | TokenKind::BlockClose(_))
    }

    /// `true` if the engine neither replaces it nor removes anything of it.
    pub const fn is_text(self) -> bool {
        matches!(self, TokenKind::NearMiss | TokenKind::Foreign | TokenKind::Malformed)
    }

    /// `true` if the engine looks up a name here: a placeholder or a block's path.
    pub const fn reads(self) -> bool {
        matches!(self, TokenKind::Placeholder | TokenKind::Optional | TokenKind::BlockOpen(_))
    }
}

/// A flaw of a token because of adjacent text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Flaw {
    /// It has more braces at one end than at the other, and all of them belong to it.
    UnevenBraces,
    /// An escape that is resolved wrongly because a word or another escape directly follows.
    TouchesWord,
    /// A format specification with fields of its own. That is none, but its names count.
    NestedFields,
}

/// A part of a prompt that is not plain text. Offsets are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The offset of its start.
    pub start: usize,
    /// Its length in bytes, braces included.
    pub len: usize,
    /// The kind of the token.
    pub kind: TokenKind,
    /// The flaw of the token.
    pub flaw: Option<Flaw>,
}

impl Token {
    /// The offset after its last byte.
    pub const fn end(&self) -> usize {
        self.start + self.len
    }

    /// The whole range, braces included.
    pub const fn range(&self) -> std::ops::Range<usize> {
        self.start..self.end()
    }
}
