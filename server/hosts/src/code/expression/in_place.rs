//! Members of objects that are created in place, without a name.

use std::ops::Range;

use super::{ExpressionContext, Expressions};
use crate::code::static_value::StaticValue;
use crate::token::TokenKind;

/// The maximum number of tokens of the type of an object.
const MAX_TYPE: usize = 32;

impl Expressions<'_, '_> {
    /// The member of an object that is created here, not by a name, and the position after it:
    /// `new C("…").text()`, `[]string{"…"}[0]`, `(&c{}).Text()`.
    pub(super) fn member_in_place(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        let end = self.end_of_object(tokens.clone())?;
        let (members, next) = self.members_after(end..tokens.end);
        if members.is_empty() {
            return None;
        }
        let alone = ExpressionContext { is_operand: false, ..place };
        let known = self.member_of_value(tokens.start..end, &members, alone)?;
        Some(match place.is_operand {
            true => {
                let range = self.tokens.range(tokens.start..next);
                (StaticValue::Here(self.part(Some(known), range)), next)
            }
            false => (known, next),
        })
    }

    /// The end of an object that is created at the start of some tokens.
    fn end_of_object(&self, tokens: Range<usize>) -> Option<usize> {
        let is_bracket = |at: &usize| self.tokens.kind(*at) == Some(TokenKind::Open);
        let start = tokens.start;
        let limit = tokens.end.min(start + MAX_TYPE);
        if !self.grammar.has_typed_lists {
            let is_new = self.tokens.text(start) == "new" && self.grammar.keywords.contains(&"new");
            let open = (start..limit).find(is_bracket)?;
            let mut close = self.tokens.partner(open)?;
            // `new String[] {…}`
            while let Some(next) = self.tokens.closer(close + 1, "{").filter(|_| is_new) {
                close = next;
            }
            // `new Parser().read(…)`
            let parsers = self.grammar.loading.map_or(&[][..], |loading| loading.parsers);
            let parser = Some(close + 2).filter(|at| {
                self.tokens.text(at - 1) == "." && parsers.contains(&self.tokens.text(*at))
            });
            let parsed = parser.and_then(|parser| self.tokens.closer(parser + 1, "("));
            let end = parsed.or(Some(close).filter(|_| is_new))?;
            return Some(end + 1).filter(|end| *end <= tokens.end);
        }
        if self.tokens.text(start) == "(" {
            return Some(self.tokens.partner(start)? + 1);
        }
        let braces = self.tokens.at_depth(start..limit).take_while(|at| {
            self.tokens.is_word(*at) || matches!(self.tokens.text(*at), "." | "[" | "{" | "*" | "&")
        });
        let is_type = |at: &usize| {
            let before = at.checked_sub(1).map_or("", |before| self.tokens.text(before));
            self.tokens.text(*at) == "{" && !matches!(before, "struct" | "interface")
        };
        let open = braces.into_iter().find(is_type).filter(|open| *open > start)?;
        Some(self.tokens.partner(open)? + 1)
    }
}
