//! Calls of values that may be classes of a framework: `KINDS["plan"](…)`, `getattr(agents, kind)(…)`,
//! `kind(…)` with a parameter, `new kinds.plan(…)`; and objects that may be agents.

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

    /// Records the objects with these last tokens whose attributes the host sets, as far as they are
    /// items of lists, results of calls, and parameters: `root.sub_agents[0].instruction = "…"`.
    pub fn note_objects(&mut self, outline: &Outline<'_>, objects: &[usize]) {
        let tokens = self.tokens;
        let is_parameter = |at: usize| {
            let chain = tokens.callee(at + 1);
            let value = outline.value(outline.scope_at(at), tokens.text(at));
            let is_own = matches!(tokens.text(at), "self" | "this" | "cls");
            chain.len() == 1 && !is_own && matches!(value, Some((_, Value::Unknown)))
        };
        let are_agents = self.base_rows().next().is_some();
        let found = objects.iter().filter(|at| !tokens.is_word(**at) || is_parameter(**at));
        self.unknown_objects.extend(found.filter(|_| are_agents));
    }

    /// The classes of agents that the host imports.
    pub fn base_rows(&self) -> impl Iterator<Item = &'static Recogniser> {
        self.rows.iter().map(|row| self.table[*row]).filter(|row| row.is_base)
    }
}
