//! What an opening brace turns out to be, and the text from which that is told.

use crate::token::{Flaw, TokenKind};

/// Text to lex, perhaps cut off at its end.
#[derive(Clone, Copy)]
pub(crate) struct Window<'a> {
    /// The text.
    pub bytes: &'a [u8],
    /// What stands before it, for grammars that look behind.
    pub before: LookBehind,
    /// Whether the prompt ends where `bytes` end.
    pub ends_prompt: bool,
}

impl Window<'_> {
    /// The byte there; `None` where the prompt has ended or the window is cut.
    pub fn get(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// What stands before the byte at `at`.
    pub fn before(&self, at: usize) -> LookBehind {
        let braces = self.bytes[..at].iter().rev().take_while(|&&byte| byte == b'{').count();
        match at - braces {
            0 => LookBehind { is_brace: braces > 0 || self.before.is_brace, ..self.before },
            run => LookBehind { byte: Some(self.bytes[run - 1]), is_brace: braces > 0 },
        }
    }

    /// The answer for a candidate that ran into the end of the window.
    pub fn at_end(&self, resume: usize) -> Candidate {
        if self.ends_prompt { Candidate::Nothing { resume } } else { Candidate::Undecided }
    }

    /// The answer for a candidate whose closer is not in the window.
    pub fn without_closer(&self) -> Candidate {
        match self.ends_prompt {
            true => Candidate::Unclosed { resume: self.bytes.len() },
            false => Candidate::Undecided,
        }
    }

    /// Whether `literal` stands at `at`; `None` if the window is cut inside it.
    pub fn starts_with(&self, at: usize, literal: &[u8]) -> Option<bool> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        if rest.len() >= literal.len() {
            return Some(rest.starts_with(literal));
        }
        if self.ends_prompt || !literal.starts_with(rest) { Some(false) } else { None }
    }
}

/// What stands before a place, as far as a grammar may look behind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LookBehind {
    /// The last byte that is no opening brace; `None` where the prompt starts.
    pub byte: Option<u8>,
    /// Whether there are opening braces between that byte and the place.
    pub is_brace: bool,
}

/// What an opening brace turned out to be.
pub(crate) enum Candidate {
    /// A token starts here, and ends before `end`.
    Token { kind: TokenKind, end: usize, flaw: Option<Flaw> },
    /// Plain text. No token starts between here and `resume`.
    Nothing { resume: usize },
    /// Plain text, for want of a closer: no token starts between here and `resume`, but near
    /// misses may.
    Unclosed { resume: usize },
    /// The window ends too early to tell.
    Undecided,
}

impl Candidate {
    /// A token with nothing wrong.
    pub fn token(kind: TokenKind, end: usize) -> Candidate {
        Candidate::Token { kind, end, flaw: None }
    }
}

/// Whether a byte may stand in a name of letters, digits and underscores: `\w`, ASCII only.
pub(crate) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
