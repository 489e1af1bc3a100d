//! The result for an opening brace, and the text on which it depends.

use crate::fields::FieldEnds;
use crate::token::{Flaw, TokenKind};

/// Text to lex, possibly cut off at its end.
#[derive(Clone, Copy)]
pub(crate) struct Window<'a> {
    /// The bytes of the window; all offsets are relative to its start.
    pub bytes: &'a [u8],
    /// The text before it, for grammars with look-behind.
    pub before: LookBehind,
    /// `true` if the prompt ends with `bytes`.
    pub ends_prompt: bool,
    /// What is known about the ends of fields in `bytes`, for grammars that have them.
    pub ends: &'a FieldEnds,
}

impl Window<'_> {
    /// The byte at an offset; `None` at the end of the prompt or of the window.
    pub fn get(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// The text before the byte at `at`.
    pub fn before(&self, at: usize) -> LookBehind {
        let braces = self.bytes[..at].iter().rev().take_while(|&&byte| byte == b'{').count();
        match at - braces {
            0 => LookBehind { is_brace: braces > 0 || self.before.is_brace, ..self.before },
            run => LookBehind { byte: Some(self.bytes[run - 1]), is_brace: braces > 0 },
        }
    }

    /// The result for a candidate that reached the end of the window.
    pub fn at_end(&self, resume: usize) -> Candidate {
        if self.ends_prompt { Candidate::Nothing { resume } } else { Candidate::Undecided }
    }

    /// The result for a candidate without a closer in the window.
    pub fn without_closer(&self) -> Candidate {
        match self.ends_prompt {
            true => Candidate::Unclosed { resume: self.bytes.len() },
            false => Candidate::Undecided,
        }
    }

    /// `true` if the text at `at` is `literal`; `None` if the window is cut inside it.
    pub fn starts_with(&self, at: usize, literal: &[u8]) -> Option<bool> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        if rest.len() >= literal.len() {
            return Some(rest.starts_with(literal));
        }
        if self.ends_prompt || !literal.starts_with(rest) { Some(false) } else { None }
    }
}

/// The text before a position, as far as a grammar may look behind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LookBehind {
    /// The last byte that is no opening brace; `None` at the start of the prompt.
    pub byte: Option<u8>,
    /// `true` if there are opening braces between that byte and the position.
    pub is_brace: bool,
}

/// The result for an opening brace.
pub(crate) enum Candidate {
    /// A token starts here, and ends before `end`.
    Token { kind: TokenKind, end: usize, flaw: Option<Flaw> },
    /// Plain text. No token starts between here and `resume`.
    Nothing { resume: usize },
    /// Plain text, because there is no closer: no token starts between here and `resume`, but near
    /// misses may.
    Unclosed { resume: usize },
    /// The window ends too early to decide.
    Undecided,
}

impl Candidate {
    /// A token without flaws; `end` is the offset after it.
    pub fn token(kind: TokenKind, end: usize) -> Candidate {
        Candidate::Token { kind, end, flaw: None }
    }
}

/// `true` for bytes of names of letters, digits and underscores: `\w`, ASCII only.
pub(crate) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
