//! What an opening brace turns out to be, and the text from which that is told.

use crate::token::{Flaw, TokenKind};

/// Text to lex, perhaps cut off at its end.
#[derive(Clone, Copy)]
pub(crate) struct Window<'a> {
    /// The text.
    pub bytes: &'a [u8],
    /// The byte before it; `None` where the prompt starts.
    pub before: Option<u8>,
    /// Whether the prompt ends where `bytes` end.
    pub ends_prompt: bool,
}

impl Window<'_> {
    /// The byte there; `None` where the prompt has ended or the window is cut.
    pub fn get(&self, at: usize) -> Option<u8> {
        self.bytes.get(at).copied()
    }

    /// The byte before the one at `at`; `None` where the prompt starts.
    pub fn get_before(&self, at: usize) -> Option<u8> {
        match at.checked_sub(1) {
            Some(before) => self.get(before),
            None => self.before,
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
