//! Texts that rules of `promptls.toml` name.

use std::collections::{HashMap, HashSet};

use promptls_syntax::Dialect;

use super::evidence::EvidenceSource;
use super::{Host, first_literal};
use crate::code::calls;
use crate::code::computed::computed;
use crate::code::expression::{Expressions, Variant};
use crate::code::rule::CodeEntry;
use crate::code::supplying::contracts::Contracts;

/// A scope, and a name in it.
type Constant<'s> = (usize, &'s str);

impl<'s> Host<'_, 's> {
    pub(super) fn apply_rules(
        &mut self,
        rules: &[(CodeEntry, Dialect)],
        contracts: &Contracts<'_, 's>,
    ) {
        if rules.is_empty() {
            return;
        }
        // Places first, in order of rules: if two rules match one text, the first counts.
        let mut places: Vec<(usize, usize, Option<Constant<'s>>)> = Vec::new();
        let mut constants: HashMap<&str, Vec<(usize, Constant<'s>)>> = HashMap::new();
        for ((scope, name), value) in &self.outline.names {
            let value = self.outline.first_value(value).filter(|_| self.outline.is_shared(*scope));
            if let Some(tokens) = value {
                constants.entry(name).or_default().push((tokens.start, (*scope, *name)));
            }
        }
        for (rule, (entry, _)) in rules.iter().enumerate() {
            let mut add = |found: &[(usize, Constant<'s>)]| {
                places
                    .extend(found.iter().map(|(start, constant)| (rule, *start, Some(*constant))));
            };
            match entry.only_constant() {
                Some(name) => add(constants.get(name).map(Vec::as_slice).unwrap_or_default()),
                None => {
                    let meant = constants.iter().filter(|(name, _)| entry.is_constant(name));
                    meant.for_each(|(_, found)| add(found));
                }
            }
        }
        let mut by_callee: HashMap<&str, Vec<usize>> = HashMap::new();
        for (rule, (entry, _)) in rules.iter().enumerate() {
            if let Some(last) = entry.last_name() {
                by_callee.entry(last).or_default().push(rule);
            }
        }
        for open in 1..self.tokens.all.len() {
            if calls::closer(self.tokens, open).is_none() {
                continue;
            }
            let meant = by_callee.get(self.tokens.text(open - 1)).into_iter().flatten();
            places.extend(meant.map(|rule| (*rule, open, None)));
        }
        places.sort_unstable();
        for (rule, token, constant) in places {
            let (entry, dialect) = &rules[rule];
            let source = EvidenceSource::Rule(*dialect, entry.as_str().to_owned());
            if let Some((scope, name)) = constant {
                let value = self.outline.names.get(&(scope, name));
                let value = value.and_then(|value| self.outline.first_value(value)).cloned();
                let named = |it: &mut Expressions<'_, 's>| it.named(scope, name, false, 0);
                let value = value.unwrap_or_default();
                let variants = self.expressions.variants_of(value.clone(), named);
                let first = match &variants[..] {
                    [only] => only.known.as_ref().and_then(first_literal),
                    _ => None,
                };
                self.add_ruled(variants, &source, name, token);
                if let Some(first) = first {
                    self.add_filling_calls(contracts, *dialect, (first, value));
                }
                continue;
            }
            let Some(place) = entry.argument(self.tokens, token) else { continue };
            let Some(close) = calls::closer(self.tokens, token) else { continue };
            let arguments = calls::arguments(self.tokens, token, close);
            let Some(argument) = calls::at_place(&arguments, place) else { continue };
            let name = self.name_at(token);
            let variants = self.expressions.variants(argument.value.clone(), 0);
            self.add_ruled(variants, &source, &name, token);
        }
    }

    /// Adds the values of an expression that a rule names, at a token.
    fn add_ruled(
        &mut self,
        variants: Vec<Variant>,
        source: &EvidenceSource,
        name: &str,
        token: usize,
    ) {
        let EvidenceSource::Rule(dialect, _) = source else { return };
        let mut shown = HashSet::new();
        for variant in variants {
            let variant = self.without_shown(variant, &mut shown);
            self.note_unknown(&variant, *dialect, |host, value| {
                computed(host.tokens, name, value, *dialect)
            });
            if let Some(known) = variant.known {
                self.add_evidence(known, source.clone(), name.to_owned(), self.entry(token));
            }
        }
    }
}
