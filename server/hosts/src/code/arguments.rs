//! Arguments of calls of the functions of a host: a text that is passed to a function is a part of
//! the text that the function returns.

use std::ops::Range;
use std::rc::Rc;

use super::expression::{ArgumentValue, CalledFunction, ExpressionContext, Expressions};
use super::factories::{Parameter, parameters};
use super::operation::TextArgument;
use super::outline::Value;
use super::static_value::{StaticValue, Text};
use promptls_data::HOLE;

/// The name of the text that a function extends.
const RECEIVER: &str = "this";

impl<'s> Expressions<'_, 's> {
    /// Calls a function with the arguments of the next call, until [`Expressions::leave`].
    pub(super) fn enter(&mut self, function: usize) {
        let scope = self.outline.functions[function].scope;
        let mut called = CalledFunction { scope, ..CalledFunction::default() };
        let arguments = std::mem::take(&mut self.arguments);
        let tokens = std::mem::replace(&mut self.argument_tokens, 0..0);
        if !arguments.is_empty() || !tokens.is_empty() {
            let all = self.items(tokens);
            for parameter in self.parameters_of(function, scope).iter() {
                let is_it = |it: &&TextArgument| match &it.keyword {
                    Some(keyword) => keyword == parameter.name,
                    None => Some(it.position) == parameter.position,
                };
                if let Some(argument) = arguments.iter().find(is_it) {
                    called.parameters.insert(parameter.name, argument.text.clone());
                }
                if let Some(value) = self.argument_tokens_of(&all, parameter) {
                    called.values.insert(parameter.name, ArgumentValue::Tokens(value));
                }
            }
        }
        self.push(called);
    }

    fn push(&mut self, mut called: CalledFunction<'s>) {
        called.around = Some(Box::new(std::mem::take(&mut self.called)));
        self.called = called;
    }

    /// Ends the call of a function.
    pub(super) fn leave(&mut self) {
        let around = self.called.around.take();
        self.called = around.map_or_else(CalledFunction::default, |around| *around);
    }

    /// The parameters of a function. Cached, because a program may call it often.
    fn parameters_of(&mut self, function: usize, scope: usize) -> Rc<[Parameter<'s>]> {
        let (tokens, outline) = (self.tokens, self.outline);
        let all = || parameters(tokens, outline, function, scope).into();
        self.parameters.entry(function).or_insert_with(all).clone()
    }

    fn argument_tokens_of(
        &self,
        all: &[Range<usize>],
        parameter: &Parameter<'_>,
    ) -> Option<Range<usize>> {
        let sign = self.grammar.keyword_sign;
        let has_keyword = |it: &Range<usize>| Some(self.tokens.text(it.start + 1)) == sign;
        let is_it =
            |it: &&Range<usize>| has_keyword(it) && self.tokens.text(it.start) == parameter.name;
        if let Some(named) = all.iter().find(is_it) {
            return Some(named.start + 2..named.end);
        }
        all.get(parameter.position?).filter(|it| !has_keyword(it)).cloned()
    }

    /// `true` in a function that is called with arguments.
    pub(super) fn is_in_called(&self, scope: usize) -> bool {
        (!self.called.parameters.is_empty() || !self.called.values.is_empty())
            && self.outline.outwards(scope).any(|around| around == self.called.scope)
    }

    /// The argument of a parameter.
    pub(super) fn argument_of_call(
        &self,
        name: &str,
        place: ExpressionContext,
    ) -> Option<ArgumentValue> {
        let argument = self.called.values.get(name).filter(|_| self.is_in_called(place.scope))?;
        let is_parameter = name == RECEIVER
            || matches!(self.outline.value(place.scope, name),
                Some((scope, Value::Unknown)) if scope == self.called.scope);
        is_parameter.then(|| argument.clone())
    }

    /// The value of an argument of the called function, in the function around the call.
    pub(super) fn value_of_argument(
        &mut self,
        argument: ArgumentValue,
        followed: u8,
    ) -> Option<StaticValue> {
        let value = match argument {
            ArgumentValue::Receiver(known) => return Some(known),
            ArgumentValue::Tokens(value) => value,
        };
        let mut called = std::mem::take(&mut self.called);
        self.called = called.around.take().map_or_else(CalledFunction::default, |it| *it);
        let scope = self.outline.scope_at(value.start);
        let place = ExpressionContext::new(scope, followed, value.start);
        let known = self.expression(value, place);
        self.push(called);
        // Where it is put in, this character would be a hole.
        let has_only_holes =
            |text: &Text| text.decoded.text().matches(HOLE).count() == text.decoded.holes().count();
        known.filter(|known| match known {
            StaticValue::Here(text) => has_only_holes(text),
            StaticValue::Elsewhere(_) => true,
        })
    }

    /// The text after a function of the host that extends texts: `"…".withRules()`.
    pub(super) fn after_extension(
        &mut self,
        name: &str,
        known: StaticValue,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let function = (*self.outline.extensions.get(name)?)?;
        let [returned] = self.outline.functions[function].returns.as_slice() else { return None };
        let (returned, scope) = (returned.clone(), self.outline.functions[function].scope);
        let receiver = ArgumentValue::Receiver(known);
        let values = [(RECEIVER, receiver)].into_iter().collect();
        self.push(CalledFunction { scope, values, ..CalledFunction::default() });
        let inner = self.outline.scope_at(returned.start);
        let inner = ExpressionContext::new(inner, place.followed + 1, returned.start);
        let known = self.expression(returned, inner);
        self.leave();
        known
    }
}
