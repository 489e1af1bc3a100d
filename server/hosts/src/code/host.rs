//! The search for prompts in a host: the facts about its texts, collected step by step.

pub(crate) mod crews;
mod demands;
mod evidence;
mod filled_texts;
mod framework_calls;
mod marks;
mod naming;
mod results;
mod rules;
mod supplied;
mod unknown;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use promptls_syntax::Dialect;

use super::calls::chats::FoundChat;
use super::expression::{Expressions, Variant};
use super::outline::Outline;
use super::rule::CodeEntry;
use super::static_value::StaticValue;
use super::supplying::contracts::Contracts;
use super::tokens::Tokens;
use crate::finds::Finds;
use crate::flow::crew::UnknownConfig;
use crate::host_prompt::{
    Contract, Demand, Elsewhere, ObjectDemand, OtherFile, Part, TextDemand, TextPath,
};
use crate::text_reference::WrittenPart;
use crate::unread::{Computed, Unread};
use crews::{config_files, unknown_configs};
use evidence::TextEvidence;
use supplied::CallText;

/// A host, and what is known about it so far.
pub(super) struct Host<'h, 's> {
    tokens: &'h Tokens<'s>,
    outline: &'h Outline<'s>,
    expressions: Expressions<'h, 's>,
    /// The facts by the start of the first literal.
    evidence: BTreeMap<usize, TextEvidence>,
    /// The names that calls give to prompts nested in them, by their brackets.
    names_around: HashMap<usize, Option<String>>,
    elsewhere: Vec<Elsewhere>,
    /// The texts of framework calls.
    call_texts: Vec<CallText>,
    chats: Vec<FoundChat>,
    /// The calls that supply values to prompts of other hosts.
    supplied: Vec<Contract>,
    /// The demands of other hosts for objects, by their names.
    objects: HashMap<&'h str, Vec<&'h ObjectDemand>>,
    /// The first tokens of texts that methods of the language may fill.
    filled: Vec<usize>,
    parts: Vec<Part>,
    written_parts: Vec<WrittenPart>,
    /// The starts of the literals of all texts.
    literals: HashSet<usize>,
    unmet: Vec<TextDemand>,
    unread: Vec<Unread>,
    computed: Vec<Computed>,
    unknown_configs: Vec<UnknownConfig>,
    /// The uses by other hosts, and their answers to this one.
    demands: &'h [Demand],
    /// Those of them about names that do not exist.
    missing: HashSet<(&'h OtherFile, &'h str)>,
}

impl<'h, 's> Host<'h, 's> {
    /// A host without any facts; `demands` are the uses by other hosts, and their answers.
    pub fn new(tokens: &'h Tokens<'s>, outline: &'h Outline<'s>, demands: &'h [Demand]) -> Self {
        Host {
            tokens,
            outline,
            expressions: Expressions::new(tokens, outline, demands),
            evidence: BTreeMap::new(),
            names_around: HashMap::new(),
            elsewhere: Vec::new(),
            call_texts: Vec::new(),
            chats: Vec::new(),
            supplied: Vec::new(),
            objects: objects_by_name(demands),
            filled: Vec::new(),
            parts: Vec::new(),
            written_parts: Vec::new(),
            literals: HashSet::new(),
            unmet: Vec::new(),
            unread: Vec::new(),
            computed: Vec::new(),
            unknown_configs: Vec::new(),
            demands,
            missing: demands.iter().filter_map(Demand::missing).collect(),
        }
    }

    /// Finds all prompts of the host.
    pub fn find(mut self, rules: &[(CodeEntry, Dialect)]) -> Finds {
        let (callees, mut sought) = self.recognise();
        self.note_crews();
        let contracts = Contracts::new(self.tokens, self.outline);
        self.apply_rules(rules, &contracts);
        self.meet();
        self.read_marks(&contracts);
        sought.extend(self.names_of_filled(&contracts));
        Finds { callees, sought, ..self.finish() }
    }

    /// Notes the files with configurations of the crews of the host, and the names that these do not
    /// have.
    fn note_crews(&mut self) {
        let files = config_files(self.tokens, self.outline);
        self.unknown_configs = unknown_configs(self.tokens, &files, self.demands);
        let files = files.into_iter();
        self.elsewhere.extend(files.map(|file| Elsewhere {
            other: OtherFile::Text(TextPath { end: file.path, up: Some(0) }),
            demand: Demand::Crew(file.part),
            entry: 0..0,
            otherwise: None,
        }));
    }

    /// The source range of the statement that contains a token.
    fn entry(&self, token: usize) -> Range<usize> {
        let statement = self.outline.statement_at(token);
        self.tokens.range(statement.map_or(token..token + 1, |it| it.tokens.clone()))
    }

    /// A variant of an expression in which literals of earlier variants are only included.
    fn without_shown(&self, mut variant: Variant, shown: &mut HashSet<usize>) -> Variant {
        if let Some(StaticValue::Here(text)) = &mut variant.known {
            let had_literals = !text.literals.is_empty();
            let is_new = |literal: &Range<usize>| !shown.contains(&literal.start);
            let (own, known) = std::mem::take(&mut text.literals).into_iter().partition(is_new);
            text.literals = own;
            text.included.extend::<Vec<_>>(known);
            if had_literals && text.literals.is_empty() {
                text.literals.push(self.tokens.range(variant.tokens.clone()));
            }
            shown.extend(text.literals.iter().map(|literal| literal.start));
        }
        variant
    }
}

fn objects_by_name(demands: &[Demand]) -> HashMap<&str, Vec<&ObjectDemand>> {
    let mut by_name: HashMap<&str, Vec<&ObjectDemand>> = HashMap::new();
    for demand in demands {
        if let Demand::Object(demand) = demand {
            by_name.entry(&demand.name).or_default().push(demand);
        }
    }
    by_name
}

/// The start of the first literal of a text of this host.
fn first_literal(known: &StaticValue) -> Option<usize> {
    match known {
        StaticValue::Here(text) => text.literals.first().map(|literal| literal.start),
        StaticValue::Elsewhere(_) => None,
    }
}
