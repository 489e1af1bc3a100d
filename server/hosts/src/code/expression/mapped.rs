//! Lists of which each item is put into a text: ``RULES.map((rule) => `- ${rule}`)``, and in Python
//! `f"- {rule}" for rule in RULES`.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::called::{BoundValue, CalledFunction, ItemText};
use super::{CALL_COST, ExpressionContext, Expressions};
use crate::code::static_value::{StaticValue, Text};
use crate::language::Language;

/// The method of a list that calls a function with each item, and returns the results.
const MAP: &str = "map";

/// Methods of a list that return another list, with the same items or texts made of them.
pub(super) const TRANSFORMS: [&str; 10] = [
    "concat",
    "filter",
    "flatMap",
    "map",
    "mapIndexed",
    "reversed",
    "slice",
    "sorted",
    "stream",
    "toSorted",
];

impl<'s> Expressions<'_, 's> {
    /// The text that each item is put into, and the list.
    pub(super) fn mapped(
        &self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(ItemText<'s>, Range<usize>)> {
        let (name, body, list) = match self.tokens.language {
            Language::Python => self.comprehension(tokens)?,
            _ => self.arrow_of_map(tokens)?,
        };
        // Tokens in templates have no scope of their own.
        let is_nested = body.start >= self.tokens.all.len();
        let scope = if is_nested { place.scope } else { self.outline.scope_at(body.start) };
        let around = self.called.clone();
        Some((ItemText { name: self.tokens.text(name), body, scope, around }, list))
    }

    /// The item, the body and the list of `f"- {rule}" for rule in RULES`, perhaps in brackets.
    fn comprehension(&self, tokens: Range<usize>) -> Option<(usize, Range<usize>, Range<usize>)> {
        let close = self.tokens.partner(tokens.start).filter(|close| close + 1 == tokens.end);
        let is_bracket = matches!(self.tokens.text(tokens.start), "[" | "(");
        let inside = match close.filter(|_| is_bracket) {
            Some(close) => tokens.start + 1..close,
            None => tokens,
        };
        let is_word = |at: &usize| matches!(self.tokens.text(*at), "for" | "if" | "async");
        let mut words = self.tokens.at_depth(inside.clone()).filter(is_word);
        let sign = words.next().filter(|at| self.tokens.text(*at) == "for")?;
        let is_alone = words.next().is_none() && self.tokens.text(sign + 2) == "in";
        is_alone.then(|| (sign + 1, inside.start..sign, sign + 3..inside.end))
    }

    /// The item, the body and the list of ``RULES.map((rule) => `- ${rule}`)``.
    fn arrow_of_map(&self, tokens: Range<usize>) -> Option<(usize, Range<usize>, Range<usize>)> {
        let is_script = self.grammar.mappers.contains(&MAP);
        let dot = self.dot_before(&[MAP], tokens.clone()).filter(|_| is_script)?;
        let close = self.tokens.closer(dot + 2, "(").filter(|close| close + 1 == tokens.end)?;
        let start = dot + 3;
        let (name, arrow) = match self.tokens.closer(start, "(") {
            Some(end) => (start + 1, end + 1),
            None => (start, start + 1),
        };
        let body = arrow + 1..close;
        let is_arrow = self.tokens.is_word(name) && self.tokens.text(arrow) == "=>";
        let has_text = !body.is_empty() && self.tokens.text(body.start) != "{";
        let is_last = self.tokens.split(body.clone()).len() == 1;
        (is_arrow && has_text && is_last).then_some((name, body, tokens.start..dot))
    }

    /// The list of which a method returns another list, whose items are not followed.
    pub(super) fn changed_list(&self, tokens: Range<usize>) -> Option<Range<usize>> {
        let dot = self.dot_before(&TRANSFORMS, tokens.clone())?;
        Some(tokens.start..dot)
    }

    /// The text that an item is put into.
    pub(super) fn item_text(
        &mut self,
        into: &ItemText<'s>,
        item: Range<usize>,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let range = self.tokens.range(item.clone());
        let body_place = ExpressionContext { scope: into.scope, at: into.body.start, ..place };
        self.work += into.body.len() * CALL_COST;
        let around = std::mem::replace(&mut self.called, into.around.clone());
        let mut parameters = match self.is_in_called(into.scope) {
            true => self.called.parameters.clone(),
            false => HashMap::new(),
        };
        parameters.insert(into.name, BoundValue::Here(item, place.scope, around.clone()));
        self.called = Rc::new(CalledFunction { scope: into.scope, parameters });
        let known = self.expression(into.body.clone(), body_place);
        self.called = around;
        // The literals of the text belong to all of its items.
        Some(match known? {
            StaticValue::Here(text) => {
                StaticValue::Here(Text::part(Some(text), range.clone()).or_at(range))
            }
            known => known,
        })
    }
}
