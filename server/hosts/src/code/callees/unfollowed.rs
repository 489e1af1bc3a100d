//! Uses of functions that pass texts to framework calls which are no calls with known arguments:
//! `make(*spec)`, `map(make, specs)`, `partial(make, "a")`, `build = make`.

use std::collections::HashSet;
use std::ops::Range;

use promptls_syntax::Dialect;

use super::Callees;
use crate::code::calls::arguments;
use crate::code::calls::callee::Callee;
use crate::code::factories::passed_argument;
use crate::code::grammars::grammar;
use crate::code::outline::{Outline, Value};
use crate::language::Language;

/// The signs of arguments with several others.
const SPREADS: [&str; 3] = ["*", "**", "..."];

/// The first words of statements that only pass on a name.
const PASSES_ON: [&str; 5] = ["import", "from", "export", "module", "exports"];

impl<'s> Callees<'_, 's> {
    /// The tokens of such uses, each with the dialect of its texts. A function without any other call
    /// is listed where it passes its parameter.
    ///
    /// Cost: the tokens, if there are such functions.
    pub(in crate::code) fn unfollowed(
        &self,
        outline: &Outline<'s>,
    ) -> Vec<(Range<usize>, Dialect)> {
        let names = self.names_of_factories(outline);
        let mut found = Vec::new();
        if names.is_empty() {
            return found;
        }
        for token in 0..self.tokens.all.len() {
            if !names.contains(self.tokens.text(token)) {
                continue;
            }
            let callees = self.factory_at(outline, token).unwrap_or_default();
            let Some(first) = callees.first() else { continue };
            let dialect = self.table[first.row].dialect;
            let tokens = self.unfollowed_at(outline, token, callees);
            found.extend(tokens.map(|tokens| (tokens, dialect)));
        }
        found
    }

    /// The names that the functions may have here.
    fn names_of_factories(&self, outline: &Outline<'s>) -> HashSet<&'s str> {
        let own = self.factories.keys().filter(|function| self.called.contains(function));
        let own = own.map(|function| outline.scopes[outline.functions[*function].scope].name);
        let imports = outline.imports.iter().filter(|_| !self.known_factories.is_empty());
        own.chain(imports.map(|import| import.local)).collect()
    }

    /// The calls that get the parameters of the function that a token stands for, outside of
    /// declarations; `None` for any other name.
    fn factory_at(&self, outline: &Outline<'s>, token: usize) -> Option<&[Callee]> {
        let (tokens, name) = (self.tokens, self.tokens.text(token));
        let before = token.checked_sub(1).map_or("", |before| tokens.text(before));
        let is_key = matches!(tokens.text(token + 1), "=" | ":");
        let is_declared = grammar(tokens.language).declares.contains(&before);
        if matches!(before, "." | "?." | "@") || is_declared || is_key {
            return None;
        }
        let statement = outline.statement_at(token).map(|it| it.tokens.start);
        if statement.is_some_and(|start| PASSES_ON.contains(&tokens.text(start))) {
            return None;
        }
        let scope = outline.scope_at(token);
        match outline.called(scope, name)? {
            (_, Value::Function(function)) if self.called.contains(function) => {
                self.factories.get(function).map(Vec::as_slice)
            }
            (_, Value::Import(_)) => self.known_factory(outline, scope, &[name]).map(Vec::as_slice),
            _ => None,
        }
    }

    /// The tokens of a use that is not followed; `None` for a call whose texts are known, and for the
    /// name of a class, which is also a type.
    fn unfollowed_at(
        &self,
        outline: &Outline<'s>,
        token: usize,
        callees: &[Callee],
    ) -> Option<Range<usize>> {
        let tokens = self.tokens;
        let Some(open) = tokens.call_after(token) else {
            let is_class = tokens.language != Language::Go
                && tokens.text(token).starts_with(char::is_uppercase);
            return (!is_class).then(|| token..token + 1);
        };
        let close = tokens.partner(open)?;
        let written = arguments(tokens, open, close);
        let mut passed = callees.iter().flat_map(|callee| &callee.passed);
        if passed.all(|passed| passed_argument(passed, &written).is_some()) {
            return None;
        }
        // What a function passes on to itself or another one is that of its own calls.
        let is_inside = |spread: &Range<usize>| {
            let mut functions = self.factories.keys().chain(self.templates.keys());
            functions.any(|function| {
                let scope = outline.functions[*function].scope;
                outline.scopes[scope].tokens.contains(&spread.start)
            })
        };
        let parts = tokens.split(open + 1..close).into_iter();
        let mut spread = parts.filter(|it| SPREADS.contains(&tokens.text(it.start)));
        spread.find(|spread| !is_inside(spread))
    }
}
