//! What was said about a prompt and has no effect.

use std::fmt;

/// Something that was said about a prompt and has no effect, or one that surprises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A text without anything in it is left out.
    Blank(&'static str),
    /// A label needs an input.
    LabelWithoutInput,
    /// There are no examples that could be limited or shuffled.
    NoExamples(&'static str),
    /// There are no more examples than that.
    LimitNotReached {
        /// At most so many.
        limit: usize,
        /// So many there are.
        examples: usize,
    },
    /// No example is left by this limit.
    NoExampleLeft,
    /// Both stand in the prompt, and contradict each other.
    Contradiction(&'static str, &'static str),
    /// A schema says more than this format has.
    SchemaBesideFormat(&'static str),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Blank(part) => write!(f, "{part} is blank, and left out"),
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
                write!(f, "the schema is JSON, and the output is to be {format}; both are written")
            }
        }
    }
}
