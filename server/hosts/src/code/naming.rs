//! What texts are called that have no name of their own.

use super::Host;
use super::calls::{self, Call};
use super::outline::ScopeKind;
use super::recogniser::{NamedBy, Parameter};
use crate::names;

impl Host<'_, '_> {
    /// The name of the agent that a call makes, or is about.
    pub(super) fn agent_of(&mut self, call: &Call) -> Option<String> {
        let said = match call.recogniser.name? {
            NamedBy::Argument(keyword) => {
                let argument = call.argument(keyword, None).cloned()?;
                self.expressions.text(argument.value, 0)
            }
            NamedBy::CallAround(keyword) => self.name_around(call.around?, keyword),
        };
        said.filter(|name| !name.is_empty())
    }

    /// What a parameter of a call is called.
    pub(super) fn name_of(
        &self,
        call: &Call,
        parameter: &Parameter,
        agent: Option<&str>,
    ) -> String {
        let suffix = match call.recogniser.name {
            Some(NamedBy::CallAround(_)) => self.suffix_around(call),
            _ => parameter.suffix,
        };
        let name = agent.map_or_else(|| self.name_at(call.tokens.start), str::to_owned);
        name + suffix
    }

    /// The name that the call with this bracket says. Many calls may stand in one.
    fn name_around(&mut self, open: usize, keyword: &str) -> Option<String> {
        if let Some(name) = self.names_around.get(&open) {
            return name.clone();
        }
        let argument = calls::argument_of(self.tokens, open, keyword);
        let name = argument.and_then(|it| self.expressions.text(it.value, 0));
        self.names_around.insert(open, name.clone());
        name
    }

    /// What follows the name of a call that is itself an argument.
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

    /// What a text at a token is called: by what its statement assigns to, or one around it, or by
    /// the function that it stands in.
    pub(super) fn name_at(&self, token: usize) -> String {
        let mut around = self.outline.outwards(self.outline.scope_at(token));
        let is_function = |it: &usize| self.outline.scopes[*it].kind == ScopeKind::Function;
        let function = around.find(is_function).map(|it| &self.outline.scopes[it]);
        // What the function as a whole is given to is about other things, too.
        let start = function.map_or(0, |it| it.tokens.start);
        let mut statements = self.outline.statements_around(token);
        let target = statements.find_map(|it| it.target.filter(|_| it.tokens.start >= start));
        match (target, function) {
            (Some(target), _) => self.tokens.text(target).to_owned(),
            (None, Some(function)) => function.name.to_owned(),
            (None, None) => names::NAMELESS.to_owned(),
        }
    }
}
