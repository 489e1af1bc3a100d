//! Why a prompt cannot be written.

/// Why a prompt cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A text that is to be sent as it stands would be read as something else.
    #[error(
        "{section}: {dialect} would read `{text}` as a placeholder, and has no way to send it as it stands"
    )]
    WouldBeRead {
        /// The section in which it stands.
        section: String,
        /// The dialect of the prompt.
        dialect: &'static str,
        /// What it would read.
        text: String,
    },
    /// The dialect would read what stands between sections.
    #[error(
        "{dialect} would read the delimiter `{text}` as a placeholder; choose other delimiters"
    )]
    DelimitersCollide {
        /// The dialect of the prompt.
        dialect: &'static str,
        /// What it would read.
        text: String,
    },
    /// A text holds what ends its section.
    #[error(
        "{section}: the text holds `{end}`, which would end the section; choose other delimiters"
    )]
    EndsSection {
        /// The section in which it stands.
        section: String,
        /// What would end it.
        end: String,
    },
    /// A thing that can be said once was said twice, and not the same.
    #[error("{} said twice, and not the same: {}", if parts.len() == 1 { "this is" } else { "these are" }, parts.join(", "))]
    SaidTwice {
        /// What they are called in files of templates.
        parts: Vec<String>,
    },
    /// The schema of the output is no JSON.
    #[error("the schema of the output is not JSON: {reason}")]
    Schema {
        /// What is wrong with it, and where.
        reason: String,
    },
    /// An example that is not what all of them must be.
    #[error("example {number} ({input}) is not valid")]
    InvalidExample {
        /// Its number, from 1, in the order in which examples were given.
        number: usize,
        /// What came in.
        input: String,
    },
    /// More words at least than at most.
    #[error("at least {min} words are more than at most {max}")]
    Words {
        /// At least so many.
        min: u32,
        /// At most so many.
        max: u32,
    },
    /// A section without a name.
    #[error("a {what} needs a name")]
    NoName {
        /// What it is.
        what: &'static str,
    },
    /// A name that the dialect cannot read.
    #[error("{dialect} cannot read the name `{name}`: {rule}")]
    Name {
        /// The dialect of the prompt.
        dialect: &'static str,
        /// The name.
        name: String,
        /// What a name is there.
        rule: &'static str,
    },
    /// No such template.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// More arguments than a template takes.
    #[error("the template takes {takes}; {given} were given")]
    Arguments {
        /// What it takes.
        takes: String,
        /// How many were given.
        given: usize,
    },
}

/// Why there is no such template or language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{name}`; known: {}", known.join(", "))]
pub struct Unknown {
    /// What was looked for.
    pub what: &'static str,
    /// Its name.
    pub name: String,
    /// The names that exist.
    pub known: Vec<String>,
}

/// Why the file of a template cannot be read as one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct TemplateError(#[from] toml::de::Error);

impl TemplateError {
    /// The bytes of the file that are wrong, if it is a place.
    pub fn range(&self) -> Option<std::ops::Range<usize>> {
        self.0.span()
    }

    /// What is wrong there, without the place.
    pub fn message(&self) -> &str {
        self.0.message()
    }
}
