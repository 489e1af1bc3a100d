//! Whether a file has any of a few words: what is done with all the code that people keep.

use std::ops::Range;

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

    /// Whether a place with one of them is as it should be; of places that overlap, the first is
    /// asked about.
    ///
    /// Cost: one pass over the text, as far as to that place.
    pub fn any(&self, text: &str, mut is_right: impl FnMut(Range<usize>) -> bool) -> bool {
        match self {
            Gate::Packed(words) => words.find_iter(text).any(|found| is_right(found.range())),
            Gate::Automaton(words) => words.find_iter(text).any(|found| is_right(found.range())),
            Gate::Open => true,
        }
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
