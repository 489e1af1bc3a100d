//! Operands that start with a name: functions of texts, constants and their members, calls.

use std::ops::Range;

use super::{ExpressionContext, Expressions};
use crate::code::static_value::{StaticValue, Text, either};

impl<'s> Expressions<'_, 's> {
    /// An operand that starts with a name: a text function, a followed name, or a hole. Returns
    /// also the position after it.
    pub(super) fn named_operand(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        let is_new = self.has_objects() && self.tokens.text(tokens.start) == "new";
        let start = tokens.start + usize::from(is_new);
        let head = self.tokens.text(start);
        if self.grammar.keywords.contains(&head)
            || head.starts_with(|char: char| char.is_ascii_digit())
        {
            return None;
        }
        let (chain, at) = self.chain(start..tokens.end);
        let close = self.tokens.closer(at, "(").filter(|close| *close < tokens.end);
        if is_new && close.is_none_or(|close| self.tokens.text(close + 1) != ".") {
            return None;
        }
        if let (Some(function), Some(close)) = (self.function(&chain, place.scope), close) {
            let (text, rest) = match self.tokens.split(at + 1..close).split_first() {
                Some((text, rest)) if function.takes_more => (text.clone(), rest.to_vec()),
                _ => (at + 1..close, Vec::new()),
            };
            let known = self.expression(text, ExpressionContext { is_operand: false, ..place })?;
            let operation = self.operation(&function.does, &rest, place)?;
            return Some((self.apply(known, operation)?, close + 1));
        }
        if let Some(tagged) = self.tagged(&chain, at, place.scope) {
            return Some((tagged, at + 1));
        }
        if place.is_operand {
            return Some(self.part_of_name(start..at, tokens, place));
        }
        if let Some(close) = close
            && let (keys, next) = self.members_after(close + 1..tokens.end)
            && !keys.is_empty()
            && let Some(known) = self.member_of_value(start..close + 1, &keys, place)
        {
            return Some((known, next));
        }
        if let Some(close) = close.filter(|_| self.has_objects())
            && self.tokens.text(close + 1) == "."
            && !self.is_method(self.tokens.text(close + 2))
        {
            return self.member_of_call(tokens, close, place);
        }
        if let Some((members, next)) = self.computed_members(&chain, at..tokens.end, place) {
            return Some((self.value_of_members(head, &members, place)?, next));
        }
        let next = close.map_or(at, |close| close + 1);
        if next <= at + 2
            && let Some(known) = self.path_or_call(&chain, at..next, place)
        {
            return Some((known, next));
        }
        let uses = self.bound_uses;
        if let Some(close) = close {
            self.prepare_call(at + 1..close, place);
        }
        let mut known = self.value_of_path(&chain, close.is_some(), place);
        self.forget_call();
        if let Some(known) = known.as_ref().filter(|_| self.bound_uses > uses && close.is_some()) {
            self.note_text(self.tokens.range(start..at), known);
        }
        if let Some(StaticValue::Here(text)) = &mut known
            && self.bound_uses > uses
            && close.is_some()
        {
            // The literals of the function belong to all of its calls.
            let call = self.tokens.range(start..next);
            *text = Text::part(Some(std::mem::take(text)), call.clone()).or_at(call);
        }
        if let Some((holder, "get")) = chain.split_last().map(|(last, holder)| (holder, *last))
            && let Some((key, _)) = self.got_key(at.saturating_sub(2))
            && !holder.is_empty()
        {
            // The method of a dictionary, unless a module has a function of this name.
            let keyed = self.value_of_path(&[holder, &[key]].concat(), false, place);
            known = either(known, keyed);
        }
        if !matches!(known, Some(StaticValue::Here(_)))
            && let Some((default, end)) = self.default_of(tokens).filter(|(_, end)| *end >= next)
        {
            let value = self.chosen(start..end, &[start..end, default])?;
            return match value.end < end {
                true => Some((self.expression(value, place)?, end)),
                false => Some((known.filter(|_| next == end)?, end)),
            };
        }
        Some((known?, next))
    }

    /// An operand of a concatenation that starts with a name, whose own tokens are `named`, as a part
    /// of the text. Returns also the position after it.
    fn part_of_name(
        &mut self,
        named: Range<usize>,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> (StaticValue, usize) {
        let end = self.operand_end(named.start..tokens.end);
        let alone = ExpressionContext { is_operand: false, ..place };
        let known = self.operand(tokens.start..end, alone).filter(|(_, next)| *next == end);
        let known = known.map(|(known, _)| known);
        let name = self.tokens.range(named.start..named.end.clamp(named.start + 1, end));
        let part = self.part_named(known, self.tokens.range(tokens.start..end), name);
        (StaticValue::Here(part), end)
    }

    /// The value of a path to a member of a constant, perhaps called, with these brackets.
    fn path_or_call(
        &mut self,
        chain: &[&'s str],
        brackets: Range<usize>,
        place: ExpressionContext,
    ) -> Option<StaticValue> {
        let (last, holder) = chain.split_last()?;
        let called = &self.tokens.source[self.tokens.range(brackets.start - 1..brackets.end)];
        let last = if brackets.is_empty() { last } else { called };
        self.object_path(&[holder, &[last]].concat(), place)
    }

    /// The argument that a call in an operand returns if it has no other value, and the position
    /// after the call.
    fn default_of(&self, tokens: Range<usize>) -> Option<(Range<usize>, usize)> {
        let end = self.operand_end(tokens.clone());
        self.tokens.at_depth(tokens.start..end).find_map(|at| {
            let name = self.tokens.text(at);
            let (_, position) = self.grammar.defaults.iter().find(|(known, _)| *known == name)?;
            let close = self.tokens.closer(at + 1, "(")?;
            let default = self.tokens.split(at + 2..close).into_iter().nth(*position)?;
            Some((default, close + 1))
        })
    }
}
