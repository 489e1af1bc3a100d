//! Places in code that stand for texts which are written elsewhere, for navigation.

use std::ops::Range;
use std::sync::Arc;

use crate::code::Reference;
use crate::host_prompt::{TextDemand, TextPath};

/// A place in a host that stands for a text which is written elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextReference {
    /// Its range: a name, an interpolation with its braces, or a path without its quotes.
    pub place: Range<usize>,
    /// The text that is put in; `None` if only another file has it. Each part that only the running
    /// program has is U+FFFC.
    pub text: Option<Arc<str>>,
    /// The place of the text.
    pub target: TextTarget,
}

/// The place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextTarget {
    /// A range of the same host, from the first to the last literal, with their quotes.
    Here(Range<usize>),
    /// Another host, by the name that refers to its text.
    Elsewhere(TextName),
    /// A whole file, by the path that code reads.
    File(TextPath),
}

/// The name of a text that another host has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextName(pub(crate) Box<Reference>);

impl TextName {
    /// `true` if a use of another host is that of this name.
    pub fn is_used_by(&self, demand: &TextDemand) -> bool {
        self.0.meanings().any(|reference| demand.is_of(reference))
    }
}

/// The place of a text that other hosts use as a part of their prompts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenPart {
    /// The use by the other host.
    pub demand: TextDemand,
    /// A range of the host of the text, or another host that it takes the text from.
    pub target: TextTarget,
}

impl WrittenPart {
    /// The place of a text; `None` if its use is no part of a prompt.
    pub(crate) fn new(demand: &TextDemand, target: TextTarget) -> Option<WrittenPart> {
        demand.is_part().then(|| WrittenPart { demand: demand.clone(), target })
    }
}
