//! Errors of the builder.

/// The reason why a prompt cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A literal text that the dialect would parse as something else.
    #[error(
        "{section}: {dialect} would read `{text}` as a placeholder, and cannot send it unchanged"
    )]
    WouldBeRead {
        /// The section that contains the text.
        section: String,
        /// The dialect of the prompt.
        dialect: &'static str,
        /// The part of the text that the dialect would parse.
        text: String,
    },
    /// The dialect would parse a delimiter between sections.
    #[error(
        "{dialect} would read the delimiter `{text}` as a placeholder; choose other delimiters"
    )]
    DelimitersCollide {
        /// The dialect of the prompt.
        dialect: &'static str,
        /// The delimiter that the dialect would parse.
        text: String,
    },
    /// A text contains the delimiter that ends its section.
    #[error(
        "{section}: the text contains `{end}`, which would end the section; choose other delimiters"
    )]
    EndsSection {
        /// The section that contains the text.
        section: String,
        /// The delimiter that the text contains, such as `</task>`.
        end: String,
    },
    /// A part that exists once was set twice to different values.
    #[error("{} set twice, to different values: {}", if parts.len() == 1 { "this is" } else { "these are" }, parts.join(", "))]
    SetTwice {
        /// The names of the parts in template files.
        parts: Vec<String>,
    },
    /// The schema of the output is not JSON.
    #[error("the schema of the output is not JSON: {reason}")]
    Schema {
        /// The parse error, with its position.
        reason: String,
    },
    /// An example does not meet the condition for examples.
    #[error("example {number} ({input}) is not valid")]
    InvalidExample {
        /// Its number, from 1, in the order in which examples were added.
        number: usize,
        /// The input of the example.
        input: String,
    },
    /// The minimum number of words exceeds the maximum.
    #[error("the minimum of {min} words is above the maximum of {max}")]
    Words {
        /// The minimum, in words of the answer.
        min: u32,
        /// The maximum in words, smaller than `min`.
        max: u32,
    },
    /// A section without a name.
    #[error("a {what} needs a name")]
    NoName {
        /// The kind: `document`, `format of data`, `section`, `message` or `tool`.
        what: &'static str,
    },
    /// A name that is invalid in the dialect.
    #[error("`{name}` is not a valid name in {dialect}: {rule}")]
    Name {
        /// The dialect of the prompt.
        dialect: &'static str,
        /// The name of the placeholder, before it is spelled in the dialect.
        name: String,
        /// The rule for names in the dialect.
        rule: &'static str,
    },
    /// No template has this name.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// More arguments than the template takes.
    #[error("the template takes {takes}; {given} were given")]
    Arguments {
        /// A description of the arguments that it takes.
        takes: String,
        /// The number of arguments given.
        given: usize,
    },
}

/// The error for an unknown template or language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{name}`; known: {}", known.join(", "))]
pub struct Unknown {
    /// The kind of thing that was looked up.
    pub what: &'static str,
    /// The name that was looked up.
    pub name: String,
    /// All existing names of this kind, in alphabetical order.
    pub known: Vec<String>,
}

/// The error for an invalid template file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct TemplateError(#[from] toml::de::Error);

impl TemplateError {
    /// The range of the error in bytes of the file; `None` if the error has no position.
    pub fn range(&self) -> Option<std::ops::Range<usize>> {
        self.0.span()
    }

    /// The message, without the position.
    pub fn message(&self) -> &str {
        self.0.message()
    }
}
