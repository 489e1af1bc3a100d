//! Whether a file has any of a few words: what is done with all the code that people keep.

use aho_corasick::{AhoCorasick, packed};

/// Words that are searched for at once.
pub(crate) enum Gate {
    /// By comparing many bytes at once, where the processor can.
    Packed(packed::Searcher),
    Automaton(AhoCorasick),
    /// More words than can be searched for: each file is looked into.
    Open,
}

impl Gate {
    /// A gate for some words.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Gate {
        let words: Vec<&str> = words.into_iter().collect();
        let packed = packed::Config::new().builder().extend(&words).build().map(Gate::Packed);
        packed.unwrap_or_else(|| AhoCorasick::new(&words).map_or(Gate::Open, Gate::Automaton))
    }

    /// Whether one of them is somewhere in a text.
    ///
    /// Cost: one pass over the text.
    pub fn opens(&self, text: &str) -> bool {
        match self {
            Gate::Packed(words) => words.find(text).is_some(),
            Gate::Automaton(words) => words.is_match(text),
            Gate::Open => true,
        }
    }
}
