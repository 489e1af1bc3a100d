//! Where the values of names come from that a program gives to its prompts: state flow.
//!
//! A framework fills a placeholder from a state that other code writes, in any file of the
//! application. What is certain of a place there is an [`Access`]; every other word that may well be
//! a key is a mention, because whoever says that nothing sets a name must be right.

pub(crate) mod code;
mod data;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use crate::data::data_range;
use crate::language::Language;

/// What a file says of the names of an application's state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// The places that certainly are about a key of the state, in source order.
    pub accesses: Vec<Access>,
    /// Whether it writes keys that only the running program knows.
    pub computes_keys: bool,
    /// Whether it is code that was not looked at, so that it may do anything.
    pub is_unread: bool,
    /// Hashes of all words that may be keys, sorted.
    mentions: Box<[u64]>,
}

/// A place that gives or takes the value of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The name.
    pub name: String,
    /// Where it is written, without quotes.
    pub range: Range<usize>,
    /// What sort of place it is.
    pub kind: AccessKind,
    /// Whether it gives the name a value.
    pub supplies: bool,
}

/// What sort of place knows a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// What an agent answers goes there: `output_key="plan"`.
    OutputKey,
    /// An index or a method of a state: `state["plan"]`, `state.put("plan", …)`.
    State,
    /// A key of a map that a state starts with, or that changes it: `state={"plan": …}`.
    StateKey,
    /// An input of a run: `.input("plan", …)`, `run(Map.of("plan", …))`.
    Input,
}

impl Flow {
    /// Whether a word may well be a key somewhere in the file. It may be said of one in 2⁶⁴ others,
    /// too.
    pub fn mentions(&self, name: &str) -> bool {
        self.mentions.binary_search(&mention(name)).is_ok()
    }

    /// What [`mention`] gives for each of these words, sorted.
    pub fn all_mentions(&self) -> impl Iterator<Item = u64> {
        self.mentions.iter().copied()
    }

    /// That of a file that cannot be read.
    pub fn unread(language: Language) -> Flow {
        Flow { is_unread: language.is_code(), ..Flow::default() }
    }

    /// `accesses` are in order.
    fn new(accesses: Vec<Access>, mut mentions: Vec<u64>, computes_keys: bool) -> Flow {
        mentions.extend(accesses.iter().map(|access| mention(&access.name)));
        mentions.sort_unstable();
        mentions.dedup();
        Flow { accesses, computes_keys, is_unread: false, mentions: mentions.into() }
    }
}

/// What a file says of names; above 2 MB it is not read, as for prompts.
///
/// Cost: the length of the file.
pub fn flow(language: Language, source: &str) -> Flow {
    if source.len() > MAX_BYTES {
        return Flow::unread(language);
    }
    match language.is_code() {
        true => code::flow(language, source),
        false => data::flow(data_of(language, source)),
    }
}

/// The part of a file of data whose words may be keys: what stands before the end of the front
/// matter of Markdown, as prose sets nothing.
fn data_of(language: Language, source: &str) -> &str {
    data_range(language, source).map_or("", |range| &source[..range.end])
}

/// The same without what it mentions.
///
/// Cost: a search for a few words; where one is found, the length of the file.
pub fn accesses(language: Language, source: &str) -> Flow {
    match language.is_code() {
        _ if !may_access(language, source) => Flow::default(),
        true if source.len() <= MAX_BYTES => code::accesses(language, source),
        _ => Flow { mentions: Box::default(), ..flow(language, source) },
    }
}

/// Whether a file may say something for certain of names, or is not read.
///
/// Cost: a search for a few words.
pub fn may_access(language: Language, source: &str) -> bool {
    source.len() > MAX_BYTES
        || match language.is_code() {
            true => code::may_access(language, source),
            false => data::may_access(data_of(language, source)),
        }
}

/// The places where a name is a whole string, without quotes.
///
/// Cost: a search for it; where it is found, the length of the file.
pub fn whole_strings(language: Language, source: &str, name: &str) -> Vec<Range<usize>> {
    let has_it = memchr::memmem::find(source.as_bytes(), name.as_bytes()).is_some();
    match (has_it && source.len() <= MAX_BYTES, language.is_code()) {
        (false, _) => Vec::new(),
        (true, true) => code::whole_strings(language, source, name),
        (true, false) => data::whole_strings(data_of(language, source), name),
    }
}

/// Larger files are not looked at, in bytes.
const MAX_BYTES: usize = 2 << 20;

/// Longer words are no keys, in bytes.
const MAX_KEY: usize = 100;

/// Whether a text may be a key that a placeholder names: one word, which may have a prefix like
/// `user:`.
fn is_key(text: &str) -> bool {
    let mut bytes = text.bytes();
    let is_start = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80;
    let is_part = |byte: u8| is_start(byte) || byte.is_ascii_digit() || b":.-".contains(&byte);
    text.len() <= MAX_KEY && bytes.next().is_some_and(is_start) && bytes.all(is_part)
}

/// What is kept of a word that may be a key.
pub fn mention(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
