//! Names in YAML, JSON, TOML, the front matter of Markdown, and notebooks.
//!
//! The code that reads a file may use each of its keys and each whole string as a key of the state.
//! Words of longer texts and of comments set nothing. In a notebook only the code counts.

mod notebook;
mod sub_agents;
mod words;

use std::ops::Range;

use memchr::memmem;
use promptls_data::{Format, Node, NodeKey, NodeValue, Tree, read};

use super::access::{Access, AccessKind, Flow, is_key, mention};
use crate::data::own_words;
use crate::language::Language;

/// The key for the destination of an answer in configurations of agents.
const OUTPUT_KEY: &str = "output_key";

/// `true` if there may be an access, or a computed key.
pub(super) fn may_access(language: Language, source: &str) -> bool {
    memmem::find(source.as_bytes(), OUTPUT_KEY.as_bytes()).is_some()
        || sub_agents::may_be(source)
        || notebook::may_be(language, source)
}

/// The names in a file. Text that is no valid data counts word by word.
pub(super) fn flow(language: Language, source: &str) -> Flow {
    let Some(tree) = tree(language, source) else { return words::flow(source) };
    if let Some(flow) = notebook::flow(&tree) {
        return flow;
    }
    let mentions = strings(language, &tree).map(|(_, text)| mention(text)).collect();
    let is_output =
        |node: &&Node<'_>| matches!(&node.key, NodeKey::Name(name) if *name == OUTPUT_KEY);
    let outputs = tree.nodes.iter().filter(is_output);
    let mut accesses: Vec<Access> = outputs.filter_map(|node| output(&tree, node)).collect();
    accesses.sort_by_key(|access| access.range.start);
    let sub_agents = sub_agents::of(&tree).map(Box::new);
    Flow { accesses, sub_agents, ..Flow::default() }.with_words(mentions, Vec::new())
}

/// The ranges where a name is a whole key or string, without quotes.
pub(super) fn whole_strings(language: Language, source: &str, name: &str) -> Vec<Range<usize>> {
    let Some(tree) = tree(language, source) else { return words::whole_strings(source, name) };
    if notebook::is_one(&tree) {
        return Vec::new();
    }
    let places = strings(language, &tree).filter(|(_, text)| *text == name);
    let mut places: Vec<Range<usize>> =
        places.filter_map(|(range, name)| place_in(source, range, name)).collect();
    places.sort_by_key(|place| place.start);
    places
}

/// The values of a file; `None` for text that is no valid data.
fn tree(language: Language, source: &str) -> Option<Tree<'_>> {
    let format = match language {
        Language::Json => Format::Json,
        Language::Toml => Format::Toml,
        _ => Format::Yaml,
    };
    read(format, source).ok()
}

/// The keys and strings that may be keys of the state, with their ranges.
fn strings<'t>(
    language: Language,
    tree: &'t Tree<'_>,
) -> impl Iterator<Item = (Range<usize>, &'t str)> {
    let own = own_words(language, tree);
    tree.nodes.iter().enumerate().flat_map(move |(number, node)| {
        let key = match &node.key {
            NodeKey::Name(name) if !own.keys.contains(&number) => {
                Some((node.key_span.range(), &**name))
            }
            _ => None,
        };
        let text = match &node.kind {
            NodeValue::String { text, .. } if !own.texts.contains(&number) => {
                Some((node.body.range(), text.trim()))
            }
            _ => None,
        };
        key.into_iter().chain(text).filter(|(_, text)| is_key(text))
    })
}

/// The access in an entry such as `output_key: plan`.
fn output(tree: &Tree<'_>, node: &Node<'_>) -> Option<Access> {
    let NodeValue::String { text, .. } = &node.kind else { return None };
    let name = text.trim();
    let range = place_in(tree.source(), node.body.range(), name).filter(|_| is_key(name))?;
    Some(Access {
        name: name.to_owned(),
        range,
        kind: AccessKind::OutputKey,
        supplies: true,
        value: None,
    })
}

/// The range of a name within that of its string; `None` if it is written with escapes.
fn place_in(source: &str, string: Range<usize>, name: &str) -> Option<Range<usize>> {
    let start = string.start + source[string].find(name)?;
    Some(start..start + name.len())
}
