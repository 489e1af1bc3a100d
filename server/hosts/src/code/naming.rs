//! What texts are called that have no name of their own.

use super::Host;
use super::calls::{self, Call};
use super::outline::ScopeKind;
use super::recognisers::{NamedBy, Parameter};
use crate::names;

impl Host<'_, '_> {
    /// What a parameter of a call is called.
    pub(super) fn name_of(&mut self, call: &Call, parameter: &Parameter) -> String {
        let (said, suffix) = match call.recogniser.name {
            None => (None, parameter.suffix),
            Some(NamedBy::Argument(keyword)) => {
                let argument = call.argument(keyword, None).cloned();
                let name = argument.and_then(|it| self.expressions.text(it.value, 0));
                (name, parameter.suffix)
            }
            Some(NamedBy::CallAround(keyword)) => {
                let name = call.around.and_then(|open| self.name_around(open, keyword));
                (name, self.suffix_around(call))
            }
        };
        let name = said.filter(|name| !name.is_empty());
        name.unwrap_or_else(|| self.name_at(call.tokens.start)) + suffix
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
