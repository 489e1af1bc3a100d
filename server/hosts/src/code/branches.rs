//! Expressions with several values: conditions, alternatives, and functions with several returns.

use std::ops::Range;

use super::expression::{Expressions, MAX_FOLLOWED};
use super::grammar::Condition;
use super::outline::Value;
use crate::host_prompt::TextDemand;

/// The maximum number of values of an expression; of more, the expression is one unknown value.
const MAX_BRANCHES: usize = 20;

impl Expressions<'_, '_> {
    /// The expressions of which one is the value of an expression; itself, if there is only one.
    ///
    /// Cost: the length of the expression, and of those of the names in it.
    pub fn branches(&self, tokens: Range<usize>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        self.add_branches(tokens.clone(), 0, &mut found);
        if found.len() == 1 { vec![tokens] } else { found }
    }

    /// The values of a name of this host, if another one uses it without members.
    pub fn branches_of(&self, scope: usize, name: &str, demand: &TextDemand) -> Vec<Range<usize>> {
        let names = match demand.is_called {
            true => &self.outline.methods,
            false => &self.outline.names,
        };
        let value = names.get(&(scope, name)).or_else(|| self.outline.names.get(&(scope, name)));
        let values = value.filter(|_| demand.members.is_empty());
        let values = values.and_then(|value| self.values(value, demand.is_called));
        values.into_iter().flatten().flat_map(|value| self.branches(value)).collect()
    }

    fn add_branches(&self, tokens: Range<usize>, followed: u8, found: &mut Vec<Range<usize>>) {
        let alternatives = match followed < MAX_FOLLOWED {
            true => self.alternatives(self.without_brackets(tokens.clone())),
            false => Vec::new(),
        };
        if alternatives.is_empty() || found.len() + alternatives.len() > MAX_BRANCHES {
            // A block with one value.
            let is_block = self.tokens.text(tokens.start) == "{";
            return found.push(if is_block { self.without_brackets(tokens) } else { tokens });
        }
        let before = found.len();
        let is_named = alternatives.iter().all(|it| it.start < tokens.start || tokens.end < it.end);
        for alternative in alternatives {
            self.add_branches(alternative, followed + 1, found);
        }
        // A name with one value is the name.
        if is_named && found.len() == before + 1 {
            found[before] = tokens;
        }
    }

    /// The expression in brackets around it, or in a block with nothing else.
    fn without_brackets(&self, mut tokens: Range<usize>) -> Range<usize> {
        while matches!(self.tokens.text(tokens.start), "(" | "{")
            && self.tokens.partner(tokens.start).is_some_and(|close| close + 1 == tokens.end)
            && tokens.len() > 2
        {
            tokens = tokens.start + 1..tokens.end - 1;
        }
        tokens
    }

    /// The expressions between which an expression chooses; empty if it does not.
    fn alternatives(&self, tokens: Range<usize>) -> Vec<Range<usize>> {
        let chosen = self.grammar.condition.and_then(|it| self.condition(it, tokens.clone()));
        if let Some(chosen) = chosen {
            return chosen.into_iter().collect();
        }
        let is_sign = |at: &usize| self.grammar.otherwise.contains(&self.tokens.text(*at));
        let signs: Vec<usize> = self.at_depth(tokens.clone()).filter(is_sign).collect();
        if !signs.is_empty() {
            let starts = std::iter::once(tokens.start).chain(signs.iter().map(|sign| sign + 1));
            let ends = signs.iter().copied().chain([tokens.end]);
            return starts.zip(ends).map(|(start, end)| start..end).collect();
        }
        self.values_of_name(tokens).unwrap_or_default()
    }

    /// The tokens that are in no brackets of an expression.
    fn at_depth(&self, tokens: Range<usize>) -> impl Iterator<Item = usize> + '_ {
        let next = move |at: &usize| Some(self.tokens.next(*at));
        std::iter::successors(Some(tokens.start), next).take_while(move |at| *at < tokens.end)
    }

    /// The two values of a condition.
    fn condition(&self, condition: Condition, tokens: Range<usize>) -> Option<[Range<usize>; 2]> {
        let text = |at: usize| self.tokens.text(at);
        let Range { start, end } = tokens;
        match condition {
            Condition::ValueFirst if text(start) != "lambda" => {
                let sign = self.at_depth(start..end).find(|at| text(*at) == "if")?;
                let other = self.at_depth(sign..end).find(|at| text(*at) == "else")?;
                Some([start..sign, other + 1..end])
            }
            Condition::ValueFirst => None,
            Condition::Signs => {
                let sign = self.at_depth(start..end).find(|at| matches!(text(*at), "?" | "=>"))?;
                let mut open = 0;
                let other = self.at_depth(sign..end).find(|at| match text(*at) {
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
                Some([sign + 1..other, other + 1..end]).filter(|_| text(sign) == "?")
            }
            Condition::Keywords => {
                let close = self.tokens.closer(start + 1, "(").filter(|_| text(start) == "if")?;
                let other = self.at_depth(close + 1..end).find(|at| text(*at) == "else")?;
                Some([close + 1..other, other + 1..end])
            }
        }
    }

    /// The values of a name, or those that a call of it returns.
    fn values_of_name(&self, tokens: Range<usize>) -> Option<Vec<Range<usize>>> {
        let name = self.tokens.text(tokens.start);
        let scope = self.outline.scope_at(tokens.start);
        let is_called = self.tokens.closer(tokens.start + 1, "(") == Some(tokens.end - 1);
        if !self.tokens.is_word(tokens.start) || tokens.len() > 1 && !is_called {
            return None;
        }
        let found = match is_called {
            true => self.outline.called(scope, name),
            false => self.outline.value(scope, name),
        };
        self.values(found?.1, is_called)
    }

    /// The expressions of which one is a value, or what a call of it returns.
    fn values(&self, value: &Value, is_called: bool) -> Option<Vec<Range<usize>>> {
        match value {
            Value::Expression(value) if !is_called => Some(vec![value.clone()]),
            Value::Function(function) if is_called => {
                let function = &self.outline.functions[*function];
                Some(function.returns.clone()).filter(|returns| {
                    function.is_plain && returns.iter().all(|value| !value.is_empty())
                })
            }
            _ => None,
        }
    }
}
