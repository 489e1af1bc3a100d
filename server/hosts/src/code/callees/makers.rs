//! Functions of a program that return an object of a framework: `def make(): return LlmAgent(…)`,
//! `LlmAgent.Builder base()`.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::Callees;
use crate::code::calls::{Argument, Call, CallKind, chain};
use crate::code::outline::Outline;
use crate::code::recogniser::Shape;
use crate::code::tokens::Tokens;
use crate::language::Language;

/// The method that ends the chain of a builder.
const BUILD: &str = "build";

impl<'s> Callees<'_, 's> {
    /// Finds the functions that return objects by their declared types.
    pub fn add_declared_makers(&mut self, outline: &Outline<'s>) {
        let tokens = self.tokens;
        let functions = outline.functions.iter().enumerate();
        let by_parameters: HashMap<usize, usize> =
            functions.map(|(index, it)| (it.parameters.start, index)).collect();
        for (written, row) in self.types(outline) {
            let parameters = returned_by(tokens, written);
            let function = parameters.and_then(|open| by_parameters.get(&(open + 1)));
            if let Some(function) = function {
                self.makers.insert(*function, row);
            }
        }
    }

    /// The calls of functions that return objects, which these calls create among others. They have
    /// only the arguments of methods after them.
    ///
    /// Cost: the tokens, if there are such functions.
    pub fn calls_of_makers(
        &mut self,
        outline: &Outline<'s>,
        created: &[(usize, Call)],
    ) -> Vec<(usize, Call)> {
        let new = self.add_makers(outline, created);
        if new.is_empty() {
            return Vec::new();
        }
        let tokens = self.tokens;
        let name = |function: &usize| outline.scopes[outline.functions[*function].scope].name;
        let names: HashSet<&str> = new.iter().map(name).collect();
        let mut calls = Vec::new();
        for open in 1..tokens.all.len() {
            let last = tokens.before_call(open);
            let close = tokens.closer(open, "(").filter(|_| names.contains(tokens.text(last)));
            let Some(close) = close.filter(|_| !self.is_declaration(open)) else { continue };
            let scope = outline.scope_at(open);
            let function = self.function_of_chain(outline, scope, &tokens.callee(open)).flatten();
            let Some(function) = function.filter(|it| new.contains(it)) else { continue };
            let is_own = outline.functions[function].parameters.start == open + 1;
            let Some(row) = self.makers.get(&function).filter(|_| !is_own) else { continue };
            let recogniser = self.table[*row];
            let (arguments, end) = match recogniser.shape {
                Shape::Chain => chain(tokens, close + 1),
                _ => (Vec::new(), close + 1),
            };
            let call = Call::new(recogniser, last..end, arguments, CallKind::Factory);
            calls.push((*row, call));
        }
        calls
    }

    /// Finds the functions that return one of these objects. Returns those that are new, in the first
    /// call also those with declared types.
    fn add_makers(&mut self, outline: &Outline<'s>, created: &[(usize, Call)]) -> HashSet<usize> {
        let mut new = HashSet::new();
        if !self.have_declared_makers {
            self.have_declared_makers = true;
            self.add_declared_makers(outline);
            new.extend(self.makers.keys().copied());
        }
        let ends: HashMap<usize, (usize, &Call)> =
            created.iter().map(|(row, call)| (call.tokens.end, (*row, call))).collect();
        for (index, function) in outline.functions.iter().enumerate() {
            let [returned] = function.returns.as_slice() else { continue };
            let Some((row, call)) = ends.get(&returned.end) else { continue };
            if self.is_whole(returned, call) && !self.makers.contains_key(&index) {
                self.makers.insert(index, *row);
                new.insert(index);
            }
        }
        new
    }

    /// `true` if an expression is just an object that a call creates.
    fn is_whole(&self, expression: &Range<usize>, call: &Call) -> bool {
        let mut start = call.tokens.start;
        while start > expression.start {
            let before = self.tokens.text(start - 1);
            if !self.tokens.is_word(start - 1) && !matches!(before, "." | "&") {
                return false;
            }
            start -= 1;
        }
        let is_built = |it: &Argument| it.keyword.as_deref() == Some(BUILD);
        start == expression.start
            && !(call.recogniser.shape == Shape::Chain && call.arguments.iter().any(is_built))
    }

    /// The row of the object that a function of the host returns.
    pub(super) fn maker_of_chain(
        &self,
        outline: &Outline<'s>,
        scope: usize,
        chain: &[&'s str],
    ) -> Option<usize> {
        let function = self.function_of_chain(outline, scope, chain)??;
        self.makers.get(&function).copied()
    }
}

/// The bracket before the parameters of the function that returns a type at some tokens:
/// `T f()`, `f(): T`, `f() -> T`.
fn returned_by(tokens: &Tokens<'_>, written: Range<usize>) -> Option<usize> {
    if tokens.language == Language::Java {
        let open = written.end + 1;
        return Some(open).filter(|open| tokens.is_word(open - 1) && tokens.text(*open) == "(");
    }
    let mut sign = written.start.checked_sub(1)?;
    if matches!(tokens.text(sign), "*" | ":" | "->") {
        sign = sign.checked_sub(1)?;
    }
    tokens.partner(sign).filter(|open| *open < sign && tokens.text(*open) == "(")
}
