//! The names of a state in one file, and the places that refer to them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use promptls_syntax::Dialect;

use super::crew::Crew;
use crate::language::Language;

/// The names of an application's state in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// The places that certainly refer to a key of the state, in source order.
    pub accesses: Vec<Access>,
    /// `true` if it writes keys that are computed at run time.
    pub computes_keys: bool,
    /// `true` if it saves artifacts whose names are computed at run time.
    pub computes_artifacts: bool,
    /// The names of keys and of maps that it writes and that other code declares. A key is computed
    /// at run time if its name is not [declared](Flow::declared).
    pub elsewhere: Box<[String]>,
    /// The [`mention`] hashes of the names that it declares as keys or as maps with known keys.
    pub declared: Box<[u64]>,
    /// The places that refer to a key by the name of a constant that another file declares.
    pub named: Vec<NamedAccess>,
    /// The keys that it sets and that are joined from parts.
    pub joined: Vec<JoinedKey>,
    /// The constants that such places of other files may name, sorted by their names.
    pub constants: Box<[KeyConstant]>,
    /// The agents that the agent of a configuration runs, if it has any.
    pub sub_agents: Option<Box<SubAgents>>,
    /// The crews that it declares.
    pub crews: Box<[Crew]>,
    /// Hashes of all words that may be keys, sorted.
    pub(super) mentions: Box<[u64]>,
}

/// The agents in the configuration of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubAgents {
    /// The order in which they run.
    pub order: AgentOrder,
    /// The paths of their configurations, as written; those of other agents are left out.
    pub files: Vec<String>,
}

/// The order in which an agent runs its agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentOrder {
    /// One after another, again and again.
    Loop,
    /// One after another, only once.
    Sequence,
    /// They run in no certain order.
    Other,
}

/// A place that supplies or reads the value of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The key, such as `plan` in `state["plan"]`, as a prompt writes it.
    pub name: String,
    /// The range of the key in code, without quotes: the end of the name.
    pub range: Range<usize>,
    /// The kind of the place.
    pub kind: AccessKind,
    /// `true` if it supplies a value for the name.
    pub supplies: bool,
    /// The value, if it is a literal.
    pub value: Option<LiteralValue>,
}

/// A place that refers to a key by the name of a constant that another file declares:
/// `state[keys.PLAN]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAccess {
    /// The last word of the name, which a file that declares it contains.
    pub word: String,
    /// The hash of the name.
    pub name: u64,
    /// The kind of the place.
    pub kind: AccessKind,
    /// `true` if it supplies a value for the key.
    pub supplies: bool,
    /// The value, if it is a literal.
    pub value: Option<LiteralValue>,
}

/// A constant that may be a key in other files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyConstant {
    /// The hash of its name, as in [`NamedAccess`].
    pub name: u64,
    /// The key; `None` if it has several values, or another one.
    pub key: Option<ConstantKey>,
}

/// The key of a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantKey {
    /// A literal, at this range of the file without quotes.
    Literal(Range<usize>),
    /// It is joined from parts that the file declares, in an expression that starts at this offset.
    Joined(Box<str>, usize),
}

/// A key that is joined from parts: `PREFIX + "city"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedKey {
    pub(super) parts: Box<[KeyPart]>,
    /// The offset of its expression in the file, in bytes.
    pub start: usize,
}

/// A part of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KeyPart {
    Text(String),
    /// A constant that another file declares: the hash of its name, as in [`NamedAccess`], and the
    /// last word of it.
    Constant {
        name: u64,
        word: String,
    },
}

impl JoinedKey {
    /// A key that is known.
    pub(super) fn known(text: String, start: usize) -> JoinedKey {
        JoinedKey { parts: [KeyPart::Text(text)].into(), start }
    }

    /// The key, with the values of constants of other files; `None` if one is unknown.
    pub fn text<'v>(&self, value: impl Fn(u64) -> Option<&'v str>) -> Option<String> {
        let mut text = String::new();
        for part in &self.parts {
            text.push_str(match part {
                KeyPart::Text(text) => text,
                KeyPart::Constant { name, .. } => value(*name)?,
            });
        }
        Some(text)
    }

    /// The constants of other files in it: the hashes of their names, and the last words of these.
    pub fn constants(&self) -> impl Iterator<Item = (u64, &str)> {
        self.parts.iter().filter_map(|part| match part {
            KeyPart::Text(_) => None,
            KeyPart::Constant { name, word } => Some((*name, &**word)),
        })
    }
}

/// A literal that code assigns to a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiteralValue {
    /// A string, after its escapes are decoded.
    Text(Box<str>),
    /// A number in source form, which is one in JSON, too.
    Number(Box<str>),
    /// A boolean, however the language spells it.
    Bool(bool),
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
    /// A saved or loaded file: `save_artifact("report.txt", …)`, with the name `artifact.report.txt`.
    Artifact,
    /// An input of a run: `.input("plan", …)`, `run(Map.of("plan", …))`.
    Input,
}

impl Flow {
    /// `true` if it has places that another file may refer to.
    pub fn has_places(&self) -> bool {
        !self.accesses.is_empty() || !self.crews.is_empty()
    }

    /// `true` if a word may be a key in the file. The probability of a false positive is one in 2⁶⁴
    /// per word.
    pub fn mentions(&self, name: &str) -> bool {
        self.mentions.binary_search(&mention(name)).is_ok()
    }

    /// The [`mention`] hashes of all words that may be keys, sorted.
    pub fn all_mentions(&self) -> impl Iterator<Item = u64> {
        self.mentions.iter().copied()
    }

    /// The flow of a file that cannot be read: code may write any key, and save any artifact.
    pub fn unread(language: Language) -> Flow {
        let is_code = language.is_code();
        Flow { computes_keys: is_code, computes_artifacts: is_code, ..Flow::default() }
    }

    /// The name of an access of this kind to a key: as a prompt writes it.
    pub fn name_of(kind: AccessKind, key: &str) -> String {
        match kind {
            AccessKind::Artifact => format!("{}{key}", artifact_prefix()),
            _ => key.to_owned(),
        }
    }

    /// This flow with the words that may be keys, and the names that are declared as keys.
    pub(super) fn with_words(self, mut mentions: Vec<u64>, declared: Vec<u64>) -> Flow {
        let sets = |access: &&Access| access.supplies || access.kind != AccessKind::State;
        mentions.extend(self.accesses.iter().filter(sets).map(|access| mention(&access.name)));
        let joined = self.joined.iter().filter_map(|key| key.text(|_| None));
        mentions.extend(joined.map(|key| mention(&key)));
        mentions.sort_unstable();
        mentions.dedup();
        Flow { mentions: mentions.into(), declared: declared.into(), ..self }
    }
}

/// The maximum length of a key, in bytes.
pub(super) const MAX_KEY: usize = 100;

/// `true` if a text may be a key of a placeholder: one word, possibly with a prefix such as
/// `user:`.
pub(super) fn is_key(text: &str) -> bool {
    let mut bytes = text.bytes();
    let is_start = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80;
    let is_part = |byte: u8| is_start(byte) || byte.is_ascii_digit() || b":.-".contains(&byte);
    text.len() <= MAX_KEY && bytes.next().is_some_and(is_start) && bytes.all(is_part)
}

/// The prefix of the names of artifacts in a prompt; one dialect has them.
pub(super) fn artifact_prefix() -> &'static str {
    Dialect::ALL.iter().find_map(|dialect| dialect.spec().file_prefix).unwrap_or_default()
}

/// The hash of a word that may be a key.
pub fn mention(word: &str) -> u64 {
    hash_of(word)
}

/// The hash of a name or a word, which is the same in each process.
pub(super) fn hash_of(name: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}
