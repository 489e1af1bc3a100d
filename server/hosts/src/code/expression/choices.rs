//! Expressions with several values: conditions, alternatives, names that are assigned more than
//! once, and functions with several returns.
//!
//! An expression is evaluated with the first value of each choice, and then again for each further
//! value of a choice, with the first values of the others. So all texts are found, and their number
//! is the sum of the values and not the product.

use std::ops::Range;

use super::{ExpressionContext, Expressions};
use crate::code::grammar::{Condition, Members};
use crate::code::static_value::{StaticValue, either};
use crate::unread::Unread;

/// The maximum number of variants of an expression; of more, its choices are unknown.
pub(crate) const MAX_VARIANTS: usize = 20;

/// The choices of an evaluation.
#[derive(Default)]
pub(super) struct Choices {
    /// The choices whose value is not the first one, with the index of their value.
    made: Vec<(Range<usize>, usize)>,
    /// The choices that the evaluation has met, with the number of their values.
    met: Vec<(Range<usize>, usize)>,
    /// The value of the last made choice.
    changed: Option<Range<usize>>,
    /// The value that was taken last.
    taken: Option<Range<usize>>,
    /// The number of choices met, each time counted.
    pub count: usize,
    /// `true` if no value is taken of any choice.
    are_unknown: bool,
}

impl Choices {
    /// No value is taken of any choice.
    pub(super) fn unknown() -> Choices {
        Choices { are_unknown: true, ..Choices::default() }
    }
}

/// A value of an expression.
pub(crate) struct Variant {
    /// The tokens of the value that is chosen; of the expression, if it has only one.
    pub tokens: Range<usize>,
    pub known: Option<StaticValue>,
    /// Why the value is unknown; see [`Expressions::why_unknown`].
    pub unread: Option<Unread>,
    /// The tokens of lists whose joined texts are holes in it.
    pub unfollowed: Vec<Range<usize>>,
}

impl Expressions<'_, '_> {
    /// All values of an expression, at least one.
    ///
    /// Cost: an evaluation for each.
    pub fn variants(&mut self, tokens: Range<usize>, followed: u8) -> Vec<Variant> {
        self.variants_of(tokens.clone(), |expressions| expressions.known(tokens.clone(), followed))
    }

    /// All values of what an evaluation returns, which is at these tokens.
    pub fn variants_of(
        &mut self,
        tokens: Range<usize>,
        mut evaluate: impl FnMut(&mut Self) -> Option<StaticValue>,
    ) -> Vec<Variant> {
        let mut variants = Vec::new();
        let mut seen: Vec<Range<usize>> = Vec::new();
        let mut waiting = vec![Vec::new()];
        while let Some(made) = waiting.pop() {
            self.choices = Choices { made, ..Choices::default() };
            self.unfollowed.clear();
            let known = evaluate(self);
            let choices = std::mem::take(&mut self.choices);
            for (choice, values) in choices.met {
                if seen.contains(&choice) {
                    continue;
                }
                let with = |value| [&choices.made[..], &[(choice.clone(), value)]].concat();
                waiting.extend((1..values).rev().map(with));
                seen.push(choice);
            }
            let (taken, changed) = (choices.taken, choices.changed);
            let inside = taken.filter(|taken| {
                changed.as_ref().is_none_or(|it| it.start <= taken.start && taken.end <= it.end)
            });
            let unread = self.why_unknown();
            let value = inside.or(changed).unwrap_or(tokens.clone());
            let unfollowed = std::mem::take(&mut self.unfollowed);
            variants.push(Variant { tokens: value, known, unread, unfollowed });
            if variants.len() + waiting.len() > MAX_VARIANTS {
                self.choices = Choices::unknown();
                let known = evaluate(self);
                self.choices = Choices::default();
                let (unread, unfollowed) =
                    (self.why_unknown(), std::mem::take(&mut self.unfollowed));
                return vec![Variant { tokens, known, unread, unfollowed }];
            }
        }
        variants
    }

    /// The index of the value that this evaluation takes of a choice; `None` for an unknown value.
    pub(in crate::code) fn choose(&mut self, choice: Range<usize>, values: usize) -> Option<usize> {
        let choices = &mut self.choices;
        choices.count += 1;
        if choices.are_unknown {
            return None;
        }
        let made = choices.made.iter().find(|(made, _)| *made == choice);
        let index = made.map_or(0, |(_, index)| *index);
        let is_new = choices.met.iter().all(|(met, _)| *met != choice);
        if is_new && choices.met.len() <= MAX_VARIANTS {
            choices.met.push((choice, values));
        }
        Some(index)
    }

    /// Records the tokens of the value that a choice takes.
    pub(in crate::code) fn take(
        &mut self,
        choice: &Range<usize>,
        index: usize,
        value: Range<usize>,
    ) {
        let choices = &mut self.choices;
        if choices.made.last().is_some_and(|(made, at)| made == choice && *at == index) {
            choices.changed = Some(value.clone());
        }
        choices.taken = Some(value);
    }

    /// The value that this evaluation takes of the tokens of several values.
    pub(in crate::code) fn chosen(
        &mut self,
        choice: Range<usize>,
        values: &[Range<usize>],
    ) -> Option<Range<usize>> {
        let index = self.choose(choice.clone(), values.len())?;
        let value = values.get(index)?.clone();
        self.take(&choice, index, value.clone());
        Some(value)
    }

    /// The value of a name with these assignments, for a use in a context.
    pub(super) fn assigned(
        &mut self,
        index: usize,
        scope: usize,
        place: ExpressionContext,
        followed: u8,
    ) -> Option<StaticValue> {
        let outline = self.outline;
        let assignments = &outline.assignments[index];
        let at = if outline.is_in_function_of(place.scope, scope) { place.at } else { usize::MAX };
        let values = outline.values_at(self.tokens, assignments, scope, at)?;
        let imports = usize::from(!assignments.imports.is_empty());
        let count = imports + values.len();
        // A name has other values elsewhere.
        let choice = values.first().map_or(0, |first| first.start)..at;
        let taken = if count > 1 { self.choose(choice.clone(), count)? } else { 0 };
        if taken < imports {
            return assignments.imports.iter().fold(None, |found, import| {
                let import = &outline.imports[*import];
                let other = import
                    .name
                    .and_then(|name| self.elsewhere(import.module.clone(), name, false, followed));
                either(found, other)
            });
        }
        let value = values.get(taken - imports).filter(|value| !value.is_empty())?.clone();
        if count > 1 {
            self.take(&choice, taken, value.clone());
        }
        let scope = outline.scope_at(value.start);
        let place = ExpressionContext::new(scope, followed, value.start);
        self.expression(value, place)
    }

    /// The expression in brackets around it, or in a block with nothing else.
    pub(super) fn without_brackets(&self, mut tokens: Range<usize>) -> Range<usize> {
        let has_blocks = self.grammar.members == Members::OfClasses;
        let is_bracket = |text: &str| text == "(" || has_blocks && text == "{";
        while is_bracket(self.tokens.text(tokens.start))
            && self.tokens.partner(tokens.start).is_some_and(|close| close + 1 == tokens.end)
            && tokens.len() > 2
        {
            tokens = tokens.start + 1..tokens.end - 1;
        }
        tokens
    }

    /// The expressions between which an expression chooses; empty if it does not.
    pub(super) fn alternatives(&self, tokens: Range<usize>) -> Vec<Range<usize>> {
        let is_other = |at: usize| matches!(self.tokens.text(at), "," | "=>" | "->" | "for");
        if self.tokens.text(tokens.start) == "lambda"
            || self.tokens.at_depth(tokens.clone()).any(is_other)
        {
            return Vec::new();
        }
        if let Some(chosen) = self.grammar.condition.and_then(|it| self.condition(it, &tokens)) {
            return chosen.into_iter().collect();
        }
        if self.grammar.arms == Some(self.tokens.text(tokens.start)) {
            return self.arms(&tokens).unwrap_or_default();
        }
        let is_sign = |at: &usize| self.grammar.otherwise.contains(&self.tokens.text(*at));
        let signs: Vec<usize> = self.tokens.at_depth(tokens.clone()).filter(is_sign).collect();
        if signs.is_empty() {
            return Vec::new();
        }
        let starts = std::iter::once(tokens.start).chain(signs.iter().map(|sign| sign + 1));
        let ends = signs.iter().copied().chain([tokens.end]);
        let fails = |value: &Range<usize>| {
            let (first, next) = (self.tokens.text(value.start), self.tokens.text(value.start + 1));
            matches!(first, "throw" | "return") || first == "error" && next == "("
        };
        starts.zip(ends).map(|(start, end)| start..end).filter(|value| !fails(value)).collect()
    }

    /// The two values of a condition.
    fn condition(&self, condition: Condition, tokens: &Range<usize>) -> Option<[Range<usize>; 2]> {
        let text = |at: usize| self.tokens.text(at);
        let Range { start, end } = tokens.clone();
        match condition {
            Condition::ValueFirst => {
                let sign = self.tokens.at_depth(start..end).find(|at| text(*at) == "if")?;
                let other = self.tokens.at_depth(sign..end).find(|at| text(*at) == "else")?;
                Some([start..sign, other + 1..end])
            }
            Condition::Signs => {
                let sign = self.tokens.at_depth(start..end).find(|at| text(*at) == "?")?;
                let mut open = 0;
                let other = self.tokens.at_depth(sign..end).find(|at| match text(*at) {
                    "?" => {
                        open += 1;
                        false
                    }
                    ":" => {
                        open -= 1;
                        open == 0
                    }
                    _ => false,
                })?;
                Some([sign + 1..other, other + 1..end])
            }
            Condition::Keywords => {
                let close = self.tokens.closer(start + 1, "(").filter(|_| text(start) == "if")?;
                let other = self.tokens.at_depth(close + 1..end).find(|at| text(*at) == "else")?;
                Some([close + 1..other, other + 1..end])
            }
        }
    }

    /// The values of `switch (…) { case a -> b; default -> c; }` and `when (…) { a -> b }`.
    fn arms(&self, tokens: &Range<usize>) -> Option<Vec<Range<usize>>> {
        let text = |at: usize| self.tokens.text(at);
        let subject = self.tokens.closer(tokens.start + 1, "(");
        let open = subject.map_or(tokens.start + 1, |close| close + 1);
        let close = self.tokens.closer(open, "{").filter(|close| close + 1 == tokens.end)?;
        let arrows = self.tokens.at_depth(open + 1..close).filter(|at| text(*at) == "->");
        let arrows: Vec<usize> = arrows.collect();
        let ends = arrows.iter().skip(1).map(|next| {
            // The condition of the next value starts a line, or follows a `;`.
            let before = (open + 1..*next).rev();
            before.into_iter().find(|at| self.tokens.starts_line(*at) || text(at - 1) == ";")
        });
        let ends = ends.chain([Some(close)]);
        let values = arrows.iter().zip(ends).map(|(arrow, end)| {
            let end = end?.max(arrow + 1);
            Some(arrow + 1..end - usize::from(text(end - 1) == ";"))
        });
        values.collect()
    }
}
