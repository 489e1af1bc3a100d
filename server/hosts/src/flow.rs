//! State flow: the sources of values for names in prompts.
//!
//! A framework fills a placeholder from a state that other code writes, in any file of the
//! application. A certain place is an [`Access`]; every other key or whole string is a mention,
//! because a report that nothing sets a name must be right. Words of prose set nothing.

pub(crate) mod code;
mod data;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use crate::data::markdown::data_range;
use crate::language::Language;

/// The names of an application's state in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// The places that certainly refer to a key of the state, in source order.
    pub accesses: Vec<Access>,
    /// `true` if it writes keys that are computed at run time.
    pub computes_keys: bool,
    /// `true` if it is code that was not read, so that it may write any key.
    pub is_unread: bool,
    /// Hashes of all words that may be keys, sorted.
    mentions: Box<[u64]>,
}

/// A place that supplies or reads the value of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The key, such as `plan` in `state["plan"]`.
    pub name: String,
    /// The range of the name, without quotes.
    pub range: Range<usize>,
    /// The kind of the place.
    pub kind: AccessKind,
    /// `true` if it supplies a value for the name.
    pub supplies: bool,
}

/// A kind of place that refers to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// The key for the answer of an agent: `output_key="plan"`.
    OutputKey,
    /// An index or a method of a state: `state["plan"]`, `state.put("plan", …)`.
    State,
    /// A key of a map that initializes or changes a state: `state={"plan": …}`.
    StateKey,
    /// An input of a run: `.input("plan", …)`, `run(Map.of("plan", …))`.
    Input,
}

impl Flow {
    /// `true` if a word may be a key in the file. The probability of a false positive is one in 2⁶⁴
    /// per word.
    pub fn mentions(&self, name: &str) -> bool {
        self.mentions.binary_search(&mention(name)).is_ok()
    }

    /// The [`mention`] hashes of all words that may be keys, sorted.
    pub fn all_mentions(&self) -> impl Iterator<Item = u64> {
        self.mentions.iter().copied()
    }

    /// The flow of a file that cannot be read.
    pub fn unread(language: Language) -> Flow {
        Flow { is_unread: language.is_code(), ..Flow::default() }
    }

    /// Creates a flow; `accesses` are in order.
    fn new(accesses: Vec<Access>, mut mentions: Vec<u64>, computes_keys: bool) -> Flow {
        mentions.extend(accesses.iter().map(|access| mention(&access.name)));
        mentions.sort_unstable();
        mentions.dedup();
        Flow { accesses, computes_keys, is_unread: false, mentions: mentions.into() }
    }
}

/// The names in a file. A file above 2 MB is not read, as for prompts.
///
/// Cost: the length of the file.
pub fn flow(language: Language, source: &str) -> Flow {
    if source.len() > MAX_BYTES {
        return Flow::unread(language);
    }
    match language.is_code() {
        true => code::flow(language, source),
        false => data::flow(language, data_of(language, source)),
    }
}

/// The part of a data file whose words may be keys: for Markdown, only the part up to the end of
/// the front matter, because prose sets nothing.
fn data_of(language: Language, source: &str) -> &str {
    data_range(language, source).map_or("", |range| &source[..range.end])
}

/// The same without mentions.
///
/// Cost: a search for a few words; if one is found, the length of the file.
pub fn accesses(language: Language, source: &str) -> Flow {
    match language.is_code() {
        _ if !may_access(language, source) => Flow::default(),
        true if source.len() <= MAX_BYTES => code::accesses(language, source),
        _ => Flow { mentions: Box::default(), ..flow(language, source) },
    }
}

/// `true` if a file may contain certain places of names, or is not read.
///
/// Cost: a search for a few words.
pub fn may_access(language: Language, source: &str) -> bool {
    source.len() > MAX_BYTES
        || match language.is_code() {
            true => code::may_access(language, source),
            false => data::may_access(language, data_of(language, source)),
        }
}

/// The places where a name is a whole string, without quotes.
///
/// Cost: a search for it; if it is found, the length of the file.
pub fn whole_strings(language: Language, source: &str, name: &str) -> Vec<Range<usize>> {
    let has_it = memchr::memmem::find(source.as_bytes(), name.as_bytes()).is_some();
    match (has_it && source.len() <= MAX_BYTES, language.is_code()) {
        (false, _) => Vec::new(),
        (true, true) => code::whole_strings(language, source, name),
        (true, false) => data::whole_strings(language, data_of(language, source), name),
    }
}

/// The maximum size of an examined file, in bytes.
const MAX_BYTES: usize = 2 << 20;

/// The maximum length of a key, in bytes.
const MAX_KEY: usize = 100;

/// `true` if a text may be a key of a placeholder: one word, possibly with a prefix such as
/// `user:`.
fn is_key(text: &str) -> bool {
    let mut bytes = text.bytes();
    let is_start = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80;
    let is_part = |byte: u8| is_start(byte) || byte.is_ascii_digit() || b":.-".contains(&byte);
    text.len() <= MAX_KEY && bytes.next().is_some_and(is_start) && bytes.all(is_part)
}

/// The hash of a word that may be a key.
pub fn mention(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
