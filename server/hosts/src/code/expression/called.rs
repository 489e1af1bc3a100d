//! Functions that are called with arguments: `with_rules("…")`, `load("plan.txt")`.
//!
//! A call binds the parameters of its function while the returned expression is evaluated. A call in
//! this host binds them to its own expressions; a call of another host only has texts.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::choices::Choices;
use super::{ExpressionContext, Expressions, Variant};
use crate::code::calls::{Inlined, argument, arguments};
use crate::code::factories::{Parameter, parameters};
use crate::code::outline::Value;
use crate::code::static_value::{ArgumentValue, CallArgument, Reference, StaticValue, Text};

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
    /// All arguments, for another host.
    known: Vec<CallArgument>,
    /// `true` for a call of another host.
    is_elsewhere: bool,
}

/// The text that each item of a list is put into.
#[derive(Clone)]
pub(super) struct ItemText<'s> {
    /// The name of the item.
    pub(super) name: &'s str,
    pub(super) body: Range<usize>,
    pub(super) scope: usize,
    /// The function that is called around it.
    pub(super) around: Rc<CalledFunction<'s>>,
}

impl<'s> Expressions<'_, 's> {
    /// Sets the arguments of the next call, which are between two brackets in a scope.
    pub(in crate::code) fn prepare_call(
        &mut self,
        arguments: Range<usize>,
        place: ExpressionContext,
    ) {
        let known = self.call_arguments(arguments.clone(), place);
        let brackets = arguments.start - 1..arguments.end + 1;
        self.next_call =
            NextCall { here: Some((brackets, place.scope)), known, is_elsewhere: false };
    }

    /// Sets the arguments of the next call, which are those of another host.
    pub(in crate::code) fn prepare_arguments(&mut self, known: &[CallArgument]) {
        self.next_call = NextCall { here: None, known: known.to_vec(), is_elsewhere: true };
    }

    /// The next call has no arguments.
    pub(in crate::code) fn forget_call(&mut self) {
        self.next_call = NextCall::default();
    }

    /// The known arguments of the next call.
    pub(in crate::code) fn next_arguments(&self) -> Vec<CallArgument> {
        self.next_call.known.clone()
    }

    /// `true` if the next call has arguments.
    pub(super) fn has_arguments(&self) -> bool {
        let here = self.next_call.here.as_ref();
        here.is_some_and(|(brackets, _)| brackets.len() > 2) || !self.next_call.known.is_empty()
    }

    /// The arguments of a call that another host may need: texts, names of such, and unknown values.
    fn call_arguments(
        &mut self,
        arguments: Range<usize>,
        place: ExpressionContext,
    ) -> Vec<CallArgument> {
        if self.is_of_this_host(arguments.start - 1, place.scope) {
            return Vec::new();
        }
        if arguments.len() > MAX_TOKENS {
            return vec![CallArgument::any(0)];
        }
        let sign = self.grammar.keyword_sign;
        let mut known = Vec::new();
        for (position, part) in self.tokens.split(arguments).into_iter().enumerate() {
            if SPREADS.contains(&self.tokens.text(part.start)) {
                known.push(CallArgument::any(position));
                continue;
            }
            let has_keyword = part.len() > 2
                && self.tokens.is_word(part.start)
                && Some(self.tokens.text(part.start + 1)) == sign;
            let value = if has_keyword { part.start + 2 } else { part.start }..part.end;
            let keyword = has_keyword.then(|| self.tokens.text(part.start).to_owned());
            let value = self.argument_value(value, place).unwrap_or(ArgumentValue::Unknown);
            known.push(CallArgument { keyword, position, value });
        }
        known
    }

    /// `true` if the function before an opening bracket is one of this host.
    fn is_of_this_host(&self, open: usize, scope: usize) -> bool {
        let Some(name) = open.checked_sub(1) else { return false };
        let is_member = name.checked_sub(1).is_some_and(|dot| self.tokens.text(dot) == ".");
        let called = self.outline.called(scope, self.tokens.text(name));
        !is_member && matches!(called, Some((_, Value::Function(_))))
    }

    /// The value of an argument without calls, if it is a text, or a name that another host has.
    fn argument_value(
        &mut self,
        value: Range<usize>,
        place: ExpressionContext,
    ) -> Option<ArgumentValue> {
        let is_simple = |at: usize| {
            self.tokens.is_word(at)
                || self.tokens.is_literal(at)
                || matches!(self.tokens.text(at), "." | "+")
        };
        if value.is_empty() || !value.clone().all(is_simple) {
            return None;
        }
        if value.len() == 1
            && let Some(text) = self.parameter(self.tokens.text(value.start), place)
        {
            return Some(ArgumentValue::Text(text));
        }
        let literal =
            Some(value.start).filter(|at| value.len() == 1 && self.tokens.is_literal(*at));
        // A choice, a part or an error of an argument is none of the value of the call.
        let choices = std::mem::replace(&mut self.choices, Choices::unknown());
        let (parts, unread) = (std::mem::take(&mut self.parts), self.unread.take());
        let (depth, at) = (place.depth + 1, value.start);
        let known =
            self.expression(value, ExpressionContext { depth, at, is_operand: false, ..place });
        (self.choices, self.parts, self.unread) = (choices, parts, unread);
        match known? {
            StaticValue::Here(text) if text.parts.is_empty() => {
                let written = text.decoded.source(0..text.decoded.text().len());
                let text = StaticValue::Here(text).into_text()?;
                if literal.is_some() {
                    self.note_possible_path(written, &text);
                }
                Some(ArgumentValue::Text(text))
            }
            StaticValue::Elsewhere(reference) => {
                let is_module = |it: &Reference| it.other.module().is_some();
                let is_name = reference.meanings().all(is_module);
                is_name.then(|| ArgumentValue::Elsewhere(Box::new(reference)))
            }
            StaticValue::Here(_) => None,
        }
    }

    /// Calls a function with the arguments of the next call. Returns the function around.
    pub(in crate::code) fn enter(&mut self, function: usize) -> Rc<CalledFunction<'s>> {
        let (tokens, outline) = (self.tokens, self.outline);
        let scope = outline.functions[function].scope;
        let around = self.called.clone();
        let call = std::mem::take(&mut self.next_call);
        let mut called = CalledFunction { scope, ..CalledFunction::default() };
        if call.here.is_some() || call.is_elsewhere {
            let own = self.parameters.entry(function);
            let own = own.or_insert_with(|| parameters(tokens, outline, function, scope).into());
            for parameter in own.clone().iter() {
                let value = match &call.here {
                    Some((brackets, scope)) => {
                        let own = self.bound_here(parameter, brackets.clone());
                        own.map(|own| BoundValue::Here(own, *scope, around.clone()))
                    }
                    None => bound_elsewhere(parameter, &call.known).or_else(|| {
                        let default = parameter.default.clone().filter(|_| {
                            !call.known.iter().any(|it| it.is_any() || is_for(it, parameter))
                        });
                        let around_it = outline.scopes[scope].parent.unwrap_or_default();
                        Some(BoundValue::Here(default?, around_it, Rc::default()))
                    }),
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
            it.enter_calls(calls);
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

    /// The texts of the files at the paths that an expression in these calls may be, or their values
    /// at some keys.
    pub(in crate::code) fn variants_in_files(
        &mut self,
        calls: &[Inlined],
        path: Range<usize>,
        keys: &[&str],
    ) -> Vec<Variant> {
        self.variants_of(path.clone(), |it| {
            (it.unread, it.parts) = (None, Vec::new());
            let around = it.called.clone();
            it.enter_calls(calls);
            let known = it.in_file(path.clone(), keys);
            it.called = around;
            known
        })
    }

    /// Enters functions with the arguments of calls.
    fn enter_calls(&mut self, calls: &[Inlined]) {
        for call in calls {
            let at = call.brackets.start;
            let around = ExpressionContext::new(self.outline.scope_at(at), 0, at);
            self.prepare_call(at + 1..call.brackets.end - 1, around);
            self.enter(call.function);
        }
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
        self.in_argument(name, place, |it, tokens, place| {
            let known = it.expression(tokens.clone(), place)?;
            if it.tokens.is_word(tokens.start) {
                it.note_text(it.tokens.range(tokens), &known);
            }
            Some(known)
        })
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
        self.parameter_at(name, place).map(|(_, text)| text)
    }

    /// The same, after its range without quotes; `None` if another host has it.
    pub(in crate::code) fn parameter_at(
        &mut self,
        name: &str,
        place: ExpressionContext,
    ) -> Option<(Option<Range<usize>>, String)> {
        let known = match self.bound(name, place.scope)? {
            BoundValue::Text(text) => return Some((None, text)),
            BoundValue::Known(known) => known,
            BoundValue::Here(..) => self.parameter_value(name, place)??,
        };
        let StaticValue::Here(text) = &known else { return None };
        let written = text.decoded.source(0..text.decoded.text().len());
        Some((Some(written), known.into_text()?))
    }
}

/// `true` for the argument of a parameter in a call of another host.
fn is_for(argument: &CallArgument, parameter: &Parameter<'_>) -> bool {
    match &argument.keyword {
        Some(keyword) => keyword == parameter.name,
        None => Some(argument.position) == parameter.position,
    }
}

/// The value of a parameter in a call of another host; `None` if it is unknown or missing.
fn bound_elsewhere<'s>(
    parameter: &Parameter<'s>,
    arguments: &[CallArgument],
) -> Option<BoundValue<'s>> {
    match &arguments.iter().find(|it| is_for(it, parameter))?.value {
        ArgumentValue::Text(text) => Some(BoundValue::Text(text.clone())),
        ArgumentValue::Elsewhere(name) => {
            Some(BoundValue::Known(StaticValue::Elsewhere((**name).clone())))
        }
        ArgumentValue::Unknown => None,
    }
}
