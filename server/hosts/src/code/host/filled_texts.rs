//! Texts by marks and rules that methods of their language fill: `PLAN.format(task=1)`, here or in
//! another host.

use std::ops::Range;

use promptls_syntax::Dialect;

use super::Host;
use super::supplied::is_meant;
use crate::code::outline::Value;
use crate::code::recogniser::TemplateMethods;
use crate::code::recognisers::text_methods;
use crate::code::supplying::contracts::Contracts;
use crate::host_prompt::{Demand, ObjectDemand, Supply};

impl<'s> Host<'_, 's> {
    /// The methods of the language of this host that fill texts of a dialect.
    pub(super) fn methods_of(&self, dialect: Dialect) -> Option<&'static TemplateMethods> {
        text_methods(dialect, self.tokens.language)
    }

    /// Adds the calls that fill a text: the one whose first literal starts at an offset, and whose
    /// expression has these tokens.
    pub(super) fn add_filling_calls(
        &mut self,
        contracts: &Contracts<'_, 's>,
        dialect: Dialect,
        (start, text): (usize, Range<usize>),
    ) {
        let Some(methods) = self.methods_of(dialect) else { return };
        let mut calls = contracts.of_text(text.clone(), methods);
        let supplies = self.supplies_of(&text);
        self.filled.push(text.start);
        let Some(evidence) = self.evidence.get_mut(&start) else { return };
        let known: Vec<_> = evidence.contracts.iter().map(|(_, it)| it.call.clone()).collect();
        calls.retain(|call| !known.contains(&call.call));
        evidence.contracts.extend(calls.into_iter().map(|contract| (dialect, contract)));
        evidence.supplies.extend(supplies.into_iter().map(|supply| (dialect, supply)));
    }

    /// The calls of other hosts on the name that is assigned exactly this value.
    fn supplies_of(&self, text: &Range<usize>) -> Vec<Supply> {
        let target = self.outline.statement_at(text.start).and_then(|it| it.target);
        let Some(name) = target.map(|target| self.tokens.text(target)) else { return Vec::new() };
        let Some(demands) = self.objects.get(name) else { return Vec::new() };
        let Some((scope, Value::Expression(value))) =
            self.outline.value(self.outline.scope_at(text.start), name)
        else {
            return Vec::new();
        };
        let is_it = |demand: &&&ObjectDemand| {
            value == text && !demand.is_called && is_meant(self.outline, scope, demand)
        };
        demands.iter().filter(is_it).flat_map(|demand| demand.supplies.clone()).collect()
    }

    /// The names by which other hosts may fill such texts.
    pub(super) fn names_of_filled(&mut self, contracts: &Contracts<'_, 's>) -> Vec<Demand> {
        let mut filled = std::mem::take(&mut self.filled);
        filled.sort_unstable();
        let names = contracts.template_names(&filled, &[]);
        names.into_iter().map(Demand::Template).collect()
    }
}
