//! Strings to texts with a map of where each character is written.

mod json;
pub(crate) mod toml;
mod yaml;

use crate::decoded::Decoded;
use crate::format::Format;
use crate::tree::{Kind, Node, Tree};

impl Tree<'_> {
    /// The text of a string with a map of where each character is written; `None` for other
    /// values, and for a string that is written in a way that is not supported.
    ///
    /// Cost: its length; of a block scalar, with the blank lines behind it.
    pub fn decode(&self, number: usize) -> Option<Decoded> {
        let Node { kind: Kind::String { text, .. }, span, parent, .. } = &self.nodes[number] else {
            return None;
        };
        let range = span.range();
        // In brackets, `|` is a character like others.
        let may_be_block = *parent == number || !self.starts_with(*parent, &['[', '{']);
        let decoded = match self.format() {
            Format::Json => json::decode(self.source(), range.clone()),
            Format::Yaml => {
                yaml::decode(self.source(), range.clone(), may_be_block.then_some(&**text))
            }
            Format::Toml => toml::decode(self.source(), range.clone()),
        }?;
        // The parser of the format is right where the two differ.
        (decoded.text() == &**text).then_some(decoded)
    }
}
