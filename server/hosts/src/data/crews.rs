//! Names of agents and tasks in the configurations of a crew.

use std::collections::BTreeMap;
use std::ops::Range;

use promptls_data::{NodeKey, NodeValue, Tree};

use super::own_words::named_parts;
use super::recognisers::{DataDocument, PromptPlace, RECOGNISERS, Recogniser};
use super::{Host, StringEvidence};
use crate::finds::Finds;
use crate::flow::{CrewPart, CrewReference};
use crate::host_prompt::Demand;
use crate::unread::Unread;

impl Host<'_> {
    /// Finds the prompts of a document that code names as the configurations of a crew, although not
    /// all of its values are such. The others are listed as not read: CrewAI raises errors for them.
    /// Responds with the names.
    pub(super) fn read_crew(
        &self,
        document: &DataDocument<'_>,
        demands: &[Demand],
        evidence: &mut BTreeMap<usize, StringEvidence>,
        finds: &mut Finds,
    ) {
        for row in RECOGNISERS.iter().filter(|row| row.languages.contains(&self.language)) {
            let part = row.crew.map(|(part, _)| part);
            let Some(part) = part.filter(|part| demands.contains(&Demand::Crew(*part))) else {
                continue;
            };
            let entries = self.tree.children(document.root);
            finds.crew_names.push((part, entries.map(|entry| self.key(entry)).collect()));
            if !(row.is_one)(document) {
                self.recognise_by(row, document, evidence);
                finds.unread.extend(self.odd_values(row, document));
            }
        }
    }

    /// The values of a document at the places of entries and texts of a crew that are none.
    fn odd_values(&self, row: &Recogniser, document: &DataDocument<'_>) -> Vec<Unread> {
        let Some((part, _)) = row.crew else { return Vec::new() };
        let what = match part {
            CrewPart::Agent => "no agent",
            CrewPart::Task => "no task",
        };
        let odd = |node: usize, what: &str| {
            let kind = in_words(&self.tree.nodes[self.tree.target(node)].kind);
            let reason = format!("`{}` is {kind} and {what}, so it is not read", self.key(node));
            Unread::new(self.tree.nodes[node].key_span.range(), reason)
        };
        if !self.tree.is_object(document.root) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for entry in self.tree.children(document.root) {
            let object = self.tree.target(entry);
            if !self.tree.is_object(object) {
                found.push(odd(entry, what));
                continue;
            }
            let keys = row.prompts.iter().filter_map(|place| place.path.last());
            let values = keys.filter_map(|key| self.tree.member(object, key));
            // A plain word such as `yes` may be a boolean, so it is not certainly a mistake.
            let is_odd = |value: &usize| {
                !matches!(self.tree.nodes[self.tree.target(*value)].kind, NodeValue::String { .. })
            };
            let others = values.filter(is_odd);
            found.extend(others.map(|value| odd(value, "no text")));
        }
        found
    }
}

/// The names of parts of a crew in an entry of a document.
pub(super) fn references(tree: &Tree<'_>, place: &PromptPlace, entry: usize) -> Vec<CrewReference> {
    let named = named_parts(tree, place, entry).into_iter();
    named.filter_map(|(node, part)| reference(tree, node, part)).collect()
}

fn reference(tree: &Tree<'_>, node: usize, part: CrewPart) -> Option<CrewReference> {
    let NodeValue::String { text, .. } = &tree.nodes[node].kind else { return None };
    let name = text.trim();
    let range: Range<usize> = tree.nodes[node].body.range();
    let start = range.start + tree.source()[range].find(name).filter(|_| !name.is_empty())?;
    Some(CrewReference {
        part,
        name: text.to_string(),
        is_spread: part == CrewPart::Task && !matches!(tree.nodes[node].key, NodeKey::Index(_)),
        range: start..start + name.len(),
    })
}

/// The kind of a value, for the user.
const fn in_words(kind: &NodeValue<'_>) -> &'static str {
    match kind {
        NodeValue::Null => "null",
        NodeValue::Bool(_) => "a boolean",
        NodeValue::Number(_) => "a number",
        NodeValue::String { .. } => "a text",
        NodeValue::List => "a list",
        NodeValue::Object | NodeValue::Alias(_) => "an object",
    }
}
