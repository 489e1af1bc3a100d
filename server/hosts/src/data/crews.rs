//! Names of agents and tasks in the configurations of a crew.

use std::collections::HashSet;
use std::ops::Range;

use promptls_data::{NodeKey, NodeValue, Tree};

use super::recognisers::{DataDocument, PromptPlace, RECOGNISERS, Recogniser};
use crate::code::CREWAI;
use crate::flow::{CrewPart, CrewReference};
use crate::language::Language;

/// The names of parts of a crew in an entry of a document.
pub(super) fn references(tree: &Tree<'_>, place: &PromptPlace, entry: usize) -> Vec<CrewReference> {
    let nodes = nodes(tree, place, entry).into_iter();
    nodes.filter_map(|(node, part)| reference(tree, node, part)).collect()
}

/// The values of a document that are agents and tasks, or that name them. No state has these names
/// as keys.
pub(crate) fn crew_nodes(language: Language, tree: &Tree<'_>) -> HashSet<usize> {
    let mut found = HashSet::new();
    for root in tree.documents.iter().filter_map(|document| document.root) {
        let document = DataDocument { tree, root, language, schema: None };
        let is_one =
            |row: &&Recogniser| row.engine == Some(CREWAI) && row.languages.contains(&language);
        for row in RECOGNISERS.iter().filter(is_one).filter(|row| (row.is_one)(&document)) {
            for entry in tree.children(root) {
                found.insert(entry);
                let places = row.prompts.iter();
                found.extend(places.flat_map(|it| nodes(tree, it, entry)).map(|(node, _)| node));
            }
        }
    }
    found
}

/// The values of an entry that name parts of a crew: a text for an agent, the items of a list for
/// tasks, or a text instead of such a list.
fn nodes(tree: &Tree<'_>, place: &PromptPlace, entry: usize) -> Vec<(usize, CrewPart)> {
    let mut found = Vec::new();
    for (key, part) in place.refers {
        let Some(value) = tree.member(tree.target(entry), key) else { continue };
        match (part, &tree.nodes[value].kind) {
            (_, NodeValue::String { .. }) => found.push((value, *part)),
            (CrewPart::Agent, _) => {}
            (CrewPart::Task, _) => {
                found.extend(tree.children(tree.target(value)).map(|item| (item, *part)));
            }
        }
    }
    found
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
