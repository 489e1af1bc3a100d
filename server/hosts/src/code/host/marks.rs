//! Texts after marks.

use std::ops::Range;

use super::Host;
use super::evidence::EvidenceSource;
use crate::code::marked;
use crate::code::static_value::StaticValue;
use crate::code::supplying::contracts::Contracts;
use crate::marks::Mark;

impl<'s> Host<'_, 's> {
    pub(super) fn read_marks(&mut self, contracts: &Contracts<'_, 's>) {
        self.unread.extend(marked::without_effect(self.tokens));
        for (mark, literal) in marked::marked(self.tokens) {
            let start = self.tokens.all[literal].range().start;
            if let Some(evidence) = self.evidence.get_mut(&start) {
                evidence.mark = Some(mark);
                continue;
            }
            let mut unread = None;
            for expression in marked::around(self.tokens, self.outline, literal) {
                let expression = self.without_call(mark, expression);
                let whole = expression.clone();
                let Some(known) = self.expressions.known(expression, 0) else {
                    unread = self.expressions.why_unknown();
                    continue;
                };
                let StaticValue::Here(text) = &known else { continue };
                if text.literals.first().is_some_and(|first| first.start == start) {
                    let name = self.name_at(literal);
                    self.add_evidence(known, EvidenceSource::Mark(mark), name, self.entry(literal));
                    if let Mark::Dialect(dialect) = mark {
                        self.add_filling_calls(contracts, dialect, (start, whole));
                    }
                    unread = None;
                    break;
                }
            }
            self.unread.extend(unread.filter(|_| mark != Mark::Off));
        }
    }

    /// The text before a call that fills it, such as `.format(…)`, if a mark makes it a template of
    /// its language; otherwise the same expression.
    fn without_call(&self, mark: Mark, expression: Range<usize>) -> Range<usize> {
        let Mark::Dialect(dialect) = mark else { return expression };
        let Some(methods) = self.methods_of(dialect) else { return expression };
        let is_call = |token: &usize| {
            self.tokens.text(*token) == "."
                && methods.fills.iter().any(|it| it.name == self.tokens.text(token + 1))
        };
        let end = self.tokens.at_depth(expression.clone()).find(is_call);
        expression.start..end.unwrap_or(expression.end)
    }
}
