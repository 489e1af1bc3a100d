//! Functions of the program that pass their parameters to framework calls, whose calls are framework
//! calls, too.

use std::collections::{BTreeSet, HashSet};

use super::Callees;
use super::imported::imported;
use crate::code::calls::callee::{Callee, Passed};
use crate::code::calls::{Argument, Call, CallKind, Inlined, Rest, arguments};
use crate::code::factories::{Factories, passed_argument};
use crate::code::grammars::grammar;
use crate::code::outline::{Import, Outline, Receiver, Value};
use crate::language::Language;

impl<'s> Callees<'_, 's> {
    /// Adds the functions of the host that pass parameters to these calls. Returns `true` if there
    /// are new ones, and calls with the defaults of such parameters.
    pub(in crate::code) fn add_factories(
        &mut self,
        outline: &Outline<'s>,
        calls: &[(usize, Call)],
    ) -> (bool, Vec<Call>) {
        let mut finder = Factories::new(self.tokens, outline);
        let mut with_defaults = Vec::new();
        self.new.clear();
        for (row, call) in calls {
            if let Some((function, templates)) = finder.templates(*row, call) {
                self.note_new(function);
                self.templates.entry(function).or_default().extend(templates);
            }
            let mut arguments = Vec::new();
            let Some((function, passed)) = finder.passed(call, &mut arguments) else { continue };
            self.note_new(function);
            let callee = Callee::passing(*row, passed);
            let callees = self.factories.entry(function).or_default();
            if !callees.contains(&callee) {
                callees.push(callee);
            }
            if !arguments.is_empty() {
                with_defaults.push(Call { arguments, ..call.clone() });
            }
        }
        (!self.new.is_empty(), with_defaults)
    }

    /// Records a function that passes parameters to a framework call, if it is not known as one.
    pub(super) fn note_new(&mut self, function: usize) {
        if !self.factories.contains_key(&function) && !self.templates.contains_key(&function) {
            self.new.insert(function);
        }
    }

    /// The calls of new functions that pass parameters to framework calls, as calls of these, and
    /// the first time those of other hosts.
    pub(in crate::code) fn calls_of_factories(
        &mut self,
        outline: &Outline<'s>,
    ) -> Vec<(usize, Call)> {
        let with_known = !std::mem::replace(&mut self.are_known_called, true);
        if self.new.is_empty() && (!with_known || self.known_factories.is_empty()) {
            return Vec::new();
        }
        let own = self.new.iter().map(|it| outline.functions[*it].scope);
        let own = own.map(|scope| self.called_name(outline, scope).to_owned());
        let known = self.known_factories.keys().filter(|_| with_known).flat_map(|imported| {
            let is_it = |import: &&Import<'_>| import.name == Some(imported.name.as_str());
            let locals = outline.imports.iter().filter(is_it);
            let name = imported.name.rsplit('.').next().unwrap_or(&imported.name);
            locals.map(|import| import.local.to_owned()).chain([name.to_owned()])
        });
        let names: HashSet<String> = own.chain(known).collect();
        let tokens = self.tokens;
        let declared: HashSet<usize> =
            outline.functions.iter().map(|function| function.parameters.start).collect();
        let mut calls = Vec::new();
        for open in 1..tokens.all.len() {
            let Some(close) = tokens.closer(open, "(") else { continue };
            let is_declaration = declared.contains(&(open + 1)) || self.is_declaration(open);
            if !names.contains(tokens.text(tokens.before_call(open))) || is_declaration {
                continue;
            }
            let chain = tokens.callee(open);
            let scope = outline.scope_at(open);
            let written = arguments(tokens, open, close);
            let function = self.factory_of_chain(outline, scope, &chain);
            let new = function.filter(|function| self.new.contains(function));
            let callees = match (function, new) {
                (Some(_), None) => continue,
                (None, _) if !with_known => continue,
                _ => self.factories_of_chain(outline, scope, &chain),
            };
            let new_call = |row: usize, arguments: Vec<Argument>, inlined: Vec<Inlined>| {
                let whole = tokens.before_call(open)..close + 1;
                let call = Call::new(self.table[row], whole, arguments, CallKind::Factory);
                Call { inlined, ..call }
            };
            for callee in &callees {
                let passed = |passed| passed_argument(passed, &written);
                let is_part = callee.passed.iter().any(|passed| passed.is_part);
                let rest = if is_part { Rest::Around } else { Rest::None };
                let passed = callee.passed.iter().filter_map(passed).collect();
                let call = new_call(callee.row, passed, Vec::new());
                calls.push((callee.row, Call { rest, ..call }));
            }
            let templates =
                new.and_then(|function| Some((function, self.templates.get(&function)?)));
            for (function, template) in templates
                .into_iter()
                .flat_map(|(it, all)| all.iter().map(move |template| (it, template)))
            {
                let brackets = open..close + 1;
                let own = std::iter::once(Inlined { function, brackets });
                let inlined = own.chain(template.calls.iter().cloned()).collect();
                let keyword = Some(template.keyword.to_owned());
                let text = Argument { keyword, value: template.value.clone() };
                let same = callees.iter().filter(|callee| callee.row == template.row);
                let names = same.flat_map(|it| &it.passed);
                let names = names.filter_map(|passed| passed_argument(passed, &written));
                let arguments = std::iter::once(text).chain(names).collect();
                calls.push((template.row, new_call(template.row, arguments, inlined)));
                self.called_templates.insert(template.value.start);
            }
        }
        let called = self.called.iter().map(|function| outline.functions[*function].scope);
        self.called_scopes = called.collect();
        calls
    }

    /// `true` if the calls of functions of other hosts were looked for.
    pub(in crate::code) fn have_called_known(&self) -> bool {
        self.are_known_called
    }

    /// `true` if the value of a framework call that starts at a token is known only for the calls of
    /// its function, of which there are some.
    pub(in crate::code) fn is_template(&self, value: usize) -> bool {
        self.called_templates.contains(&value)
    }

    /// `true` if a call passes on the arguments of its function, of which there are calls.
    pub(in crate::code) fn passes_all(&self, outline: &Outline<'_>, call: &Call) -> bool {
        let Some(open) = call.open.clone() else { return false };
        let mut around = outline.outwards(outline.scope_at(open.start));
        around.any(|scope| self.called_scopes.contains(&scope))
    }

    /// The names of the functions of the host that pass parameters to framework calls, and of classes
    /// that derive from those of a framework, as far as other hosts can call them; sorted.
    pub(in crate::code) fn factory_names(&self, outline: &Outline<'s>) -> Vec<String> {
        let with_parts = self
            .templates
            .iter()
            .filter(|(_, templates)| templates.iter().any(|template| !template.parts.is_empty()));
        let functions: BTreeSet<usize> =
            self.factories.keys().chain(with_parts.map(|(it, _)| it)).copied().collect();
        let scopes = functions.into_iter().map(|it| outline.functions[it].scope);
        let is_reached = |scope: usize| {
            let is_class = outline.class_name(scope).is_some();
            outline.is_shared(scope) || is_class && outline.scopes[scope].parent == Some(0)
        };
        let shared = scopes.filter(|scope| outline.scopes[*scope].parent.is_some_and(is_reached));
        let names = shared.map(|scope| self.called_name(outline, scope));
        // Other hosts may import these from here.
        let others = self.renamed.iter().map(String::as_str).chain(self.exported.iter().copied());
        let names: BTreeSet<&str> = names.chain(others).collect();
        names.into_iter().map(str::to_owned).collect()
    }

    /// The name by which code calls a function: that of the class for its constructor.
    pub(super) fn called_name(&self, outline: &Outline<'s>, function: usize) -> &'s str {
        let declared = &outline.scopes[function];
        let is_constructor = grammar(self.tokens.language).constructor == Some(declared.name);
        let class = declared.parent.filter(|_| is_constructor);
        class.and_then(|class| outline.class_name(class)).unwrap_or(declared.name)
    }

    /// `true` if functions of other hosts may take prompts.
    pub(in crate::code) fn have_named_factories(&self) -> bool {
        !self.named.is_empty()
    }

    /// `true` if a bracket follows the name of such a function, or of a class or method of a
    /// framework, which other hosts may import.
    pub(in crate::code) fn may_take_prompts(&self, open: usize) -> bool {
        let tokens = self.tokens;
        if open == 0 || tokens.text(open) != "(" {
            return false;
        }
        let last = tokens.text(tokens.before_call(open));
        let is_named = self.named.contains(last) || self.bases.contains(last);
        is_named && !self.is_declaration(open)
    }

    /// `true` if a name at a token is a parameter that its function passes to a framework call: its
    /// texts are those of the calls of the function, of which there are some.
    pub(in crate::code) fn passes_on(&self, outline: &Outline<'_>, token: usize) -> bool {
        let called = self.called.iter().flat_map(|function| {
            let callees = self.factories.get(function).into_iter().flatten();
            callees.flat_map(|callee| &callee.passed).map(move |passed| (function, passed))
        });
        called.into_iter().any(|it| self.is_parameter(outline, token, it))
    }

    /// The same for a name that is a whole message in a list, with calls in other hosts.
    pub(in crate::code) fn passes_on_message(&self, outline: &Outline<'_>, token: usize) -> bool {
        let called = self.requested_templates.iter().flat_map(|function| {
            let templates = self.templates.get(function).into_iter().flatten();
            let parts = templates.flat_map(|template| &template.parts);
            parts.filter(|passed| !passed.is_part).map(move |passed| (function, passed))
        });
        called.into_iter().any(|it| self.is_parameter(outline, token, it))
    }

    /// `true` if a token is in a function, and the name of one of its parameters.
    pub(super) fn is_parameter(
        &self,
        outline: &Outline<'_>,
        token: usize,
        (function, passed): (&usize, &Passed),
    ) -> bool {
        let scope = &outline.scopes[outline.functions[*function].scope];
        scope.tokens.contains(&token) && passed.parameter == self.tokens.text(token)
    }

    /// The framework calls to which a function passes its parameters.
    pub(super) fn factories_of_chain(
        &mut self,
        outline: &Outline<'_>,
        scope: usize,
        chain: &[&str],
    ) -> Vec<Callee> {
        if chain.is_empty() {
            return Vec::new();
        }
        if let Some(found) = self.function_of_chain(outline, scope, chain) {
            let Some(function) = found else { return Vec::new() };
            let factories = self.factories.get(&function).cloned();
            self.called.extend(factories.is_some().then_some(function));
            return factories.unwrap_or_default();
        }
        self.known_factory(outline, scope, chain).cloned().unwrap_or_default()
    }

    /// The framework calls to which a function of another host passes its parameters.
    pub(super) fn known_factory(
        &self,
        outline: &Outline<'_>,
        scope: usize,
        chain: &[&str],
    ) -> Option<&Vec<Callee>> {
        if self.known_factories.is_empty() || self.declared.contains(chain[0]) {
            return None;
        }
        let imported = imported(self.tokens.language, outline, scope, chain);
        imported.iter().find_map(|it| self.known_factories.get(it))
    }

    /// The function of this host that a chain of names refers to, if it passes parameters to a
    /// framework call.
    pub(super) fn factory_of_chain(
        &self,
        outline: &Outline<'_>,
        scope: usize,
        chain: &[&str],
    ) -> Option<usize> {
        let function = self.function_of_chain(outline, scope, chain)??;
        let is_it =
            self.factories.contains_key(&function) || self.templates.contains_key(&function);
        is_it.then_some(function)
    }

    /// The function of this host that a chain of names refers to; an inner `None` if a call needs an
    /// object that it does not have.
    pub(super) fn function_of_chain(
        &self,
        outline: &Outline<'_>,
        scope: usize,
        chain: &[&str],
    ) -> Option<Option<usize>> {
        let (name, holder) = chain.split_last()?;
        let found = match holder {
            [] => outline.called(scope, name).map(|(_, value)| value),
            ["self" | "cls"] if self.tokens.language == Language::Python => {
                self.method_of_class_around(outline, scope, name)
            }
            holder => {
                let class = outline.class(scope, holder);
                class.and_then(|class| outline.methods.get(&(class, *name)))
            }
        };
        let found = match found {
            // Another name of a function.
            Some(Value::Expression(value)) if value.len() == 1 => {
                outline.called(scope, self.tokens.text(value.start)).map(|(_, value)| value)
            }
            None | Some(Value::Unknown) => self.constructor(outline, scope, chain).or(found),
            found => found,
        };
        let Some(Value::Function(function)) = found else { return None };
        let is_of_class = !matches!(holder, [] | ["self" | "cls" | "this"]);
        let is_missing = is_of_class && outline.functions[*function].receiver == Receiver::Object;
        Some((!is_missing).then_some(*function))
    }

    /// The constructor of the class of this host that a chain of names refers to.
    pub(super) fn constructor<'o>(
        &self,
        outline: &'o Outline<'s>,
        scope: usize,
        chain: &[&'s str],
    ) -> Option<&'o Value> {
        let class = outline.class(scope, chain)?;
        let name = grammar(self.tokens.language).constructor?;
        outline.methods.get(&(class, name))
    }

    /// A method of the innermost class around a scope.
    pub(super) fn method_of_class_around<'o>(
        &self,
        outline: &'o Outline<'s>,
        scope: usize,
        name: &'s str,
    ) -> Option<&'o Value> {
        let class = outline.outwards(scope).find(|it| outline.class_name(*it).is_some())?;
        outline.methods.get(&(class, name))
    }
}
