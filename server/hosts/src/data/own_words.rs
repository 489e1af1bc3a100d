//! Keys and values of data that belong to a framework: no state has them as keys.

use std::collections::HashSet;

use promptls_data::{NodeValue, Tree};

use super::recognisers::{DataDocument, PromptPlace, RECOGNISERS, Recogniser, has_keys_of_adk};
use crate::flow::CrewPart;
use crate::language::Language;

/// The values of a file, by their numbers in its tree.
#[derive(Default)]
pub(crate) struct OwnWords {
    /// Values whose keys belong to a framework.
    pub keys: HashSet<usize>,
    /// Values whose texts belong to a framework.
    pub texts: HashSet<usize>,
}

/// Those of agents and tasks of a crew, with their names, and the keys of agents of ADK, whose texts
/// may be keys of the state.
///
/// Cost: the values.
pub(crate) fn own_words(language: Language, tree: &Tree<'_>) -> OwnWords {
    let mut found = OwnWords::default();
    for root in tree.documents.iter().filter_map(|document| document.root) {
        let document = DataDocument { tree, root, language, schema: None };
        if has_keys_of_adk(&document) {
            found.keys.extend(tree.children(root));
        }
        let is_one = |row: &&Recogniser| {
            row.languages.contains(&language)
                && row.crew.is_some_and(|(_, keys)| document.has_entry(keys))
        };
        for row in RECOGNISERS.iter().filter(is_one) {
            for entry in tree.children(root) {
                let places = row.prompts.iter();
                let named =
                    places.flat_map(|it| named_parts(tree, it, entry)).map(|(node, _)| node);
                let members = tree.children(tree.target(entry));
                let all: Vec<usize> = named.chain(members).chain([entry]).collect();
                found.keys.extend(&all);
                found.texts.extend(all);
            }
        }
    }
    found
}

/// The values of an entry that name parts of a crew: a text for an agent, the items of a list for
/// tasks, or a text instead of such a list.
pub(super) fn named_parts(
    tree: &Tree<'_>,
    place: &PromptPlace,
    entry: usize,
) -> Vec<(usize, CrewPart)> {
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
