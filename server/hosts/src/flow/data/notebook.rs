//! Names in a Jupyter notebook: those of its code. Its texts and outputs set nothing.

use memchr::memmem;
use promptls_data::{NodeValue, Tree};

use super::super::access::Flow;
use super::super::code;
use super::words;
use crate::language::Language;

/// A key at the top of every notebook.
const FORMAT_KEY: &str = "nbformat";

/// `true` if a file may be a notebook.
///
/// Cost: a search for a word.
pub(super) fn may_be(language: Language, source: &str) -> bool {
    language == Language::Json && memmem::find(source.as_bytes(), FORMAT_KEY.as_bytes()).is_some()
}

/// `true` for the data of a notebook.
pub(super) fn is_one(tree: &Tree<'_>) -> bool {
    cells(tree).is_some()
}

/// The names in the code of a notebook, without places: a place in a cell is no place in the file.
/// `None` for other data.
pub(super) fn flow(tree: &Tree<'_>) -> Option<Flow> {
    let (mut mentions, mut declared, mut elsewhere) = (Vec::new(), Vec::new(), Vec::new());
    let (mut named, mut computes_keys) = (Vec::new(), false);
    for cell in tree.children(cells(tree)?) {
        let is_code = tree.member(cell, "cell_type").and_then(|it| tree.text(it)) == Some("code");
        let Some(source) = tree.member(cell, "source").filter(|_| is_code) else { continue };
        let text = text_of(tree, source);
        // The text after `%%writefile agent.yaml` and the like is of any language.
        let flow = match text.trim_start().starts_with("%%") {
            true => words::flow(&text),
            false => code::flow(Language::Python, &text),
        };
        mentions.extend(flow.all_mentions());
        computes_keys |= flow.computes_keys;
        elsewhere.extend(flow.elsewhere);
        declared.extend(flow.declared);
        named.extend(flow.named);
    }
    let flow = Flow { computes_keys, elsewhere: elsewhere.into(), named, ..Flow::default() };
    Some(flow.with_words(mentions, declared))
}

/// The list of cells; `None` for data that is no notebook.
fn cells(tree: &Tree<'_>) -> Option<usize> {
    let root = tree.documents.first()?.root?;
    tree.member(root, FORMAT_KEY)?;
    tree.member(root, "cells").filter(|cells| tree.nodes[*cells].kind == NodeValue::List)
}

/// The text of a cell, which is a string or a list of lines with their ends.
fn text_of(tree: &Tree<'_>, source: usize) -> String {
    let lines = tree.children(source).filter_map(|line| tree.text(line));
    tree.text(source).map_or_else(|| lines.collect(), str::to_owned)
}
