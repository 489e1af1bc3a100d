//! Notes on parts of a prompt that have no effect.

use std::fmt;

/// A part of a prompt that has no effect, or a surprising combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// An empty text was left out.
    Blank(&'static str),
    /// A label was set without an input.
    LabelWithoutInput,
    /// A limit or a seed was set, but there are no examples.
    NoExamples(&'static str),
    /// The limit is not lower than the number of examples.
    LimitNotReached {
        /// The limit, at least as high as `examples`.
        limit: usize,
        /// The number of examples before the limit applies.
        examples: usize,
    },
    /// The limit is zero, so no example is written.
    NoExampleLeft,
    /// Two parts of the prompt contradict each other.
    Contradiction(&'static str, &'static str),
    /// A JSON schema was set with an output format other than JSON.
    SchemaBesideFormat(&'static str),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Blank(part) => write!(f, "{part} is blank and omitted"),
            Note::LabelWithoutInput => write!(f, "the label has no effect without an input"),
            Note::NoExamples(what) => write!(f, "{what} has no effect without examples"),
            Note::LimitNotReached { limit, examples } => {
                write!(f, "the limit of {limit} has no effect on {examples} examples")
            }
            Note::NoExampleLeft => write!(f, "with a limit of 0, no example is written"),
            Note::Contradiction(one, other) => {
                write!(f, "{one} and {other} contradict each other; both are written")
            }
            Note::SchemaBesideFormat(format) => {
                write!(f, "the schema is JSON, but the output format is {format}; both are written")
            }
        }
    }
}
