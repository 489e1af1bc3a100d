//! Reading of languages with braces, token by token.

use super::braces::Braces;
use crate::code::tokens::Tokens;
use crate::token::TokenKind;

/// Reads the outline of a language in which the start of a token decides where a statement begins.
pub(super) trait StatementReader<'t, 's: 't> {
    fn braces(&mut self) -> &mut Braces<'t, 's>;

    /// Reads a bracket that opens, with its partner.
    fn open(&mut self, open: usize, close: usize);

    /// Reads a token that is neither the end of a bracket or a statement, nor an opening bracket.
    fn token(&mut self, at: usize);

    /// Reads a token as a whole, before everything else; `false` for most tokens.
    fn is_read_first(&mut self, _at: usize) -> bool {
        false
    }

    /// Reads all tokens, in order; a token starts a statement if the function returns `true`.
    fn read_all(
        &mut self,
        tokens: &Tokens<'s>,
        starts_statement: impl Fn(&Tokens<'s>, usize) -> bool + Copy,
    ) {
        for at in 0..tokens.all.len() {
            if self.braces().pass(at, starts_statement) || self.is_read_first(at) {
                continue;
            }
            match tokens.kind(at) {
                Some(TokenKind::Open) => {
                    if let Some(close) = tokens.partner(at) {
                        self.open(at, close);
                    }
                }
                _ => self.token(at),
            }
        }
    }
}
