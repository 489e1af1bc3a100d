//! A quick search for words, which is all that most code files cost.

use std::ops::Range;

use aho_corasick::{AhoCorasick, packed};

/// Words that are searched for at once.
pub(crate) enum Gate {
    /// Compares many bytes at once, if the processor supports it.
    Packed(packed::Searcher),
    Automaton(AhoCorasick),
    /// Too many words for the searcher: every file passes.
    Open,
}

impl Gate {
    /// Creates a gate for some words.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Gate {
        let mut words: Vec<&str> = words.into_iter().collect();
        // Many recognisers have the same package, and the searcher takes few words.
        words.sort_unstable();
        words.dedup();
        let packed = packed::Config::new().builder().extend(&words).build().map(Gate::Packed);
        packed.unwrap_or_else(|| AhoCorasick::new(&words).map_or(Gate::Open, Gate::Automaton))
    }

    /// `true` if `is_right` accepts an occurrence of one of the words; of overlapping occurrences,
    /// only the first is passed to it.
    ///
    /// Cost: one pass over the text, up to that occurrence.
    pub fn any(&self, text: &str, mut is_right: impl FnMut(Range<usize>) -> bool) -> bool {
        match self {
            Gate::Packed(words) => words.find_iter(text).any(|found| is_right(found.range())),
            Gate::Automaton(words) => words.find_iter(text).any(|found| is_right(found.range())),
            Gate::Open => true,
        }
    }

    /// `true` if a text contains one of the words.
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
