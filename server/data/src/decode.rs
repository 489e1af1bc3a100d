//! Decoding of strings, with a map of the source position of each character.

mod json;
pub(crate) mod toml;
mod yaml;

use crate::decoded::Decoded;
use crate::format::Format;
use crate::tree::{Node, NodeValue, Tree};

impl Tree<'_> {
    /// The text of a string, with a map of its source positions; `None` for other values, and for
    /// strings in unsupported notation.
    ///
    /// Cost: its length; for a block scalar, including the empty lines after it.
    pub fn decode(&self, number: usize) -> Option<Decoded> {
        let Node { kind: NodeValue::String { text, .. }, span, parent, .. } = &self.nodes[number]
        else {
            return None;
        };
        let range = span.range();
        // Inside brackets, `|` is an ordinary character.
        let may_be_block = *parent == number || !self.starts_with(*parent, &['[', '{']);
        let decoded = match self.format() {
            Format::Json => json::decode(self.source(), range),
            Format::Yaml => yaml::decode(self.source(), range, may_be_block.then_some(&**text)),
            Format::Toml => toml::decode(self.source(), range),
        }?;
        // If the two differ, the parser of the format is right.
        (decoded.text() == &**text).then_some(decoded)
    }
}
