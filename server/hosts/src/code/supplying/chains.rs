//! Chains in which a template is not the first part, or is an argument: the map before it has its
//! values, `{"context": retriever} | template`; a sequence that starts with it takes its values,
//! `RunnableSequence.from([template, model])`.

use std::ops::Range;

use super::contracts::{Contracts, PIPE};
use super::maps::Keys;
use crate::code::recogniser::TemplateMethods;
use crate::token::TokenKind;

/// The methods that add a part at the end of a chain, with the part as their argument.
const APPENDS: &str = "pipe";

impl Contracts<'_, '_> {
    /// The map that a chain passes to a template, which is an expression. Adds its keys; a map with
    /// further values of the chain has unknown ones, too.
    pub(super) fn map_before(
        &self,
        template: Range<usize>,
        methods: &TemplateMethods,
        keys: &mut Keys,
    ) -> Option<Range<usize>> {
        let sign = template.start.checked_sub(1)?;
        let last = sign.checked_sub(1)?;
        let is_chained = match self.tokens.text(sign) {
            PIPE => !methods.sequences.is_empty(),
            "," => self.sequence_with(template, methods).is_some(),
            "(" => {
                let sign = last.checked_sub(1).filter(|_| self.tokens.text(last) == APPENDS)?;
                let is_whole = self.tokens.closer(sign + 2, "(") == Some(template.end);
                let receiver = sign.checked_sub(1).filter(|_| is_whole)?;
                return self.read_part(receiver, methods, keys);
            }
            _ => false,
        };
        is_chained.then(|| self.read_part(last, methods, keys))?
    }

    /// Reads the keys of a part of a chain that ends with a token, if it is a map.
    fn read_part(
        &self,
        last: usize,
        methods: &TemplateMethods,
        keys: &mut Keys,
    ) -> Option<Range<usize>> {
        let open = self.tokens.partner(last).filter(|open| *open < last)?;
        let whole = open..last + 1;
        if self.tokens.text(open) == "{" {
            self.maps.read_map(whole.clone(), keys);
            return Some(whole);
        }
        let callee = self.tokens.callee(open).join(".");
        let adds = methods.adding.contains(&&*callee);
        if !adds && !methods.maps.contains(&&*callee) {
            return None;
        }
        let arguments = self.tokens.split(open + 1..last);
        match arguments.first().filter(|first| self.tokens.text(first.start) == "{") {
            Some(map) => self.maps.read_map(map.clone(), keys),
            None => self.read_keywords(arguments, keys),
        }
        keys.is_whole &= !adds;
        Some(whole)
    }

    /// The call that creates a sequence of which an expression is the first part.
    pub(super) fn sequence_around(
        &self,
        template: Range<usize>,
        methods: &TemplateMethods,
    ) -> Option<Range<usize>> {
        let start = template.start;
        let (first, call) = self.sequence_with(template, methods)?;
        (first == start).then_some(call)
    }

    /// The first token in the list of parts of a sequence with an expression, and the call that
    /// creates it: `f(a, b)`, `f([a, b])`.
    fn sequence_with(
        &self,
        part: Range<usize>,
        methods: &TemplateMethods,
    ) -> Option<(usize, Range<usize>)> {
        if !matches!(self.tokens.text(part.end), "," | ")" | "]") {
            return None;
        }
        let mut list = part.start.checked_sub(1)?;
        if !matches!(self.tokens.text(list), "," | "(" | "[") {
            return None;
        }
        while self.tokens.kind(list) != Some(TokenKind::Open) {
            list = self.tokens.previous(list).filter(|it| *it > 0)?;
            // An opening bracket with its partner is a part of another part.
            list -= usize::from(self.tokens.partner(list).is_some_and(|close| close < part.start));
        }
        let open = list - usize::from(self.tokens.text(list) == "[");
        let callee = self.tokens.callee(open);
        if !methods.sequences.contains(&&*callee.join(".")) {
            return None;
        }
        let start = (self.tokens.before_call(open) + 2).checked_sub(2 * callee.len())?;
        Some((list + 1, start..self.tokens.partner(open)? + 1))
    }
}
