//! The results of the search: prompts, and what other hosts need to know.

use std::collections::HashSet;
use std::ops::Range;

use super::Host;
use crate::code::calls::chats;
use crate::code::computed::{computed_names, computed_parts};
use crate::code::outline::Import;
use crate::code::tokens::Tokens;
use crate::finds::Finds;
use crate::host_prompt::{Conflict, Elsewhere, HostPrompt, Imported, Included, Inclusion};
use crate::names;
use crate::text_reference::TextReference;
use crate::unread::Unread;

impl Host<'_, '_> {
    pub(super) fn finish(self) -> Finds {
        let mut finds = Finds {
            text_references: self.text_references(),
            written_parts: self.written_parts,
            elsewhere: self.elsewhere,
            supplied: self.supplied,
            parts: self.parts,
            unmet: self.unmet,
            cut_off: self.tokens.unclosed,
            unread: unread(self.tokens, self.unread),
            computed: self.computed,
            unknown_configs: self.unknown_configs,
            imports: self.outline.imports.iter().map(imported).collect(),
            ..Finds::default()
        };
        let mut parts: Vec<Vec<Range<usize>>> = Vec::new();
        let mut starts: Vec<usize> = Vec::new();
        for (start, evidence) in self.evidence {
            let (dialect, why) = match evidence.decision() {
                Ok(Some(decision)) => decision,
                Ok(None) => continue,
                Err(dialects) => {
                    let literal = evidence.text.literals.first().cloned();
                    finds.conflicts.extend(literal.map(|literal| Conflict { literal, dialects }));
                    continue;
                }
            };
            let engine = evidence.engine_of(dialect);
            let (text, known_holes) = evidence.text.with_holes_elsewhere();
            if known_holes.is_empty() {
                finds.computed.extend(computed_parts(&evidence.text.literals, &text, dialect));
            }
            finds.computed.extend(computed_names(&text, &known_holes, dialect));
            let contracts = evidence.contracts.into_iter().filter(|(of, _)| *of == dialect);
            let supplies = evidence.supplies.into_iter().filter(|(of, _)| *of == dialect);
            let included_by = evidence.included_by.into_iter().filter(|(of, _)| *of == dialect);
            parts.push(evidence.parts);
            starts.push(start);
            finds.prompts.push(HostPrompt {
                variable: evidence.variable.filter(|variable| *variable != evidence.name),
                name: names::clean(&evidence.name),
                dialect,
                why,
                engine,
                agent: evidence.agent,
                role: evidence.role,
                text,
                known_holes,
                literals: evidence.text.literals,
                included: included(evidence.text.included),
                entry: evidence.entry,
                contracts: contracts.map(|(_, contract)| contract).collect(),
                supplies: supplies.map(|(_, supply)| supply).collect(),
                included_by: included_by.map(|(_, inclusion)| inclusion).collect(),
                later: evidence.later,
                declared: None,
                read_only: None,
                is_of_framework: !evidence.recognised.is_empty(),
                listed: evidence.listed,
                crew_references: Vec::new(),
                chat: None,
                choice: evidence.choice,
            });
        }
        show_once(&mut finds.prompts);
        names::make_unique(&mut finds.prompts);
        let calls = self.call_texts.into_iter().filter_map(|it| Some((it.call, it.first?)));
        let mut calls: Vec<_> = calls.collect();
        calls.sort_by_key(|(call, _): &(Range<usize>, usize)| call.start);
        chats::finish(self.chats, &starts, &calls, &mut finds);
        finds.computed.sort_by_key(|computed| computed.unread.range.start);
        finds.computed.dedup();
        for (prompt, parts) in finds.prompts.iter().zip(parts) {
            let inclusion = Inclusion {
                file: None,
                prompt: prompt.name.clone(),
                inputs_name: prompt.inputs_name().to_owned(),
            };
            for part in parts.into_iter().flatten() {
                finds.elsewhere[part].include_in(&inclusion);
            }
        }
        finds
    }

    /// The places that stand for texts which are written elsewhere.
    fn text_references(&self) -> Vec<TextReference> {
        let used = self.elsewhere.iter().flat_map(Elsewhere::texts);
        self.expressions.text_references.of_texts(&self.literals, used)
    }
}

/// Included literals, in source order and each once.
fn included(mut literals: Vec<Range<usize>>) -> Vec<Included> {
    literals.sort_unstable_by_key(|literal| literal.start);
    literals.dedup();
    literals.into_iter().map(|literal| Included { literal, is_shown: true }).collect()
}

/// Shows a literal that several prompts include only as a part of the first one. A prompt of its own
/// is only that.
fn show_once(prompts: &mut [HostPrompt]) {
    if prompts.iter().all(|prompt| prompt.included.is_empty()) {
        return;
    }
    let own = prompts.iter().flat_map(|prompt| &prompt.literals);
    let mut shown: HashSet<usize> = own.map(|literal| literal.start).collect();
    for included in prompts.iter_mut().flat_map(|prompt| &mut prompt.included) {
        included.is_shown = shown.insert(included.literal.start);
    }
}

/// The texts that cannot be read, in order. In unclosed code, escapes are unreliable.
fn unread(tokens: &Tokens<'_>, mut all: Vec<Unread>) -> Vec<Unread> {
    if let Some(open) = tokens.unread() {
        return vec![open];
    }
    all.sort_unstable_by_key(|unread| unread.range.start);
    all.dedup();
    all
}

/// What an import has; the name of a whole module is empty.
fn imported(import: &Import<'_>) -> Imported {
    let name = import.name.unwrap_or_default().to_owned();
    Imported { module: import.module.clone(), name }
}
