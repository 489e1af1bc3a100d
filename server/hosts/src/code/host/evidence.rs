//! The facts that decide whether a text is a prompt, and of which dialect.

use std::collections::btree_map::Entry;
use std::ops::Range;

use promptls_syntax::Dialect;

use super::Host;
use crate::code::static_value::{StaticValue, Text};
use crate::host_prompt::{Contract, Elsewhere, Inclusion, ListedNames, PlaceEngine, Supply, Why};
use crate::language::Language;
use crate::marks::Mark;

/// Collected facts about a text.
pub(super) struct TextEvidence {
    pub text: Text,
    /// Its name, except for names that only its framework provides.
    pub name: String,
    pub entry: Range<usize>,
    pub mark: Option<Mark>,
    pub rule: Option<(Dialect, String)>,
    pub recognised: Vec<(Dialect, Why)>,
    pub agent: Option<String>,
    /// The role of the message that the first call uses it as.
    pub role: Option<String>,
    /// The variable that the object of the framework is assigned to.
    pub variable: Option<String>,
    /// Contracts, with the dialects of their calls.
    pub contracts: Vec<(Dialect, Contract)>,
    /// The same of other hosts.
    pub supplies: Vec<(Dialect, Supply)>,
    /// The prompts of other hosts that it is a part of, with their dialects.
    pub included_by: Vec<(Dialect, Inclusion)>,
    /// The uses of texts that it includes, as indexes of all uses of other hosts.
    pub parts: Vec<Range<usize>>,
    pub later: Vec<Range<usize>>,
    pub listed: Option<ListedNames>,
    /// The range of the expression that chooses between it and other texts.
    pub choice: Option<Range<usize>>,
}

impl TextEvidence {
    /// The engine of a dialect, if the framework that takes the text names it.
    pub fn engine_of(&self, dialect: Dialect) -> Option<PlaceEngine> {
        let (_, why) = self.recognised.iter().find(|(of, _)| *of == dialect)?;
        why.engine()
    }

    /// The dialect of the text, and what decides it; `None` if a mark excludes the text. Fails with
    /// the dialects of frameworks that disagree.
    pub fn decision(&self) -> Result<Option<(Dialect, Why)>, Vec<Dialect>> {
        match (self.mark, &self.rule, &*self.recognised) {
            (Some(Mark::Off), ..) => Ok(None),
            (Some(Mark::Dialect(dialect)), ..) => Ok(Some((dialect, Why::Mark))),
            (None, Some((dialect, entry)), _) => Ok(Some((*dialect, Why::Rule(entry.clone())))),
            (None, None, [(dialect, why)]) => Ok(Some((*dialect, why.clone()))),
            (None, None, recognised) => {
                Err(recognised.iter().map(|(dialect, _)| *dialect).collect())
            }
        }
    }
}

/// The source of evidence that an expression is a prompt.
#[derive(Clone)]
pub(super) enum EvidenceSource {
    /// A call of a framework, with the name of the agent.
    Recogniser(Dialect, Why, Option<String>),
    Rule(Dialect, String),
    Mark(Mark),
}

impl Host<'_, '_> {
    /// A text whose literals are those of an earlier prompt with another text, such as a template with
    /// other values: a prompt of its own, which only includes them.
    pub(super) fn with_own_values(&self, known: StaticValue, tokens: Range<usize>) -> StaticValue {
        let StaticValue::Here(mut text) = known else { return known };
        if self.is_another_text(&text) {
            text.included.append(&mut text.literals);
            text.literals.push(self.tokens.range(tokens));
            text.name = None;
        }
        StaticValue::Here(text)
    }

    /// `true` if the literals of a text are those of an earlier prompt with another text. A template
    /// that is also used unchanged is only checked as written.
    pub(super) fn is_another_text(&self, text: &Text) -> bool {
        let earlier = text.literals.first().and_then(|first| self.evidence.get(&first.start));
        earlier.is_some_and(|TextEvidence { text: earlier, .. }| {
            earlier.has_values() == text.has_values()
                && earlier.decoded.text() != text.decoded.text()
        })
    }

    pub(super) fn add_evidence(
        &mut self,
        known: StaticValue,
        source: EvidenceSource,
        name: String,
        entry: Range<usize>,
    ) {
        let (text, references) = match known {
            StaticValue::Here(mut text) => {
                self.note_literals(&text);
                let parts = std::mem::take(&mut text.parts);
                (Some(text), parts)
            }
            StaticValue::Elsewhere(reference) => (None, vec![reference]),
        };
        let source_of_use = match &source {
            EvidenceSource::Recogniser(dialect, why, agent) => {
                Some((*dialect, why.clone(), agent.clone()))
            }
            EvidenceSource::Rule(dialect, entry) => {
                Some((*dialect, Why::Rule(entry.clone()), None))
            }
            EvidenceSource::Mark(_) => None,
        };
        let used_before = self.elsewhere.len();
        if let Some((dialect, why, agent)) = &source_of_use {
            self.elsewhere.extend(references.into_iter().map(|reference| {
                let (why, agent) = (why.clone(), agent.clone());
                let read_by = (language_of_engine(self.tokens.language, &why), *dialect);
                Elsewhere::new(reference, read_by, why, agent, entry.clone())
            }));
        }
        let parts = used_before..self.elsewhere.len();
        let Some(text) = text.filter(|text| !text.is_computed()) else { return };
        let Some(start) = text.literals.first().map(|first| first.start) else { return };
        let evidence = match self.evidence.entry(start) {
            Entry::Vacant(place) => place.insert(TextEvidence {
                name: text.name.clone().unwrap_or(name),
                text,
                entry,
                mark: None,
                rule: None,
                recognised: Vec::new(),
                agent: None,
                role: None,
                variable: None,
                contracts: Vec::new(),
                supplies: Vec::new(),
                included_by: Vec::new(),
                parts: Vec::new(),
                later: Vec::new(),
                listed: None,
                choice: None,
            }),
            Entry::Occupied(known) => {
                let known = known.into_mut();
                // A text that is formatted for one agent and unchanged to another is checked
                // as written: in the other form, its fields are values or holes.
                if known.text.has_values() && !text.has_values() {
                    known.text = text;
                }
                known
            }
        };
        evidence.parts.push(parts);
        match source {
            EvidenceSource::Recogniser(dialect, why, agent) => {
                evidence.agent = evidence.agent.take().or(agent);
                // A repeated dialect adds no information.
                if evidence.recognised.iter().all(|(known, _)| *known != dialect) {
                    evidence.recognised.push((dialect, why));
                }
            }
            EvidenceSource::Rule(dialect, entry) => {
                evidence.rule.get_or_insert((dialect, entry));
            }
            EvidenceSource::Mark(mark) => evidence.mark = Some(mark),
        }
    }

    /// Notes the literals of a text, for the places that stand for it.
    pub(super) fn note_literals(&mut self, text: &Text) {
        let literals = text.literals.iter().chain(&text.included);
        self.literals.extend(literals.map(|literal| literal.start));
    }
}

/// The language of the engine that reads the prompts of a recogniser: Kotlin may use ADK for Java.
fn language_of_engine(language: Language, why: &Why) -> Language {
    match why {
        Why::Recogniser { place, .. }
            if place.starts_with("com.google.adk.") && !place.starts_with("com.google.adk.kt.") =>
        {
            Language::Java
        }
        _ => language,
    }
}
