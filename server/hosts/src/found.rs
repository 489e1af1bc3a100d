//! A prompt that was found in a host.

use std::ops::Range;

use promptls_syntax::Dialect;

use crate::decoded::Decoded;

/// A prompt in a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is called, once in its file.
    pub name: String,
    /// The dialect of its text.
    pub dialect: Dialect,
    /// Who says that it is a prompt.
    pub why: Why,
    /// Its text, and where that is written.
    pub text: Decoded,
    /// The literals that its text is written in, with their quotes, in order.
    pub literals: Vec<Range<usize>>,
    /// All that the host says about it, literals included: the call, the statement, the entry.
    pub entry: Range<usize>,
}

/// Who says that a string is a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A place of a framework, as people write it: `google.adk.agents.LlmAgent(instruction)`.
    Recogniser(&'static str),
    /// A comment before it.
    Mark,
    /// The entry of a rule, as it is written there.
    Rule(String),
}
