//! Members of objects whose class is in the host: `new Texts("…").intro()`, `Prompts.PLAN.text` of an
//! enum, `Texts("…").intro`, `prompts{Intro: "…"}.Intro`.

use std::ops::Range;

use crate::code::expression::{ExpressionContext, Expressions, MAX_FOLLOWED};
use crate::code::outline::{Outline, Value};
use crate::code::static_value::StaticValue;
use crate::code::tokens::Tokens;
use crate::language::Language;

/// An object, as its creation is written.
struct Instance {
    class: usize,
    arguments: Range<usize>,
    /// `true` for a constant of an enum, which names its texts.
    is_constant: bool,
}

impl<'s> Expressions<'_, 's> {
    /// The value of a member of an object that these tokens create, or of a member of that.
    pub(in crate::code) fn member_of_created(
        &mut self,
        value: Range<usize>,
        members: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (member, rest) = members.split_first()?;
        if self.grammar.collections.lists.is_empty() {
            return None;
        }
        if self.grammar.has_typed_lists && name_of(member).len() < member.len() {
            return self.result_of_receiver(value, name_of(member), rest, place);
        }
        let instance = self.created_object(value.clone())?;
        let known = self.member_of_instance_of(&instance, member, rest, place)?;
        Some(match instance.is_constant {
            true => known.with_name(self.tokens.text(value.start)),
            false => known.with_name(name_of(member)),
        })
    }

    /// The value of a member of the result of a method in Go.
    fn result_of_receiver(
        &mut self,
        value: Range<usize>,
        method: &str,
        rest: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let open = self.tokens.partner(value.end.checked_sub(1)?)?;
        let of_type = self.tokens.text(open.checked_sub(1).filter(|it| value.contains(it))?);
        let function = *self.outline.receivers.get(&(of_type, method))?;
        let [returned] = self.outline.functions[function].returns.as_slice() else { return None };
        let place = ExpressionContext { followed: place.followed + 1, ..place };
        if self.tokens.text(open) != "{" || place.followed > MAX_FOLLOWED {
            return None;
        }
        let known = self.member_of_value(returned.clone(), rest, place)?;
        Some(known.with_name(method))
    }

    /// The object that `new C(…)`, `C(…)` or the constant of an enum creates.
    fn created_object(&self, value: Range<usize>) -> Option<Instance> {
        let last = value.end.checked_sub(1)?;
        let open = self.tokens.partner(last).filter(|_| self.tokens.text(last) == ")")?;
        let start = value.start + usize::from(self.tokens.text(value.start) == "new");
        let written = self.tokens.callee_before(open, start)?;
        let chain: Vec<&str> = written.split('.').collect();
        let arguments = open + 1..last;
        let scope = self.outline.scope_at(value.start);
        let name = self.tokens.text(start);
        let is_constant = self.outline.names.get(&(scope, name)) == Some(&Value::Expression(value))
            && self.outline.class_name(scope).is_some();
        let class = match is_constant {
            true => scope,
            false => self.class_of(scope, &chain)?,
        };
        Some(Instance { class, arguments, is_constant })
    }

    /// The class of this host with a name.
    fn class_of(&self, scope: usize, chain: &[&str]) -> Option<usize> {
        let mut around = self.outline.outwards(scope);
        let (head, inner) = chain.split_first()?;
        let outermost = around.find_map(|around| self.outline.classes.get(&(around, *head)))?;
        inner
            .iter()
            .try_fold(*outermost, |class, name| self.outline.classes.get(&(class, *name)).copied())
    }

    fn member_of_instance_of(
        &mut self,
        instance: &Instance,
        member: &str,
        rest: &[&str],
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let class = instance.class;
        let place = ExpressionContext { followed: place.followed + 1, ..place };
        if place.followed > MAX_FOLLOWED {
            return None;
        }
        let name = name_of(member);
        let mut field = name;
        if name.len() < member.len() {
            match self.outline.methods.get(&(class, name)) {
                Some(Value::Function(function)) => {
                    let [returned] = self.outline.functions[*function].returns.as_slice() else {
                        return None;
                    };
                    match field_of(self.tokens, returned.clone()) {
                        Some(returned) => field = returned,
                        None => return self.member_of_value(returned.clone(), rest, place),
                    }
                }
                Some(_) => return None,
                None if self.is_record(class) => {}
                None => return None,
            }
        }
        if let Some((position, default)) = self.parameter_of(class, field) {
            let argument = self.argument_of(instance.arguments.clone(), field, position);
            return self.member_of_value(argument.or(default)?, rest, place);
        }
        match self.outline.names.get(&(class, field))? {
            Value::Expression(value) => self.member_of_value(value.clone(), rest, place),
            _ => None,
        }
    }

    fn is_record(&self, class: usize) -> bool {
        let start = self.outline.scopes[class].tokens.start;
        start.checked_sub(2).is_some_and(|word| self.tokens.text(word) == "record")
    }

    /// The position of the parameter that sets a field of a class, and its default.
    fn parameter_of(&self, class: usize, field: &str) -> Option<(usize, Option<Range<usize>>)> {
        let start = self.outline.scopes[class].tokens.start;
        if self.tokens.language == Language::Kotlin || self.is_record(class) {
            let open = (start..start + MAX_GENERICS).find(|at| self.tokens.text(*at) == "(")?;
            return declared(self.tokens, open, field);
        }
        assigned_parameter(self.tokens, self.outline, class, field).map(|position| (position, None))
    }

    /// The argument of a parameter.
    fn argument_of(
        &mut self,
        arguments: Range<usize>,
        name: &str,
        position: usize,
    ) -> Option<Range<usize>> {
        let all = self.items(arguments);
        let has_keywords = self.grammar.keyword_sign.is_some();
        let is_named = |it: &&Range<usize>| has_keywords && self.tokens.text(it.start + 1) == "=";
        if let Some(found) =
            all.iter().filter(is_named).find(|it| self.tokens.text(it.start) == name)
        {
            return Some(found.start + 2..found.end);
        }
        all.get(position).filter(|it| !is_named(it)).cloned()
    }
}

/// The maximum number of tokens between the name of a class and its parameters.
const MAX_GENERICS: usize = 8;

/// The name of a member, without the brackets of a call.
fn name_of(member: &str) -> &str {
    member.split('(').next().unwrap_or(member).trim_end()
}

/// The field that an expression is: `text`, `this.text`.
fn field_of<'s>(tokens: &Tokens<'s>, returned: Range<usize>) -> Option<&'s str> {
    let start = match (tokens.text(returned.start), tokens.text(returned.start + 1)) {
        ("this", ".") => returned.start + 2,
        _ => returned.start,
    };
    (start + 1 == returned.end && tokens.is_word(start)).then(|| tokens.text(start))
}

/// The position and the default of the parameter after a bracket that declares a property. One that
/// can be assigned has no certain value.
fn declared(tokens: &Tokens<'_>, open: usize, name: &str) -> Option<(usize, Option<Range<usize>>)> {
    let close = tokens.closer(open, "(")?;
    let is_kotlin = tokens.language == Language::Kotlin;
    tokens.split(open + 1..close).into_iter().enumerate().find_map(|(position, part)| {
        let sign = part.clone().find(|token| tokens.text(*token) == "=");
        let end = sign.unwrap_or(part.end);
        let at = match is_kotlin {
            true => (part.start..end).find(|token| tokens.text(*token) == ":")?.checked_sub(1)?,
            false => end.checked_sub(1)?,
        };
        let is_it = part.contains(&at) && tokens.text(at) == name;
        let is_property = !is_kotlin || at > part.start && tokens.text(at - 1) == "val";
        (is_it && is_property).then(|| (position, sign.map(|sign| sign + 1..part.end)))
    })
}

/// The position of the parameter that the only constructor in Java assigns to a field.
fn assigned_parameter(
    tokens: &Tokens<'_>,
    outline: &Outline<'_>,
    class: usize,
    field: &str,
) -> Option<usize> {
    let constructor = &outline.functions[*outline.constructors.get(&class)?.as_ref()?];
    let mut body = outline.scopes[constructor.scope].tokens.clone();
    let assigned = body.find(|at| {
        tokens.text(*at) == "this" && tokens.text(at + 1) == "." && tokens.text(at + 2) == field
    })?;
    let value = assigned + 4;
    if tokens.text(assigned + 3) != "=" || tokens.text(value + 1) != ";" {
        return None;
    }
    let parameters = tokens.split(constructor.parameters.clone());
    parameters.iter().position(|part| tokens.text(part.end - 1) == tokens.text(value))
}
