//! Files that could be prompts of ours, and are none of our business.

use promptls_resolver::{Code, FileId, Location, Problem};

use crate::detect::OtherLanguage;

/// Why a file is left alone: nothing else is said of it, and nothing is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// It opens with front matter, as the prompts of another tool do.
    FrontMatter,
    /// It is written in a template language that is none of ours.
    Language(OtherLanguage),
}

impl Foreign {
    /// The one problem of such a file.
    pub(crate) fn problem(&self) -> Problem {
        let (code, range, message) = match self {
            Foreign::FrontMatter => (
                Code::ForeignFrontMatter,
                0..3,
                "this opens with front matter, so it is another tool's file and is not checked; a rule in promptls.toml makes it a prompt of ours".to_owned(),
            ),
            Foreign::Language(language) => (
                Code::DialectGuessed,
                0..1,
                format!("{}; a rule or an infix makes it a prompt", language.reads_like()),
            ),
        };
        Problem::new(code, Location { file: FileId::PROMPT, range }, message)
    }
}
