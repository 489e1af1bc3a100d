//! The places that have the value of a variable, of a member of a class or its objects, or the
//! result of a function: `prompt`, `self.prompt`, `Writer.PROMPT`, `make_chain(model)`.

use std::collections::HashMap;
use std::ops::Range;

use super::contracts::Contracts;
use crate::code::grammars::grammar;
use crate::code::outline::{Function, ScopeKind, Value};
use crate::language::Language;

/// The maximum number of uses of one name that are followed. Of more, one more is returned.
pub(super) const MAX_USES: usize = 1_000;

/// The words between a class and one that it derives from, beside brackets.
const EXTENDS: [&str; 2] = ["extends", "with"];

impl<'s> Contracts<'_, 's> {
    /// The expressions that have the value of one that is assigned or returned, by its tokens; `None`
    /// if it is neither. With `is_first`, it may also be the first part of what is assigned.
    pub(super) fn uses_of_value(
        &self,
        value: Range<usize>,
        is_first: bool,
    ) -> Option<Vec<Range<usize>>> {
        let is_it = |whole: &Range<usize>| {
            whole.start == value.start
                && (whole.end == value.end || is_first && value.end < whole.end)
        };
        if let Some(function) = self.function_around(value.start)
            && let [returned] = &self.outline.functions[function].returns[..]
            && is_it(returned)
        {
            return self.results_of(function);
        }
        if let Some(uses) = self.uses_of_item(value.clone(), is_first) {
            return Some(uses);
        }
        let statement = self.outline.statement_at(value.start)?;
        let target = statement.target?;
        let name = self.tokens.text(target);
        let declared = self.outline.value(self.outline.scope_at(target), name);
        if let Some((scope, Value::Expression(whole))) = declared
            && is_it(whole)
        {
            return Some(self.uses_of(target, scope));
        }
        let class = self.class_of_attribute(target)?;
        // A type may be between the name and the sign.
        let sign = (target + 1..value.start).find(|token| self.tokens.text(*token) == "=")?;
        let is_only =
            self.own_members(class, name).all(|it| it.end == target + 1 || !self.is_set(&it));
        let is_whole = is_only && is_it(&(sign + 1..statement.tokens.end));
        is_whole.then(|| self.uses_of_member(class, name, target))
    }

    /// The uses of what a token declares in a scope.
    pub(crate) fn uses_of(&self, target: usize, scope: usize) -> Vec<Range<usize>> {
        let name = self.tokens.text(target);
        let mut uses: Vec<Range<usize>> =
            self.uses_of_variable(target, scope).take(MAX_USES + 1).collect();
        if self.outline.class_name(scope).is_some() {
            uses.extend(self.uses_of_member(scope, name, target));
        }
        uses
    }

    /// The uses of a variable without those as a member.
    fn uses_of_variable(
        &self,
        target: usize,
        scope: usize,
    ) -> impl Iterator<Item = Range<usize>> + use<'_, 's> {
        let name = self.tokens.text(target);
        let is_use = move |place: &usize| {
            let is_member = *place > 0 && matches!(self.tokens.text(place - 1), "." | "?.");
            let declared = || self.outline.value(self.outline.scope_at(*place), name);
            *place != target
                && !is_member
                && !self.is_key(*place)
                && declared().is_some_and(|(of, _)| of == scope)
                && !self.is_bound_again(*place)
        };
        self.maps.uses(scope, name).filter(is_use).map(|place| place..place + 1)
    }

    /// `true` for a name that is a parameter or the target of a loop within its statement in Python,
    /// where these have no scope of their own: `lambda prompt: …`, `[… for prompt in prompts]`.
    fn is_bound_again(&self, place: usize) -> bool {
        let statement = self.outline.statement_at(place).map(|it| it.tokens.clone());
        let Some(statement) = statement.filter(|_| self.tokens.language == Language::Python) else {
            return false;
        };
        let name = self.tokens.text(place);
        let binds = |word: usize| {
            let end = match self.tokens.text(word) {
                "lambda" | "def" => ":",
                "for" => "in",
                _ => return false,
            };
            let mut bound = (word + 1..statement.end).map(|token| self.tokens.text(token));
            bound.by_ref().take_while(|text| *text != end).any(|text| text == name)
        };
        statement.clone().any(binds)
    }

    /// `f(prompt=…)` and, with options, `{prompt: …}` name something else.
    fn is_key(&self, place: usize) -> bool {
        let opens = place > 0 && matches!(self.tokens.text(place - 1), "(" | "," | "{");
        let is_sign = match self.tokens.text(place + 1) {
            "=" => self.tokens.text(place + 2) != "=",
            sign => sign == ":" && grammar(self.tokens.language).has_options,
        };
        opens && is_sign
    }

    /// The uses of a member of a class, which a token declares: by its objects, by its name, and in
    /// the classes that derive from it.
    fn uses_of_member(&self, class: usize, name: &'s str, target: usize) -> Vec<Range<usize>> {
        let own = self.own_members(class, name);
        let mut uses: Vec<Range<usize>> =
            own.filter(|it| it.end != target + 1 && !self.is_set(it)).take(MAX_USES + 1).collect();
        let scope = &self.outline.scopes[class];
        let around = scope.parent.unwrap_or_default();
        for place in self.maps.uses(around, scope.name) {
            if uses.len() > MAX_USES {
                break;
            }
            if let Some(derived) = self.derived_at(place) {
                let is_own = !self.outline.declares(derived, name, false);
                uses.extend(self.own_members(derived, name).filter(|_| is_own).take(MAX_USES + 1));
                continue;
            }
            let new = usize::from(place > 0 && self.tokens.text(place - 1) == "new");
            let open = self.tokens.call_after(place);
            let close = open.and_then(|open| self.tokens.partner(open));
            let object = place - new..close.unwrap_or(place) + 1;
            uses.extend(self.member_after(object.clone(), name));
            let target = self.outline.statement_at(place).and_then(|it| it.target);
            let Some(target) = target.filter(|_| close.is_some()) else { continue };
            let variable = self.tokens.text(target);
            let declared = self.outline.value(self.outline.scope_at(target), variable);
            if let Some((scope, Value::Expression(value))) = declared
                && *value == object
            {
                let objects = self.uses_of_variable(target, scope);
                let members = objects.filter_map(|object| self.member_after(object, name));
                uses.extend(members.take(MAX_USES + 1));
            }
        }
        uses
    }

    /// The members of this name of the objects of a class, and of the class, in its own code.
    fn own_members(
        &self,
        class: usize,
        name: &'s str,
    ) -> impl Iterator<Item = Range<usize>> + use<'_, 's> {
        let own = grammar(self.tokens.language).own;
        let is_own = move |place: &usize| {
            *place > 1
                && self.tokens.text(place - 1) == "."
                && own.contains(&self.tokens.text(place - 2))
                && self.class_around(*place) == Some(class)
        };
        self.maps.uses(class, name).filter(is_own).map(|place| place - 2..place + 1)
    }

    /// `true` if a member is the target of an assignment.
    fn is_set(&self, member: &Range<usize>) -> bool {
        let statement = self.outline.statement_at(member.start);
        statement.and_then(|it| it.target) == Some(member.end - 1)
            && matches!(self.tokens.text(member.end), "=" | ":" | "+=" | "|=")
    }

    /// The member of this name directly after an object.
    fn member_after(&self, object: Range<usize>, name: &str) -> Option<Range<usize>> {
        let sign = self.tokens.member_sign(object.end)?;
        (self.tokens.text(sign + 1) == name).then_some(object.start..sign + 2)
    }

    /// The class whose declaration names the one at a token as its base.
    fn derived_at(&self, base: usize) -> Option<usize> {
        let before = base.checked_sub(1)?;
        let name = match self.tokens.text(before) {
            word if EXTENDS.contains(&word) => before.checked_sub(1)?,
            "(" if before > 1 && self.tokens.text(before - 2) == "class" => before - 1,
            _ => return None,
        };
        let around = self.outline.scope_at(name);
        let mut around = self.outline.outwards(around);
        around.find_map(|it| self.outline.classes.get(&(it, self.tokens.text(name))).copied())
    }

    /// The class whose objects have the attribute that a token sets: `self.prompt = …`.
    fn class_of_attribute(&self, target: usize) -> Option<usize> {
        let own = grammar(self.tokens.language).own;
        let sign = target.checked_sub(1).filter(|sign| self.tokens.text(*sign) == ".")?;
        let holder = sign.checked_sub(1).filter(|it| own.contains(&self.tokens.text(*it)))?;
        let is_first = self.outline.statement_at(holder)?.tokens.start == holder;
        self.class_around(holder).filter(|_| is_first)
    }

    /// The innermost class around a token.
    fn class_around(&self, token: usize) -> Option<usize> {
        let mut around = self.outline.outwards(self.outline.scope_at(token));
        around.find(|scope| self.outline.class_name(*scope).is_some())
    }

    /// The innermost function around a token, by its index.
    fn function_around(&self, token: usize) -> Option<usize> {
        let functions = self.functions.get_or_init(|| {
            let all = self.outline.functions.iter().enumerate();
            all.map(|(index, function)| (function.scope, index)).collect::<HashMap<_, _>>()
        });
        let is_body = |scope: &usize| self.outline.scopes[*scope].kind != ScopeKind::Block;
        let mut around = self.outline.outwards(self.outline.scope_at(token));
        // The scope of an arrow function is a block in a script.
        around.find_map(|scope| {
            let function = functions.get(&scope).copied().map(Some);
            function.or_else(|| is_body(&scope).then_some(None))
        })?
    }

    /// The calls of a function, or the uses of a property; `None` for one without a name, or whose
    /// result may be something else.
    fn results_of(&self, function: usize) -> Option<Vec<Range<usize>>> {
        let Function { is_plain, is_cached, is_async, is_property, .. } =
            self.outline.functions[function];
        if !(is_plain || is_cached || is_async || is_property) {
            return None;
        }
        let (name, declared) = self.declaration_of(function)?;
        let text = self.tokens.text(name);
        let uses = match self.outline.class_name(declared) {
            Some(_) => self.uses_of_member(declared, text, name),
            None => self.uses_of_variable(name, declared).take(MAX_USES + 1).collect(),
        };
        if is_property || uses.len() > MAX_USES {
            return Some(uses);
        }
        let call = |callee: Range<usize>| {
            let open = self.tokens.call_after(callee.end - 1)?;
            Some(callee.start..self.tokens.partner(open)? + 1)
        };
        Some(uses.into_iter().filter_map(call).collect())
    }

    /// The token with the name of a function, and the scope that declares it.
    fn declaration_of(&self, function: usize) -> Option<(usize, usize)> {
        let is_it = |value: Option<&Value>| value == Some(&Value::Function(function));
        let Function { scope, parameters, .. } = &self.outline.functions[function];
        let around = self.outline.scopes[*scope].parent.unwrap_or_default();
        let statement = self.outline.statement_at(self.outline.scopes[*scope].tokens.start);
        let target = statement.and_then(|it| it.target);
        let open = parameters.start.checked_sub(1);
        let written = open.map(|open| self.tokens.before_call(open));
        let mut names = written.into_iter().chain(target);
        names.find_map(|token| {
            let name = self.tokens.text(token);
            let method = self.outline.methods.get(&(around, name));
            if is_it(method) || is_it(self.outline.names.get(&(around, name))) {
                return Some((token, around));
            }
            let (scope, value) = self.outline.value(around, name)?;
            is_it(Some(value)).then_some((token, scope))
        })
    }
}
