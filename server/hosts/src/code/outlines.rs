//! Outlines of hosts, one file per language.

mod braces;
mod go;
mod java;
mod kotlin;
mod python;
mod script;

use super::outline::Outline;
use super::tokens::Tokens;
use crate::language::Language;
use crate::token::TokenKind;
use braces::Braces;

/// The outline of a host; `None` for languages without an outline.
///
/// Cost: the number of tokens.
pub(crate) fn outline<'s>(tokens: &Tokens<'s>) -> Option<Outline<'s>> {
    match tokens.language {
        Language::Go => Some(go::outline(tokens)),
        Language::Java => Some(java::outline(tokens)),
        Language::Kotlin => Some(kotlin::outline(tokens)),
        Language::Python => Some(python::outline(tokens)),
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            Some(script::outline(tokens))
        }
        _ => None,
    }
}

/// Reads the outline of a language in which the start of a token decides where a statement begins.
trait StatementReader<'t, 's: 't> {
    fn braces(&mut self) -> &mut Braces<'t, 's>;

    /// `true` if a token starts a statement.
    fn starts_statement(tokens: &Tokens<'s>, at: usize) -> bool;

    /// Reads a bracket that opens.
    fn open(&mut self, at: usize);

    /// Reads a token that is neither the end of a bracket or a statement, nor an opening bracket.
    fn token(&mut self, at: usize);

    /// Reads a token as a whole, before everything else; `false` for most tokens.
    fn is_read_first(&mut self, _at: usize) -> bool {
        false
    }

    /// Reads all tokens, in order.
    fn read_all(&mut self, tokens: &Tokens<'s>) {
        for at in 0..tokens.all.len() {
            if self.braces().pass(at, Self::starts_statement) || self.is_read_first(at) {
                continue;
            }
            match tokens.kind(at) {
                Some(TokenKind::Open) => self.open(at),
                _ => self.token(at),
            }
        }
    }
}
