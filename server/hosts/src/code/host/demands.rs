//! Texts of this host that other hosts use as prompts.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::evidence::EvidenceSource;
use super::{Host, first_literal};
use crate::code::beside::modules_of_base;
use crate::code::computed::computed;
use crate::code::expression::{MAX_FOLLOWED, Variant};
use crate::code::operation::Operation;
use crate::code::outline::{ScopeKind, Value};
use crate::code::static_value::{StaticValue, Text};
use crate::host_prompt::{Demand, Elsewhere, Imported, OtherFile, Part, TextDemand};
use crate::language::Language;
use crate::text_reference::{TextName, TextTarget, WrittenPart};
use crate::unread::{Computed, Unread};

impl Host<'_, '_> {
    /// Finds the prompts that other hosts use.
    pub(super) fn meet(&mut self) {
        let demands = self.demands;
        let mut by_name: HashMap<&str, Vec<&TextDemand>> = HashMap::new();
        for demand in demands {
            if let Some(demand) = demand.text() {
                by_name.entry(&demand.name).or_default().push(demand);
            }
        }
        self.pass_on(demands);
        let mut met: HashSet<&TextDemand> = HashSet::new();
        let names = self.outline.names.keys().chain(self.outline.methods.keys());
        let is_class_of_module = |scope: usize| {
            self.outline.class_name(scope).is_some() && self.outline.scopes[scope].parent == Some(0)
        };
        let is_reached = |scope: usize| self.outline.is_shared(scope) || is_class_of_module(scope);
        let names = names.filter(|(scope, _)| is_reached(*scope));
        let names: BTreeSet<_> = names.collect();
        let names = names.into_iter();
        let used = names.filter_map(|(scope, name)| Some((*scope, *name, by_name.get(name)?)));
        let used: Vec<_> = used.collect();
        for (scope, name, demands) in used {
            let class = self.outline.class_name(scope);
            let is_file = self.tokens.language == Language::Kotlin && class.is_none();
            let is_it = |demand: &&&TextDemand| match &demand.class {
                // In Java, names outside of classes belong to a class with the name of the file.
                Some(of_file) if is_file => of_file.ends_with("Kt"),
                // A companion in Kotlin may have a name of its own.
                Some(of_class) => {
                    let companion = self.outline.classes.get(&(scope, of_class.as_str()));
                    Some(of_class.as_str()) == class || companion == Some(&scope)
                }
                None => class.is_none(),
            };
            for demand in demands.iter().filter(is_it) {
                met.insert(demand);
                let value = self.value_of(scope, name, demand).unwrap_or_default();
                self.expressions.lost = None;
                let place = value.clone();
                let variants = self
                    .expressions
                    .variants_of(value, |expressions| expressions.demanded(scope, name, demand));
                self.note_lost(name, place, demand);
                let (parts, count) = (self.parts.len(), variants.len());
                let mut shown = HashSet::new();
                for variant in variants {
                    let variant = self.without_shown(variant, &mut shown);
                    self.add_demanded(variant, demand, name);
                }
                if count > 1 {
                    // Which of them is the part, only the running program determines.
                    self.parts.truncate(parts);
                }
            }
        }
        self.pass_to_bases(demands, &mut met);
        self.note_unmet(demands, &met);
        self.meet_objects();
    }

    /// Notes that a text of another host is put into one of this host, if it has a placeholder.
    fn note_lost(&mut self, name: &str, value: Range<usize>, demand: &TextDemand) {
        let lost = self.expressions.lost.take();
        let is_prompt = lost.is_some_and(|text| text.contains(demand.dialect.spec().open));
        if is_prompt && !value.is_empty() {
            let reason = format!(
                "the text that `{name}` gets in another file is a part of this one, which is not \
                followed, so it is not checked"
            );
            let unread = Unread::new(self.tokens.range(value), reason);
            self.computed.push(Computed { unread, dialect: demand.dialect });
        }
    }

    /// Records the uses of names that this host does not have. Names that it re-exports with all
    /// others of a module may be there.
    fn note_unmet(&mut self, demands: &[Demand], met: &HashSet<&TextDemand>) {
        if self.outline.wildcards().next().is_some() {
            return;
        }
        let texts = demands.iter().filter_map(Demand::text);
        let unmet = texts.filter(|demand| !met.contains(demand));
        self.unmet.extend(unmet.cloned());
    }

    /// Adds a text that another host uses.
    fn add_demanded(&mut self, variant: Variant, demand: &TextDemand, name: &str) {
        let known = variant.known.and_then(|it| self.expressions.apply_all(it, demand));
        let unread = variant.unread.or_else(|| self.expressions.why_unknown());
        let variant = Variant { known, unread, ..variant };
        self.note_unknown(&variant, demand.dialect, |host, value| {
            // A part of a prompt is a hole there. A list is listed if a placeholder is in it.
            let open = demand.dialect.spec().open;
            let is_list = matches!(demand.operations.first(), Some(Operation::Join { .. }));
            let is_lost = is_list && host.tokens.may_hold(value.clone(), open);
            let is_named = !value.is_empty() && (is_lost || !demand.is_part());
            is_named.then(|| computed(host.tokens, name, value, demand.dialect))?
        });
        let Some(mut known) = variant.known else { return };
        match &mut known {
            StaticValue::Elsewhere(reference) => {
                if demand.is_part() {
                    reference.change_all(&|it| it.is_part = true);
                    let name = TextName(Box::new(reference.clone()));
                    self.written_parts
                        .extend(WrittenPart::new(demand, TextTarget::Elsewhere(name)));
                }
                let text = self.expressions.text_elsewhere(reference);
                self.parts.extend(text.map(|text| Part { demand: demand.clone(), text }));
            }
            StaticValue::Here(text) => {
                self.parts.extend(Part::new(demand, &text.decoded));
                let written = text.literals.first().zip(text.literals.last());
                let written = written.map(|(first, last)| TextTarget::Here(first.start..last.end));
                let written = written.and_then(|target| WrittenPart::new(demand, target));
                self.written_parts.extend(written);
                self.note_literals(text);
                // A part without a placeholder is no prompt, but may have parts in other hosts.
                let open = demand.dialect.spec().open;
                if demand.is_part() && !text.decoded.text().contains(open) {
                    *text = Text { parts: std::mem::take(&mut text.parts), ..Text::default() };
                }
            }
        }
        // A part is checked in the prompts that include it.
        if let StaticValue::Here(text) = &known
            && !demand.is_part()
            && self.is_another_text(text)
        {
            let literal = text.literals[0].clone();
            let reason = "another file makes another text of this one, which is not checked";
            let unread = Unread::new(literal, reason);
            self.computed.push(Computed { unread, dialect: demand.dialect });
        }
        let start = first_literal(&known).unwrap_or_default();
        let entry = self.entry(self.tokens.at_or_after(start));
        let (why, agent) = (demand.why.clone(), demand.agent.clone());
        let source = EvidenceSource::Recogniser(demand.dialect, why, agent);
        let first = first_literal(&known);
        let used_before = self.elsewhere.len();
        self.add_evidence(known, source, name.to_owned(), entry);
        self.supply_elsewhere(used_before..self.elsewhere.len(), &demand.supplies);
        let inclusion = demand.included_by.as_ref();
        // A part of a part is one of the same prompt.
        for elsewhere in &mut self.elsewhere[used_before..] {
            inclusion.into_iter().for_each(|inclusion| elsewhere.include_in(inclusion));
        }
        if let Some(evidence) = first.and_then(|first| self.evidence.get_mut(&first)) {
            evidence.included_by.extend(inclusion.map(|it| (demand.dialect, it.clone())));
            let supplies = demand.supplies.iter().cloned();
            evidence.supplies.extend(supplies.map(|supply| (demand.dialect, supply)));
        }
    }

    /// The tokens of the value of a name that another host uses, or of the name.
    fn value_of(&self, scope: usize, name: &str, demand: &TextDemand) -> Option<Range<usize>> {
        let is_name = |token: &usize| self.tokens.text(*token) == name;
        let declared = (0..self.tokens.all.len()).find(is_name)?;
        let name = self.tokens.text(declared);
        let value = match demand.is_called {
            true => self.outline.called(scope, name),
            false => self.outline.value(scope, name),
        };
        if let Some(value) = value.and_then(|(_, value)| self.outline.first_value(value)) {
            return Some(value.clone());
        }
        Some(match value {
            Some((_, Value::Function(function))) => {
                self.outline.functions[*function].returns.first()?.clone()
            }
            _ => declared..declared + 1,
        })
    }

    /// Passes on the uses of names that classes of this host inherit from those of others.
    fn pass_to_bases<'d>(&mut self, demands: &'d [Demand], met: &mut HashSet<&'d TextDemand>) {
        let classes = self.outline.classes.values();
        let with_bases = classes.filter_map(|class| {
            let ScopeKind::Class { bases } = &self.outline.scopes[*class].kind else { return None };
            Some((self.outline.class_name(*class)?, (*class, bases)))
        });
        let with_bases: HashMap<&str, _> =
            with_bases.filter(|(_, (_, bases))| !bases.is_empty()).collect();
        for demand in demands.iter().filter_map(Demand::text) {
            let class = demand.class().and_then(|class| with_bases.get(class));
            let Some((class, bases)) = class.filter(|_| !met.contains(demand)) else { continue };
            let mut passed: Option<Elsewhere> = None;
            for base in bases.iter().rev() {
                let chain: Vec<&str> = base.iter().map(String::as_str).collect();
                for module in modules_of_base(self.outline, *class, &chain).into_iter().rev() {
                    let (class, followed) = (base.last().cloned(), demand.followed + 1);
                    let demand = TextDemand { class, followed, ..demand.clone() };
                    passed = Some(Elsewhere {
                        other: OtherFile::Module(module),
                        demand: Demand::Text(demand),
                        entry: 0..0,
                        otherwise: passed.take().map(Box::new),
                    });
                }
            }
            if demand.followed + 1 < MAX_FOLLOWED && passed.is_some() {
                self.elsewhere.extend(passed);
                met.insert(demand);
            }
        }
    }

    /// Passes on the uses of names that this module only re-exports with all others of a module, and
    /// the responses to them.
    fn pass_on(&mut self, demands: &[Demand]) {
        let responses: HashMap<&TextDemand, &Part> = demands.iter().filter_map(response).collect();
        for module in self.outline.wildcards() {
            for demand in demands {
                let demand = match demand {
                    _ if self.outline.names.contains_key(&(0, demand.name())) => continue,
                    Demand::Text(text) if text.followed + 1 < MAX_FOLLOWED => {
                        let passed = TextDemand { followed: text.followed + 1, ..text.clone() };
                        let known = responses.get(&passed).map(|part| part.text.clone());
                        self.parts.extend(known.map(|it| Part { demand: text.clone(), text: it }));
                        Demand::Text(passed)
                    }
                    Demand::Object(_) => demand.clone(),
                    Demand::Callee(Imported { name, .. }) => {
                        Demand::Callee(Imported { module: module.to_owned(), name: name.clone() })
                    }
                    _ => continue,
                };
                let (other, otherwise) = (OtherFile::Module(module.to_owned()), None);
                self.elsewhere.push(Elsewhere { other, demand, entry: 0..0, otherwise });
            }
        }
    }
}

/// The text in a response, by the use that it responds to.
fn response(demand: &Demand) -> Option<(&TextDemand, &Part)> {
    match demand {
        Demand::Part(part) => Some((&part.demand, part)),
        _ => None,
    }
}
