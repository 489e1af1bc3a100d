//! A prompt that was found in a host.

use std::ops::Range;

use promptls_syntax::Dialect;

use crate::code::{Operation, Reference};
use crate::unread::Unread;
use promptls_data::Decoded;

/// A prompt in a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is called, once in its file.
    pub name: String,
    /// The dialect of its text.
    pub dialect: Dialect,
    /// Who says that it is a prompt.
    pub why: Why,
    /// The name of the first agent that it is given to, where that is known.
    pub agent: Option<String>,
    /// Its text, and where that is written.
    pub text: Decoded,
    /// The literals that its text is written in, with their quotes, in order.
    pub literals: Vec<Range<usize>>,
    /// All that the host says about it, literals included: the call, the statement, the entry.
    pub entry: Range<usize>,
    /// The calls that give it its values in the sight of whoever reads it.
    pub contracts: Vec<Contract>,
}

/// A call next to a prompt that gives it values: a *call-site contract*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The brackets of the call.
    pub call: Range<usize>,
    /// The names that it gives values to, and where these are written, without quotes.
    pub keys: Vec<(String, Range<usize>)>,
    /// Whether these are all that the prompt gets.
    pub is_whole: bool,
    /// Whether nothing but this prompt reads them.
    pub is_own: bool,
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

/// All that was found in a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finds {
    /// Its prompts, in the order of their first literals.
    pub prompts: Vec<Found>,
    /// Texts that are given to frameworks of several dialects, so that they are no prompts.
    pub conflicts: Vec<Conflict>,
    /// Prompts of other hosts that this one uses.
    pub elsewhere: Vec<Elsewhere>,
    /// Where a literal or comment starts that the end of the file cuts off.
    pub cut_off: Option<usize>,
    /// What may hold prompts and cannot be read.
    pub unread: Vec<Unread>,
}

/// A text of which frameworks disagree, and no mark or rule says what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Its first literal.
    pub literal: Range<usize>,
    /// The dialects in which it is resolved.
    pub dialects: Vec<Dialect>,
}

/// A prompt that is written in another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elsewhere {
    /// The other host as the language spells it: `.prompts`, `pkg.prompts`; or the class in it, with
    /// its package: `com.example.Prompts`. `.` in Go: another file of the folder.
    pub module: String,
    /// What to look for there.
    pub demand: Demand,
    /// Where it is used.
    pub entry: Range<usize>,
}

/// A constant or function of a host that another one uses as a prompt: what to look for with
/// [`crate::find_with`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// What it is called in its host.
    pub name: String,
    /// Whether it is a function whose text is asked for.
    pub is_called: bool,
    /// The dialect in which it is used.
    pub dialect: Dialect,
    /// The place that uses it.
    pub why: Why,
    /// The name of the agent there.
    pub agent: Option<String>,
    /// The class that declares it, without its package.
    pub(crate) class: Option<String>,
    pub(crate) operations: Vec<Operation>,
    pub(crate) followed: u8,
}

impl Elsewhere {
    pub(crate) fn new(
        reference: Reference,
        dialect: Dialect,
        why: Why,
        agent: Option<String>,
        entry: Range<usize>,
    ) -> Elsewhere {
        let Reference { module, class, name, is_called, operations, followed } = reference;
        // Its own host counts its name again.
        let followed = followed.saturating_sub(1);
        let demand = Demand { name, is_called, dialect, why, agent, class, operations, followed };
        Elsewhere { module, demand, entry }
    }
}
