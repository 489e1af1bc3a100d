//! Names of texts without their own name.

use super::Host;
use crate::code::calls::{self, ArgumentText, Call, CallKind};
use crate::code::grammars::grammar;
use crate::code::outline::ScopeKind;
use crate::code::recogniser::NamedBy;
use crate::names;

impl Host<'_, '_> {
    /// The name of the agent that a call creates or configures.
    pub(super) fn agent_of(&mut self, call: &Call) -> Option<String> {
        let name = match call.recogniser.name? {
            NamedBy::Argument(keyword) => {
                let argument = call.argument(keyword, None).cloned()?;
                self.expressions.text(argument.value, 0)
            }
            NamedBy::CallAround(keyword) => self.name_around(call.around?, keyword),
            NamedBy::Prompt(_) => None,
        };
        name.filter(|name| !name.is_empty())
    }

    /// The name of a text of a call.
    pub(super) fn name_of(
        &mut self,
        call: &Call,
        text: &ArgumentText<'_>,
        agent: Option<&str>,
    ) -> String {
        let suffix = match call.recogniser.name {
            Some(NamedBy::CallAround(_)) => self.suffix_around(call),
            _ => text.parameter.suffix,
        };
        let name = match (agent, &call.kind) {
            (Some(agent), _) => agent.to_owned(),
            (None, CallKind::Fields(class)) => class.clone(),
            (None, _) => {
                let start = call.tokens.start;
                let is_set = call.kind == CallKind::Factory
                    && self.tokens.text(start + 1) == "."
                    && self.tokens.text(start + 2) == text.parameter.keyword
                    && self.tokens.text(start + 3).ends_with('=');
                let stored = self.stored_name(call);
                // An index follows the name of a list.
                let index = self.tokens.partner(start).and_then(|open| open.checked_sub(1));
                let variable = self.tokens.text(index.unwrap_or(start));
                let variable = is_set.then(|| variable.to_owned());
                stored.or(variable).unwrap_or_else(|| self.name_at(start))
            }
        };
        let role = text.role.map(|role| format!(".{role}"));
        name + suffix + &role.unwrap_or_default()
    }

    /// The name that a call gives its prompt in a store.
    fn stored_name(&mut self, call: &Call) -> Option<String> {
        let NamedBy::Prompt(keyword) = call.recogniser.name? else { return None };
        let argument = call.argument(keyword, Some(0)).cloned()?;
        let name = self.expressions.text(argument.value, 0);
        name.filter(|name| !name.is_empty())
    }

    /// The name that the call with this bracket sets. Cached, because many calls may be nested in
    /// one.
    fn name_around(&mut self, open: usize, keyword: &str) -> Option<String> {
        if let Some(name) = self.names_around.get(&open) {
            return name.clone();
        }
        let argument = calls::argument_of(self.tokens, open, keyword);
        let name = argument.and_then(|it| self.expressions.text(it.value, 0));
        self.names_around.insert(open, name.clone());
        name
    }

    /// The suffix from the name of an enclosing call.
    fn suffix_around(&self, call: &Call) -> &'static str {
        let mut start = call.tokens.start;
        while start > 1 && self.tokens.text(start - 1) == "." && self.tokens.is_word(start - 2) {
            start -= 2;
        }
        let is_argument = start > 1 && self.tokens.text(start - 1) == "=";
        match is_argument.then(|| self.tokens.text(start - 2)) {
            Some("globalInstruction") => ".globalInstruction",
            _ => "",
        }
    }

    /// The name of a text at a token: the target of its statement, or of an enclosing one, or the
    /// enclosing function, or the class of a constructor.
    pub(super) fn name_at(&self, token: usize) -> String {
        let mut around = self.outline.outwards(self.outline.scope_at(token));
        let is_function = |it: &usize| self.outline.scopes[*it].kind == ScopeKind::Function;
        let function = around.find(is_function).map(|it| &self.outline.scopes[it]);
        // A variable for the function as a whole does not name a text inside it.
        let start = function.map_or(0, |it| it.tokens.start);
        let mut statements = self.outline.statements_around(token);
        let target = statements.find_map(|it| it.target.filter(|_| it.tokens.start >= start));
        match (target, function) {
            (Some(target), _) => self.tokens.text(target).to_owned(),
            (None, Some(function)) => {
                let is_constructor =
                    grammar(self.tokens.language).constructor == Some(function.name);
                let class = function.parent.filter(|_| is_constructor);
                let class = class.and_then(|class| self.outline.class_name(class));
                class.unwrap_or(function.name).to_owned()
            }
            (None, None) => names::NAMELESS.to_owned(),
        }
    }
}
