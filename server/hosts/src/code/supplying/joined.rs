//! Templates that are joined with others by an operator: `PromptTemplate.from_template("…") + "…"`,
//! `chat + ("human", "…")`.

use super::contracts::Contracts;
use crate::code::calls::Call;
use crate::code::outline::Value;

/// The signs of Python that join a template with another one, or with a text.
const JOINS: [&str; 2] = ["+", "+="];

impl Contracts<'_, '_> {
    /// The sign that joins the template of a call with another one, directly or through the variable
    /// that it is assigned to.
    ///
    /// Cost: the uses of the variable.
    pub(crate) fn joined(&self, call: &Call) -> Option<usize> {
        call.recogniser.methods?;
        let mut start = self.head(call);
        let behind = self.methods_behind(call.tokens.end);
        let mut end = behind.last().map_or(call.tokens.end, |method| method.close + 1);
        while let Some(open) = start.checked_sub(1).filter(|open| {
            self.tokens.closer(*open, "(") == Some(end)
                && !self.tokens.is_word(open.wrapping_sub(1))
        }) {
            (start, end) = (open, end + 1);
        }
        if let Some(sign) = self.join_at(start, end) {
            return Some(sign);
        }
        let target = self.outline.statement_at(start)?.target?;
        let (scope, value) =
            self.outline.value(self.outline.scope_at(target), self.tokens.text(target))?;
        if *value != Value::Expression(start..end) {
            return None;
        }
        let mut uses = self.maps.uses(scope, self.tokens.text(target));
        uses.find_map(|place| self.join_at(place, place + 1))
    }

    /// The sign of a join before or after an operand.
    fn join_at(&self, start: usize, end: usize) -> Option<usize> {
        let before = start.checked_sub(1).filter(|sign| self.tokens.text(*sign) == JOINS[0]);
        before.or_else(|| Some(end).filter(|sign| JOINS.contains(&self.tokens.text(*sign))))
    }
}
