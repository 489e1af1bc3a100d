//! Chains in which a template is not the first part, or is an argument: the map before it has its
//! values, `{"context": retriever} | template`; a sequence that starts with it takes its values,
//! `RunnableSequence.from([template, model])`.

use std::ops::Range;

use super::contracts::{Contracts, PIPE};
use super::maps::Keys;
use crate::code::recogniser::TemplateMethods;

/// The methods that add a part at the end of a chain, with the part as their argument.
const APPENDS: &str = "pipe";

/// The part of a chain directly before a template, which has keys.
pub(super) struct PartBefore {
    pub part: Range<usize>,
    /// The part with the template, if it adds its keys to what the chain is called with.
    pub adding: Option<Range<usize>>,
}

impl Contracts<'_, '_> {
    /// The map that a chain passes to a template, which is an expression. Adds its keys.
    pub(super) fn part_before(
        &self,
        template: Range<usize>,
        methods: &TemplateMethods,
        keys: &mut Keys,
    ) -> Option<PartBefore> {
        let sign = template.start.checked_sub(1)?;
        let mut last = sign.checked_sub(1)?;
        let mut end = Some(template.end);
        match self.tokens.text(sign) {
            PIPE if !methods.sequences.is_empty() => {}
            "," if self.sequence_with(&template, methods).is_some() => end = None,
            "(" if self.tokens.text(last) == APPENDS => {
                let sign = last.checked_sub(1)?;
                let close = self.tokens.closer(sign + 2, "(");
                close.filter(|close| *close == template.end)?;
                last = sign.checked_sub(1)?;
                end = Some(template.end + 1);
            }
            _ => return None,
        }
        let (part, adds) = self.read_part(last, methods, keys)?;
        let adding = end.filter(|_| adds).map(|end| part.start..end);
        keys.is_whole &= !adds || adding.is_some();
        Some(PartBefore { part, adding })
    }

    /// Reads the keys of a part of a chain that ends with a token, if it is a map. Returns it, and
    /// `true` if it adds them to what it is called with.
    fn read_part(
        &self,
        last: usize,
        methods: &TemplateMethods,
        keys: &mut Keys,
    ) -> Option<(Range<usize>, bool)> {
        let open = self.tokens.partner(last).filter(|open| *open < last)?;
        let whole = open..last + 1;
        if self.tokens.text(open) == "{" {
            self.maps.read_map(whole.clone(), keys);
            return Some((whole, false));
        }
        let callee = self.tokens.callee(open);
        let name = callee.join(".");
        let adds = methods.adding.contains(&&*name);
        if !adds && !methods.maps.contains(&&*name) {
            return None;
        }
        let arguments = self.tokens.split(open + 1..last);
        match arguments.first().filter(|first| self.tokens.text(first.start) == "{") {
            Some(map) => self.maps.read_map(map.clone(), keys),
            None => self.read_keywords(arguments, keys),
        }
        let start = (self.tokens.before_call(open) + 2).checked_sub(2 * callee.len())?;
        Some((start..last + 1, adds))
    }

    /// The call with a chain as one of its branches, which are all called with the same values:
    /// `RunnableParallel(a=template | model, b=other)`. With `is_first`, the template may be the first
    /// part of the branch.
    pub(super) fn branches_around(
        &self,
        template: Range<usize>,
        is_first: bool,
        methods: &TemplateMethods,
    ) -> Option<Range<usize>> {
        let sign = template.start.checked_sub(1)?;
        let is_value = matches!(self.tokens.text(sign), "=" | ":")
            && (is_first || matches!(self.tokens.text(template.end), "," | ")" | "}"));
        let open = is_value.then(|| self.tokens.opener_around(sign))??;
        let open = match self.tokens.text(open) {
            "{" => open.checked_sub(1).filter(|it| self.tokens.text(*it) == "(")?,
            _ => open,
        };
        let close = self.tokens.closer(open, "(")?;
        let callee = self.tokens.callee(open);
        let name = callee.join(".");
        let is_it = methods.maps.contains(&&*name) || methods.adding.contains(&&*name);
        let start = (self.tokens.before_call(open) + 2).checked_sub(2 * callee.len())?;
        is_it.then_some(start..close + 1)
    }

    /// The call that creates a chain with a template.
    pub(super) fn wrapping(
        &self,
        template: Range<usize>,
        methods: &TemplateMethods,
    ) -> Option<Range<usize>> {
        if methods.wrapping.is_empty() || !matches!(self.tokens.text(template.end), "," | ")" | "}")
        {
            return None;
        }
        let inner = self.tokens.opener_around(template.start)?;
        let open = match self.tokens.text(inner) {
            "{" => inner.checked_sub(1)?,
            _ => inner,
        };
        let close = self.tokens.closer(open, "(")?;
        let callee = self.tokens.callee(open);
        let row = methods.wrapping.iter().find(|row| callee == [row.callee])?;
        let arguments = self.tokens.split(inner + 1..self.tokens.partner(inner)?);
        let (keyword, position) = row.argument;
        let is_it = |(index, argument): (usize, &Range<usize>)| {
            let is_value = argument.end == template.end;
            let is_named =
                self.tokens.text(argument.start) == keyword && argument.start + 2 == template.start;
            // `{ llm, prompt }`
            let is_short = inner != open && self.tokens.text(template.start) == keyword;
            let is_alone = *argument == template && (is_short || Some(index) == position);
            is_value && (is_named || is_alone)
        };
        let has_more = arguments.iter().any(|it| self.tokens.text(it.start) == row.unless);
        if has_more || !arguments.iter().enumerate().any(is_it) {
            return None;
        }
        let start = self.tokens.before_call(open);
        let new = start.checked_sub(1).filter(|before| self.tokens.text(*before) == "new");
        Some(new.unwrap_or(start)..close + 1)
    }

    /// The call that creates a sequence of which an expression is the first part.
    pub(super) fn sequence_around(
        &self,
        template: Range<usize>,
        methods: &TemplateMethods,
    ) -> Option<Range<usize>> {
        let start = template.start;
        let (first, call) = self.sequence_with(&template, methods)?;
        (first == start).then_some(call)
    }

    /// The first token in the list of parts of a sequence with an expression, and the call that
    /// creates it: `f(a, b)`, `f([a, b])`.
    fn sequence_with(
        &self,
        part: &Range<usize>,
        methods: &TemplateMethods,
    ) -> Option<(usize, Range<usize>)> {
        if !matches!(self.tokens.text(part.end), "," | ")" | "]") {
            return None;
        }
        if !matches!(self.tokens.text(part.start.checked_sub(1)?), "," | "(" | "[") {
            return None;
        }
        let list = self.tokens.opener_around(part.start)?;
        let open = list - usize::from(self.tokens.text(list) == "[");
        let callee = self.tokens.callee(open);
        if !methods.sequences.contains(&&*callee.join(".")) {
            return None;
        }
        let start = (self.tokens.before_call(open) + 2).checked_sub(2 * callee.len())?;
        Some((list + 1, start..self.tokens.partner(open)? + 1))
    }
}
