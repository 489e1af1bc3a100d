//! Texts after marks.

use super::Host;
use super::evidence::EvidenceSource;
use crate::code::marked;
use crate::code::static_value::StaticValue;
use crate::marks::Mark;

impl Host<'_, '_> {
    pub(super) fn read_marks(&mut self) {
        self.unread.extend(marked::without_effect(self.tokens));
        for (mark, literal) in marked::marked(self.tokens) {
            let start = self.tokens.all[literal].range().start;
            if let Some(evidence) = self.evidence.get_mut(&start) {
                evidence.mark = Some(mark);
                continue;
            }
            let mut unread = None;
            for expression in marked::around(self.tokens, self.outline, literal) {
                let Some(known) = self.expressions.known(expression, 0) else {
                    unread = self.expressions.why_unknown();
                    continue;
                };
                let StaticValue::Here(text) = &known else { continue };
                if text.literals.first().is_some_and(|first| first.start == start) {
                    let name = self.name_at(literal);
                    self.add_evidence(known, EvidenceSource::Mark(mark), name, self.entry(literal));
                    unread = None;
                    break;
                }
            }
            self.unread.extend(unread.filter(|_| mark != Mark::Off));
        }
    }
}
