//! Calls of values that may be classes of a framework: `KINDS["plan"](…)`, `getattr(agents, kind)(…)`,
//! `kind(…)` with a parameter, `new kinds.plan(…)`.

use super::Callees;
use crate::code::outline::{Outline, Value};
use crate::code::recogniser::Recogniser;

impl Callees<'_, '_> {
    /// Records the call with this bracket, which no row has, if its callee is a value that is not
    /// followed.
    pub fn note_value(&mut self, outline: &Outline<'_>, open: usize) {
        let (tokens, chain) = (self.tokens, self.tokens.callee(open));
        let is_value = match chain.split_first() {
            None => open > 0 && matches!(tokens.text(open - 1), "]" | ")"),
            Some((head, members)) => match outline.value(outline.scope_at(open), head) {
                Some((_, Value::Expression(value))) => {
                    members.is_empty() || tokens.text(value.start) == "{"
                }
                Some((_, Value::Import(_) | Value::Function(_))) | None => false,
                Some(_) => members.is_empty(),
            },
        };
        self.values.extend((is_value && self.has_any()).then_some(open));
    }

    /// The classes of agents that the host imports.
    pub fn base_rows(&self) -> impl Iterator<Item = &'static Recogniser> {
        self.rows.iter().map(|row| self.table[*row]).filter(|row| row.is_base)
    }
}
