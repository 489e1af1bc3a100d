//! Functions that are called with arguments: `with_rules("…")`, `load("plan.txt")`.
//!
//! A call binds the parameters of its function while the returned expression is evaluated. A call in
//! this host binds them to its own expressions; a call of another host only has texts.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::{ExpressionContext, Expressions, Variant};
use crate::code::calls::{Inlined, argument, arguments};
use crate::code::factories::{Parameter, parameters};
use crate::code::operation::TextArgument;
use crate::code::outline::Value;
use crate::code::static_value::{StaticValue, Text};
use crate::decode;

/// The maximum number of tokens between the brackets of a call whose texts are known.
const MAX_TOKENS: usize = 100;

/// The name of the text that a function extends.
const RECEIVER: &str = "this";

/// Signs before an argument that stands for any number of them.
const SPREADS: [&str; 3] = ["*", "**", "..."];

/// A function, and the values of its parameters, as far as its call has them.
#[derive(Default)]
pub(crate) struct CalledFunction<'s> {
    pub(super) scope: usize,
    pub(super) parameters: HashMap<&'s str, BoundValue<'s>>,
}

/// The value of a parameter.
#[derive(Clone)]
pub(super) enum BoundValue<'s> {
    /// A text that another host has.
    Text(String),
    /// The text before the dot of a function that extends texts.
    Known(StaticValue),
    /// An expression in a scope, with the function around the call.
    Here(Range<usize>, usize, Rc<CalledFunction<'s>>),
}

/// The arguments of the next call.
#[derive(Default)]
pub(super) struct NextCall {
    /// The brackets and the scope of the call; `None` for a call of another host.
    here: Option<(Range<usize>, usize)>,
    /// The texts among the arguments.
    texts: Vec<TextArgument>,
}

impl<'s> Expressions<'_, 's> {
    /// Sets the arguments of the next call, which are between two brackets in a scope.
    pub(in crate::code) fn prepare_call(&mut self, arguments: Range<usize>, scope: usize) {
        let texts = self.text_arguments(arguments.clone(), scope);
        let brackets = arguments.start - 1..arguments.end + 1;
        self.next_call = NextCall { here: Some((brackets, scope)), texts };
    }

    /// Sets the arguments of the next call, which are those of another host.
    pub(in crate::code) fn prepare_texts(&mut self, texts: &[TextArgument]) {
        self.next_call = NextCall { here: None, texts: texts.to_vec() };
    }

    /// The next call has no arguments.
    pub(in crate::code) fn forget_call(&mut self) {
        self.next_call = NextCall::default();
    }

    /// The texts among the arguments of the next call.
    pub(in crate::code) fn next_texts(&self) -> Vec<TextArgument> {
        self.next_call.texts.clone()
    }

    /// `true` if the next call has arguments.
    pub(super) fn has_arguments(&self) -> bool {
        let here = self.next_call.here.as_ref();
        here.is_some_and(|(brackets, _)| brackets.len() > 2) || !self.next_call.texts.is_empty()
    }

    /// The literal texts among the arguments of a call in a scope, and the constants that are one.
    fn text_arguments(&self, arguments: Range<usize>, scope: usize) -> Vec<TextArgument> {
        if arguments.len() > MAX_TOKENS {
            return Vec::new();
        }
        let sign = self.grammar.keyword_sign;
        let mut texts = Vec::new();
        for (position, part) in self.tokens.split(arguments).into_iter().enumerate() {
            let has_keyword = part.len() == 3 && Some(self.tokens.text(part.start + 1)) == sign;
            let value = if has_keyword { part.start + 2 } else { part.start };
            let literal = (value + 1 == part.end).then(|| self.literal_of(value, scope)).flatten();
            let Some(literal) = literal else { continue };
            let range = self.tokens.range(literal..literal + 1);
            let text = decode::decode(self.tokens.language, self.tokens.source, range);
            let text = text.filter(|text| text.holes().next().is_none());
            let keyword = has_keyword.then(|| self.tokens.text(part.start).to_owned());
            texts.extend(text.map(|text| TextArgument {
                keyword,
                position,
                text: text.text().to_owned(),
            }));
        }
        texts
    }

    /// The literal that a token is, or that the constant of its name in a scope has.
    fn literal_of(&self, token: usize, scope: usize) -> Option<usize> {
        if self.tokens.is_literal(token) {
            return Some(token);
        }
        match self.outline.value(scope, self.tokens.text(token))?.1 {
            Value::Expression(value) if value.len() == 1 && self.tokens.is_literal(value.start) => {
                Some(value.start)
            }
            _ => None,
        }
    }

    /// Calls a function with the arguments of the next call. Returns the function around.
    pub(in crate::code) fn enter(&mut self, function: usize) -> Rc<CalledFunction<'s>> {
        let (tokens, outline) = (self.tokens, self.outline);
        let scope = outline.functions[function].scope;
        let around = self.called.clone();
        let call = std::mem::take(&mut self.next_call);
        let mut called = CalledFunction { scope, ..CalledFunction::default() };
        if call.here.is_some() || !call.texts.is_empty() {
            let own = self.parameters.entry(function);
            let own = own.or_insert_with(|| parameters(tokens, outline, function, scope).into());
            for parameter in own.clone().iter() {
                let value = match &call.here {
                    Some((brackets, scope)) => {
                        let own = self.bound_here(parameter, brackets.clone());
                        own.map(|own| BoundValue::Here(own, *scope, around.clone()))
                    }
                    None => {
                        let is_it = |it: &&TextArgument| match &it.keyword {
                            Some(keyword) => keyword == parameter.name,
                            None => Some(it.position) == parameter.position,
                        };
                        let text = call.texts.iter().find(is_it);
                        text.map(|it| BoundValue::Text(it.text.clone()))
                    }
                };
                called.parameters.extend(value.map(|value| (parameter.name, value)));
            }
        }
        std::mem::replace(&mut self.called, Rc::new(called))
    }

    /// The text after a function of the host that extends texts: `"…".withRules()`.
    pub(in crate::code) fn after_extension(
        &mut self,
        name: &str,
        known: StaticValue,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let function = (*self.outline.extensions.get(name)?)?;
        let [returned] = self.outline.functions[function].returns.as_slice() else { return None };
        let (returned, scope) = (returned.clone(), self.outline.functions[function].scope);
        let own = match &known {
            StaticValue::Here(text) => text.literals.clone(),
            StaticValue::Elsewhere(_) => Vec::new(),
        };
        let parameters = [(RECEIVER, BoundValue::Known(known))].into_iter().collect();
        let called = Rc::new(CalledFunction { scope, parameters });
        let around = std::mem::replace(&mut self.called, called);
        let scope = self.outline.scope_at(returned.start);
        let place = ExpressionContext::new(scope, place.followed + 1, returned.start);
        let mut known = self.expression(returned, place);
        self.leave(around);
        if let Some(StaticValue::Here(text)) = &mut known
            && !own.is_empty()
        {
            // The literals of the function belong to all of its calls.
            let others = std::mem::replace(&mut text.literals, own.clone()).into_iter();
            text.included.extend(others);
            text.included.retain(|literal| !own.contains(literal));
            text.name = None;
        }
        known
    }

    /// Returns from a function to the one around its call.
    pub(in crate::code) fn leave(&mut self, around: Rc<CalledFunction<'s>>) {
        self.called = around;
    }

    /// All values of an expression in a function that is called, perhaps by another function.
    pub(in crate::code) fn variants_in_calls(
        &mut self,
        calls: &[Inlined],
        value: Range<usize>,
    ) -> Vec<Variant> {
        let Some(first) = calls.first() else { return Vec::new() };
        let place = self.tokens.range(first.brackets.clone());
        self.variants_of(value.clone(), |it| {
            let (around, uses) = (it.called.clone(), it.bound_uses);
            for call in calls {
                let scope = it.outline.scope_at(call.brackets.start);
                it.prepare_call(call.brackets.start + 1..call.brackets.end - 1, scope);
                it.enter(call.function);
            }
            let mut known = it.known(value.clone(), 0);
            it.called = around;
            if let Some(StaticValue::Here(text)) = &mut known
                && it.bound_uses > uses
            {
                // The literals of the function belong to all of its calls.
                let own = Text::part(Some(std::mem::take(text)), place.clone());
                *text = own.or_at(place.clone());
            }
            known
        })
    }

    /// The argument of a call with these brackets for a parameter, or the default of the parameter.
    fn bound_here(
        &self,
        parameter: &Parameter<'s>,
        brackets: Range<usize>,
    ) -> Option<Range<usize>> {
        let inside = brackets.start + 1..brackets.end - 1;
        let is_spread = |part: &Range<usize>| SPREADS.contains(&self.tokens.text(part.start));
        if self.tokens.split(inside).iter().any(is_spread) {
            return None;
        }
        let written = arguments(self.tokens, brackets.start, brackets.end - 1);
        let given = argument(&written, parameter.name, parameter.position);
        given.map(|it| it.value.clone()).or_else(|| parameter.default.clone())
    }

    /// `true` in a function that is called with arguments.
    pub(super) fn is_in_called(&self, scope: usize) -> bool {
        !self.called.parameters.is_empty()
            && self.outline.outwards(scope).any(|around| around == self.called.scope)
    }

    /// The value of a parameter that the call of its function has set, if a name in a scope is one.
    fn bound(&self, name: &str, scope: usize) -> Option<BoundValue<'s>> {
        let value = self.called.parameters.get(name).filter(|_| self.is_in_called(scope))?;
        let inner = self.outline.outwards(scope).take_while(|it| *it != self.called.scope);
        let is_hidden = inner.into_iter().any(|it| self.outline.names.contains_key(&(it, name)));
        (!is_hidden).then(|| value.clone())
    }

    /// The value of a name that is a parameter of the called function: an expression of its call.
    pub(super) fn parameter_value(
        &mut self,
        name: &str,
        place: ExpressionContext,
    ) -> Option<Option<StaticValue>> {
        self.in_argument(name, place, |it, tokens, place| it.expression(tokens, place))
    }

    /// Evaluates the argument of a parameter in the function around the call; an outer `None` for a
    /// name that is no parameter.
    pub(in crate::code) fn in_argument(
        &mut self,
        name: &str,
        place: ExpressionContext,
        evaluate: impl FnOnce(&mut Self, Range<usize>, ExpressionContext) -> Option<StaticValue>,
    ) -> Option<Option<StaticValue>> {
        let (tokens, scope, around) = match self.bound(name, place.scope)? {
            BoundValue::Here(tokens, scope, around) => (tokens, scope, around),
            BoundValue::Known(known) => return Some(Some(known)),
            BoundValue::Text(text) => {
                self.lost = Some(text);
                return Some(None);
            }
        };
        let called = std::mem::replace(&mut self.called, around);
        let (depth, at) = (place.depth + 1, tokens.start);
        let place = ExpressionContext { scope, depth, at, is_operand: false, ..place };
        let known = evaluate(self, tokens, place);
        self.called = called;
        // In a text, this character would be a hole.
        let known = known.filter(|known| match known {
            StaticValue::Here(text) => text.may_be_included(),
            StaticValue::Elsewhere(_) => true,
        });
        self.bound_uses += usize::from(known.is_some());
        Some(known)
    }

    /// The text of a parameter.
    pub(in crate::code) fn parameter(
        &mut self,
        name: &str,
        place: ExpressionContext,
    ) -> Option<String> {
        match self.bound(name, place.scope)? {
            BoundValue::Text(text) => Some(text),
            BoundValue::Known(known) => known.into_text(),
            BoundValue::Here(..) => self.parameter_value(name, place)??.into_text(),
        }
    }
}
