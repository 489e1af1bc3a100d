//! Texts that are built in steps: `new StringBuilder().append("a").toString()`, `buildString { … }`.
//!
//! A builder in a variable is followed only if each use before the result is a statement of its own
//! block that appends. Then the steps run once, and in their order.

use std::collections::HashMap;
use std::ops::Range;

use super::{ExpressionContext, Expressions, MAX_WORK};
use crate::code::outline::{ScopeKind, Value};
use crate::code::static_value::{StaticValue, Text};

/// An appended value, and what follows it.
type Step = (Range<usize>, &'static str);

/// The maximum number of tokens before the steps of a builder.
const MAX_HEAD: usize = 8;

impl<'s> Expressions<'_, 's> {
    /// The text that a builder at the start of some tokens returns, and the position after it.
    pub(super) fn built(
        &mut self,
        tokens: Range<usize>,
        place: ExpressionContext,
    ) -> Option<(StaticValue, usize)> {
        let builders = self.grammar.builders?;
        let start = tokens.start;
        let text = |at: usize| self.tokens.text(at);
        let (steps, end) = if builders.block == Some(text(start)) {
            let close = self.tokens.closer(start + 1, "{").filter(|close| *close < tokens.end)?;
            (self.steps_of_block(start + 2..close)?, close + 1)
        } else if text(start + 1) == "." && text(start + 2) == builders.result {
            let close = self.tokens.closer(start + 3, "(").filter(|it| *it < tokens.end)?;
            (self.steps_of_variable(start, place.scope)?, close + 1)
        } else {
            let (mut steps, at) = self.created_builder(tokens.clone())?;
            let at = self.appended(at..tokens.end, &mut steps);
            let is_result = text(at) == "." && text(at + 1) == builders.result;
            let close = self.tokens.closer(at + 2, "(").filter(|_| is_result)?;
            (steps, close + 1)
        };
        let whole = self.tokens.range(start..end);
        let text = self.text_of_steps(&steps, whole, place)?;
        Some((StaticValue::Here(text), end))
    }

    /// The steps and the end of an expression that creates a builder: `new StringBuilder("a")`.
    fn created_builder(&self, tokens: Range<usize>) -> Option<(Vec<Step>, usize)> {
        let builders = self.grammar.builders?;
        let text = |at: usize| self.tokens.text(at);
        let is_bracket = |at: &usize| matches!(text(*at), "(" | "{");
        let limit = tokens.end.min(tokens.start + MAX_HEAD);
        let open = (tokens.start..limit).find(is_bracket)?;
        let close = self.tokens.partner(open)?;
        let skipped = |at: &usize| !matches!(text(*at), "new" | "&");
        let head: String = (tokens.start..open).filter(skipped).map(text).collect();
        let inside: String = (open + 1..close).take(MAX_HEAD).map(text).collect();
        if head.is_empty() && text(tokens.start) == "new" && builders.types.contains(&&*inside) {
            // `new(strings.Builder)`
            return Some((Vec::new(), close + 1));
        }
        if !builders.types.contains(&head.as_str()) {
            return None;
        }
        // A number is the size that the builder has at first.
        let is_size = inside.is_empty() || inside.starts_with(|char: char| char.is_ascii_digit());
        let steps = if is_size { Vec::new() } else { vec![(open + 1..close, "")] };
        Some((steps, close + 1))
    }

    /// Adds the steps of methods from a position on. Returns the position after them.
    fn appended(&self, tokens: Range<usize>, steps: &mut Vec<Step>) -> usize {
        let mut at = tokens.start;
        while at < tokens.end
            && self.tokens.text(at) == "."
            && let Some((step, next)) = self.step(at + 1)
        {
            steps.push(step);
            at = next;
        }
        at
    }

    /// The step of a call of a method, and the position after it.
    fn step(&self, at: usize) -> Option<(Step, usize)> {
        let name = self.tokens.text(at);
        let (_, after) = self.grammar.builders?.appends.iter().find(|(it, _)| *it == name)?;
        let close = self.tokens.closer(at + 1, "(")?;
        Some(((at + 2..close, *after), close + 1))
    }

    /// The steps of a block that only appends.
    fn steps_of_block(&self, tokens: Range<usize>) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        let mut at = tokens.start;
        while at < tokens.end {
            if self.tokens.text(at) == ";" {
                at += 1;
                continue;
            }
            let (step, next) = self.step(at)?;
            steps.push(step);
            at = self.appended(next..tokens.end, &mut steps);
        }
        Some(steps)
    }

    /// The steps of a variable before a use.
    fn steps_of_variable(&mut self, at: usize, scope: usize) -> Option<Vec<Step>> {
        let outline = self.outline;
        let name = self.tokens.text(at);
        let (scope, value) = outline.value(scope, name)?;
        let is_local = matches!(outline.scopes[scope].kind, ScopeKind::Function | ScopeKind::Block);
        let (mut steps, declared) = match value {
            _ if !is_local => return None,
            Value::Expression(value) => {
                let (mut steps, next) = self.created_builder(value.clone())?;
                let end = self.appended(next..value.end, &mut steps);
                (end == value.end).then_some((steps, value.end))?
            }
            Value::Assigned(_) => (Vec::new(), self.declared_builder(name, scope)?),
            _ => return None,
        };
        let inside = outline.scopes[scope].tokens.clone();
        let all_uses = self.words_in(name, declared..inside.end);
        self.work += all_uses.len();
        if self.work > MAX_WORK {
            return None;
        }
        for used in all_uses {
            if outline.scope_at(used) != scope {
                // The use itself may be deeper.
                if used == at {
                    continue;
                } else {
                    return None;
                };
            }
            let result = self.grammar.builders?.result;
            let is_result =
                self.tokens.text(used + 1) == "." && self.tokens.text(used + 2) == result;
            if used >= at || is_result {
                continue;
            }
            let statement = outline.statement_at(used)?.tokens.clone();
            let end = self.appended(used + 1..statement.end, &mut steps);
            if statement.start != used || end != statement.end || end == used + 1 {
                return None;
            }
        }
        Some(steps)
    }

    /// The position after `var b strings.Builder`.
    fn declared_builder(&mut self, name: &'s str, scope: usize) -> Option<usize> {
        let inside = self.outline.scopes[scope].tokens.clone();
        let first = self.words_in(name, inside).into_iter().next()?;
        let end = first + 4;
        let written: String = (first + 1..end).map(|at| self.tokens.text(at)).collect();
        let is_builder = self.grammar.builders?.types.contains(&written.as_str());
        (is_builder && self.tokens.text(first.checked_sub(1)?) == "var").then_some(end)
    }

    /// The tokens in a range that are a word.
    pub(in crate::code) fn words_in(&mut self, word: &str, inside: Range<usize>) -> Vec<usize> {
        let tokens = self.tokens;
        let words = self.words.get_or_insert_with(|| {
            let mut words: HashMap<&'s str, Vec<usize>> = HashMap::new();
            for at in (0..tokens.all.len()).filter(|at| tokens.is_word(*at)) {
                words.entry(tokens.text(at)).or_default().push(at);
            }
            words
        });
        let all = words.get(word).map(Vec::as_slice).unwrap_or_default();
        let first = all.partition_point(|at| *at < inside.start);
        all[first..].iter().copied().take_while(|at| *at < inside.end).collect()
    }

    fn text_of_steps(
        &mut self,
        steps: &[Step],
        whole: Range<usize>,
        place: ExpressionContext,
    ) -> Option<Text> {
        let mut built = Text::default();
        for (value, after) in steps {
            let range = self.tokens.range(value.clone());
            if !value.is_empty() {
                match character(self.tokens.text(value.start)).filter(|_| value.len() == 1) {
                    Some(character) => built.decoded.push_atomic(&character, range.clone()),
                    None => built.append(self.step_text(value.clone(), place)?),
                }
            }
            if !after.is_empty() {
                built.decoded.push_atomic(after, range.end..range.end + 1);
            }
        }
        let mut built = built.or_at(whole);
        let first = built.literals.first()?.start;
        built.decoded = built.decoded.or_empty_at(first);
        Some(built)
    }

    fn step_text(&mut self, value: Range<usize>, place: ExpressionContext) -> Option<Text> {
        let scope = self.outline.scope_at(value.start);
        let (depth, at) = (place.depth + 1, value.start);
        let place = ExpressionContext { scope, depth, at, is_operand: true, ..place };
        let StaticValue::Here(text) = self.expression(value, place)? else { return None };
        self.spend(&text)?;
        Some(text)
    }
}

/// The text of a literal of one character: `'\n'`.
fn character(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('\'')?.strip_suffix('\'')?;
    match inner {
        "\\n" => Some("\n".to_owned()),
        "\\t" => Some("\t".to_owned()),
        inner => {
            let mut chars = inner.chars();
            let first = chars.next().filter(|first| *first != '\\' && chars.next().is_none());
            first.map(String::from)
        }
    }
}
