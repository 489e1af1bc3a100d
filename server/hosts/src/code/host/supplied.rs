//! Calls that supply values to prompts of other hosts: to a text that is written there, or to an
//! object there that contains prompts (`Prompts.SUMMARY.compile("topic", topic)`).

use std::ops::Range;

use promptls_syntax::Dialect;

use super::Host;
use crate::code::calls::chats::FoundChat;
use crate::code::expression::{ExpressionContext, MAX_FOLLOWED};
use crate::code::outline::{Outline, Value};
use crate::code::static_value::{Reference, StaticValue};
use crate::code::supplying::contracts::{Contracts, Object, PIPE};
use crate::host_prompt::{Contract, Demand, Elsewhere, ObjectDemand, OtherFile, Supply};

/// A text of a framework call: where it is among the results.
pub(super) struct CallText {
    /// The tokens of the call.
    pub call: Range<usize>,
    pub dialect: Dialect,
    /// The start of its first literal; `None` for a text of other hosts.
    pub first: Option<usize>,
    /// Its uses of other hosts, as indices.
    pub elsewhere: Range<usize>,
    /// `false` if names without a value stay as they are.
    pub is_strict: bool,
}

impl<'s> Host<'_, 's> {
    /// Records calls that supply values to prompts of other hosts.
    pub(super) fn note_supplied(&mut self, contracts: &[Contract]) -> Vec<Supply> {
        let first = self.supplied.len();
        self.supplied.extend_from_slice(contracts);
        let supply = |(index, contract): (usize, &Contract)| Supply {
            file: None,
            contract: first + index,
            keys: contract.keys.iter().map(|key| key.name.clone()).collect(),
            is_whole: contract.is_whole,
        };
        contracts.iter().enumerate().map(supply).collect()
    }

    /// Adds calls that supply values to some uses of other hosts.
    pub(super) fn supply_elsewhere(&mut self, uses: Range<usize>, supplies: &[Supply]) {
        for elsewhere in &mut self.elsewhere[uses] {
            elsewhere.change_supplies(&mut |known| known.extend_from_slice(supplies));
        }
    }

    /// Finds the calls that supply values to objects of other hosts.
    pub(super) fn supply_objects(&mut self, contracts: &Contracts<'_, 's>) {
        for object in contracts.objects() {
            let scope = self.outline.scope_at(object.token);
            let place = ExpressionContext::new(scope, 0, object.token);
            let Object { chain, is_called, contract, .. } = object;
            let known = self.expressions.value_of_path(&chain, is_called, place);
            let Some(StaticValue::Elsewhere(reference)) = known else { continue };
            let meanings: Vec<_> = objects_meant(reference).collect();
            if meanings.is_empty() {
                continue;
            }
            let supplies = self.note_supplied(std::slice::from_ref(&contract));
            let elsewhere = meanings.into_iter().rev().fold(None, |otherwise, (other, member)| {
                let (name, class) = member;
                let demand = ObjectDemand { name, class, is_called, supplies: supplies.clone() };
                let (demand, entry) = (Demand::Object(demand), contract.call.clone());
                Some(Elsewhere { other, demand, entry, otherwise: otherwise.map(Box::new) })
            });
            self.elsewhere.extend(elsewhere);
        }
        // No text was requested, so none is unknown.
        self.expressions.why_unknown();
    }

    /// Adds the calls of other hosts that supply values to objects of this one.
    pub(super) fn meet_objects(&mut self) {
        let by_name = std::mem::take(&mut self.objects);
        if by_name.is_empty() {
            return;
        }
        let demands = self.demands;
        for demand in demands {
            if let Demand::Object(demand) = demand {
                self.pass_on_class(demand);
            }
        }
        self.call_texts.sort_by_key(|text| text.call.start);
        let outline = self.outline;
        let (names, methods) = (outline.names.iter(), outline.methods.iter());
        let all = names.map(|it| (it, false)).chain(methods.map(|it| (it, true)));
        let mut met: Vec<_> =
            all.filter(|(((_, name), _), _)| by_name.contains_key(name)).collect();
        // The order of a map differs from run to run.
        met.sort_unstable_by_key(|((key, _), is_method)| (**key, *is_method));
        for (((scope, name), value), is_method) in met {
            for demand in by_name[name].iter().filter(|it| is_meant(outline, *scope, it)) {
                match value {
                    Value::Import(import) => self.pass_on_object(*import, demand),
                    Value::Expression(value) if !demand.is_called && !is_method => {
                        self.supply(value, demand, 0);
                    }
                    Value::Function(function) if demand.is_called => {
                        let values = &outline.functions[*function].returns;
                        let of_one = (values.len() > 1).then(|| demand.without_whole_calls());
                        for value in values {
                            self.supply(value, of_one.as_ref().unwrap_or(demand), 0);
                        }
                    }
                    _ => {}
                }
            }
        }
        self.objects = by_name;
    }

    fn pass_on_object(&mut self, import: usize, demand: &ObjectDemand) {
        let import = &self.outline.imports[import];
        let Some(name) = import.name else { return };
        self.elsewhere.push(Elsewhere {
            other: OtherFile::Module(import.module.clone()),
            demand: Demand::Object(ObjectDemand { name: name.to_owned(), ..demand.clone() }),
            entry: 0..0,
            otherwise: None,
        });
    }

    /// Passes on the demand for a member of a class that this host imports.
    fn pass_on_class(&mut self, demand: &ObjectDemand) {
        let Some(class) = &demand.class else { return };
        let Some(Value::Import(import)) = self.outline.names.get(&(0, &**class)) else { return };
        let import = &self.outline.imports[*import];
        let Some(name) = import.name else { return };
        self.elsewhere.push(Elsewhere {
            other: OtherFile::Module(import.module.clone()),
            demand: Demand::Object(ObjectDemand { class: Some(name.to_owned()), ..demand.clone() }),
            entry: 0..0,
            otherwise: None,
        });
    }

    /// Adds the calls to the prompts in an expression, and to those of the name that a chain starts
    /// with.
    fn supply(&mut self, value: &Range<usize>, demand: &ObjectDemand, followed: u8) {
        let is_bracket = |token: &usize| matches!(self.tokens.text(*token), "(" | "await");
        let first = value.clone().find(|token| !is_bracket(token)).unwrap_or(value.start);
        let name = self.tokens.text(first);
        let named = self.outline.value(self.outline.scope_at(first), name);
        if let Some((_, Value::Import(import))) = named {
            let called = self.tokens.call_after(first).and_then(|open| self.tokens.partner(open));
            let end = called.unwrap_or(first) + 1;
            // Other members of an imported object may have another value.
            if end == value.end || self.tokens.text(end) == PIPE {
                let (import, is_called) = (*import, called.is_some());
                self.pass_on_object(import, &ObjectDemand { is_called, ..demand.clone() });
            }
        }
        if let Some((_, Value::Expression(named))) = named
            && followed < MAX_FOLLOWED
            && self.tokens.is_word(first)
            && !named.contains(&first)
        {
            self.supply(named, demand, followed + 1);
        }
        let texts = std::mem::take(&mut self.call_texts);
        let first = texts.partition_point(|text| text.call.start < value.start);
        let inside = texts[first..].iter().take_while(|text| text.call.start < value.end);
        for text in inside.filter(|text| text.call.end <= value.end) {
            self.supply_elsewhere(text.elsewhere.clone(), &demand.supplies);
            let Some(first) = text.first else { continue };
            let Some(evidence) = self.evidence.get_mut(&first) else { continue };
            let known = evidence.contracts.iter_mut().map(|(_, contract)| contract);
            let supplies = with_both(known, demand, text.is_strict);
            evidence.supplies.extend(supplies.map(|supply| (text.dialect, supply)));
        }
        self.call_texts = texts;
        let value = self.tokens.range(value.clone());
        let is_inside =
            |chat: &&mut FoundChat| value.start <= chat.entry.start && chat.entry.end <= value.end;
        for chat in self.chats.iter_mut().filter(is_inside) {
            let supplies = with_both(chat.contracts.iter_mut(), demand, true);
            chat.supplies.extend(supplies);
        }
    }
}

/// The values that an object gets from calls of another host. One that is also compiled in this host
/// gets values from both calls, so that neither has all of them.
fn with_both<'c>(
    known: impl Iterator<Item = &'c mut Contract>,
    demand: &ObjectDemand,
    is_strict: bool,
) -> impl Iterator<Item = Supply> {
    let compiled = known.map(|contract| contract.is_whole = false).count();
    demand.supplies.iter().cloned().map(move |supply| {
        let is_whole = supply.is_whole && compiled == 0 && is_strict;
        Supply { is_whole, ..supply }
    })
}

/// The objects of other hosts that a reference may mean, the likeliest first: each with its name, and
/// the class that declares it.
fn objects_meant(
    reference: Reference,
) -> impl Iterator<Item = (OtherFile, (String, Option<String>))> {
    let all = std::iter::successors(Some(reference), |it| it.otherwise.as_deref().cloned());
    all.filter_map(|reference| {
        let member = match (&reference.members[..], reference.class) {
            ([], class) => (reference.name, class),
            // A member of an imported class.
            ([member], None) => (member.clone(), Some(reference.name)),
            _ => return None,
        };
        let is_it =
            reference.operations.is_empty() && matches!(reference.other, OtherFile::Module(_));
        is_it.then_some((reference.other, member))
    })
}

/// `true` if such a demand may refer to a name of a scope.
pub(super) fn is_meant(outline: &Outline<'_>, scope: usize, demand: &ObjectDemand) -> bool {
    let is_of =
        |class: &str| outline.class_name(scope).map_or(class.ends_with("Kt"), |name| name == class);
    let is_class = demand.class.is_some() && outline.scopes[scope].parent == Some(0);
    let is_reached = outline.is_shared(scope) || is_class && outline.class_name(scope).is_some();
    is_reached && demand.class.as_deref().is_none_or(is_of)
}
