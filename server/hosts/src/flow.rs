//! State flow: the sources of values for names in prompts.
//!
//! A framework fills a placeholder from a state that other code writes, in any file of the
//! application. A certain place is an [`Access`]; every other key or whole string is a mention,
//! because a report that nothing sets a name must be right. Words of prose set nothing.

mod access;
pub(crate) mod code;
pub(crate) mod crew;
mod data;

use std::ops::Range;

use crate::data::markdown::data_range;
use crate::language::Language;
use access::is_key;
pub use access::{
    Access, AccessKind, AgentOrder, ConstantKey, Flow, JoinedKey, KeyConstant, LiteralValue,
    NamedAccess, SubAgents, mention,
};
pub use crew::{Crew, CrewMember, CrewPart, CrewReference, UnknownConfig};

/// The names in a file. A file above 2 MB is not parsed, as for prompts: each of its words may be a
/// key. Such files are generated, and most set nothing.
///
/// Cost: the length of the file.
pub fn flow(language: Language, source: &str) -> Flow {
    if source.len() > MAX_BYTES {
        let words = all_words(data_of(language, source)).map(mention).collect();
        return Flow::default().with_words(words, Vec::new());
    }
    match language.is_code() {
        true => code::flow(language, source),
        false => data::flow(language, data_of(language, source)),
    }
}

/// `true` if the word in a range is both a key and a variable, which keeps its name when the key
/// gets another one: `{plan}` in TypeScript.
pub fn is_shorthand(language: Language, source: &str, word: &Range<usize>) -> bool {
    let (before, behind) = (source[..word.start].trim_end(), source[word.end..].trim_start());
    code::has_bare_keys(language)
        && before.ends_with(['{', ','])
        && behind.starts_with(['}', ',', '='])
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
        true => code::accesses(language, source),
        false => Flow { mentions: Box::default(), ..flow(language, source) },
    }
}

/// The names in a file that other files may use for keys: [`Flow::declared`] and
/// [`Flow::constants`].
///
/// Cost: the length of the file.
pub fn declarations(language: Language, source: &str) -> (Box<[u64]>, Box<[KeyConstant]>) {
    match language.is_code() && source.len() <= MAX_BYTES {
        true => code::declarations(language, source),
        false => (flow(language, source).declared, Box::default()),
    }
}

/// `true` if a file may contain certain places of names.
///
/// Cost: a search for a few words.
pub fn may_access(language: Language, source: &str) -> bool {
    source.len() <= MAX_BYTES
        && match language.is_code() {
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

/// `true` if a word that may be a key occurs in a file besides some ranges, which contain no quotes.
///
/// Cost: the length of the file.
pub fn mentions_besides(
    language: Language,
    source: &str,
    name: &str,
    ranges: &[Range<usize>],
) -> bool {
    match language.is_code() && source.len() <= MAX_BYTES {
        true => code::mentions_besides(language, source, name, ranges),
        false => flow(language, source).mentions(name),
    }
}

/// All words of a text that may be keys, wherever they are.
fn all_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|word| is_key(word))
}

/// The maximum size of a parsed file, in bytes.
const MAX_BYTES: usize = 2 << 20;

#[cfg(test)]
mod tests;
