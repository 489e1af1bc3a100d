//! Functions of a program that return an object of a framework: `def make(): return LlmAgent(…)`,
//! `LlmAgent.Builder base()`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::Callees;
use super::imported::imported;
use crate::code::calls::callee::Callee;
use crate::code::calls::{Argument, Call, CallKind, chain};
use crate::code::outline::{Outline, Value};
use crate::code::recogniser::{Recogniser, Shape};
use crate::code::tokens::Tokens;
use crate::host_prompt::Imported;
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
        let is_first = !self.have_declared_makers;
        let new = self.add_makers(outline, created);
        let known = self.known_objects.keys().filter(|_| is_first);
        let known: HashSet<String> = known.map(|imported| imported.name.clone()).collect();
        if new.is_empty() && known.is_empty() {
            return Vec::new();
        }
        let tokens = self.tokens;
        let name = |function: &usize| outline.scopes[outline.functions[*function].scope].name;
        let names = new.iter().map(name).chain(known.iter().map(String::as_str));
        let names: HashSet<&str> = names.collect();
        let mut calls = Vec::new();
        for open in 1..tokens.all.len() {
            let last = tokens.before_call(open);
            let close = tokens.closer(open, "(").filter(|_| names.contains(tokens.text(last)));
            let Some(close) = close.filter(|_| !self.is_declaration(open)) else { continue };
            let (scope, chain_of_names) = (outline.scope_at(open), tokens.callee(open));
            let function = self.function_of_chain(outline, scope, &chain_of_names).flatten();
            let is_own = |it: &usize| outline.functions[*it].parameters.start == open + 1;
            let row = match function {
                Some(function) => {
                    let made = Some(function).filter(|it| new.contains(it) && !is_own(it));
                    made.and_then(|function| self.makers.get(&function)).copied()
                }
                None if is_first => self.known_object(outline, scope, &chain_of_names),
                None => None,
            };
            let Some(row) = row else { continue };
            let recogniser = self.table[row];
            let (arguments, end) = match recogniser.shape {
                Shape::Chain => chain(tokens, close + 1),
                _ => (Vec::new(), close + 1),
            };
            let call = Call::new(recogniser, last..end, arguments, CallKind::Factory);
            calls.push((row, call));
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
        for ((scope, name), value) in &outline.names {
            let Value::Expression(value) = value else { continue };
            let made = ends.get(&value.end).filter(|_| *scope == 0);
            if let Some((row, _)) = made.filter(|(_, call)| self.is_whole(value, call)) {
                self.objects.insert(name, *row);
            }
        }
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

    /// What a name of this host is for another one that sets arguments of its object: the object,
    /// or a function that returns it. A builder has the methods of the framework's own.
    pub(super) fn object_of_chain(
        &self,
        outline: &Outline<'s>,
        chain: &[&'s str],
    ) -> Option<Callee> {
        let function = self.function_of_chain(outline, 0, chain).flatten();
        if let Some(row) = function.and_then(|function| self.makers.get(&function).copied()) {
            return Some(match self.table[row].shape {
                Shape::Chain => Callee::itself(row),
                _ => Callee::object(row),
            });
        }
        let [name] = chain else { return None };
        self.objects.get(name).map(|row| Callee::object(*row))
    }

    /// The row of an imported object, or of that which an imported function returns.
    fn known_object(&self, outline: &Outline<'_>, scope: usize, chain: &[&str]) -> Option<usize> {
        let imported = imported(self.tokens.language, outline, scope, chain);
        imported.iter().find_map(|it| self.known_objects.get(it)).copied()
    }

    /// The imported objects, with their rows: each by its local name, or by that of its module and its
    /// name there.
    ///
    /// Cost: the imports and the objects.
    pub fn imported_objects(&self, outline: &Outline<'s>) -> Vec<(&'s str, Option<&str>, usize)> {
        let mut by_module: HashMap<&str, BTreeMap<&str, usize>> = HashMap::new();
        for (Imported { module, name }, row) in &self.known_objects {
            by_module.entry(module).or_default().insert(name, *row);
        }
        let mut found = Vec::new();
        for import in outline.imports.iter().filter(|_| !by_module.is_empty()) {
            let beside = by_module.get(&*import.module);
            let row = beside.zip(import.name).and_then(|(beside, name)| beside.get(name));
            found.extend(row.map(|row| (import.local, None, *row)));
            let module = import.written.map_or_else(|| import.path(), str::to_owned);
            let members = by_module.get(&*module).into_iter().flatten();
            found.extend(members.map(|(name, row)| (import.local, Some(*name), *row)));
        }
        found
    }

    /// Requests the meaning of the variables at these tokens, whose attributes the program sets.
    pub fn request_objects(&mut self, outline: &Outline<'s>, variables: &[usize]) {
        let tokens = self.tokens;
        for at in variables.iter().filter(|at| tokens.is_word(**at)) {
            let (scope, chain) = (outline.scope_at(*at), tokens.callee(at + 1));
            match chain.first().and_then(|head| outline.value(scope, head)) {
                Some((_, Value::Import(_))) => self.note_unknown(outline, scope, &chain),
                Some((_, Value::Expression(value))) if chain.len() == 1 => {
                    let open = value.end.checked_sub(1).and_then(|close| tokens.partner(close));
                    let made =
                        open.filter(|open| tokens.callee_before(*open, value.start).is_some());
                    if let Some(open) = made {
                        let made_by = tokens.callee(open);
                        self.note_unknown(outline, outline.scope_at(value.start), &made_by);
                    }
                }
                _ => {}
            }
        }
    }

    /// The attributes of objects of the framework that are prompts.
    pub fn attributes(&self) -> HashSet<&'static str> {
        let is_set = |row: &&&Recogniser| matches!(row.shape, Shape::Call) && row.name.is_some();
        self.table.iter().filter(is_set).flat_map(|row| row.keywords()).collect()
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
