//! Reading of languages with braces, token by token.

use super::braces::Braces;
use crate::code::tokens::Tokens;
use crate::token::TokenKind;

/// Reads the outline of a language in which the start of a token decides where a statement begins.
pub(super) trait StatementReader<'t, 's: 't> {
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
