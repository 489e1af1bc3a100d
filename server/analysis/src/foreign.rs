//! Files that look like prompts, but belong to other tools.

use promptls_resolver::{Code, FileId, Location, Problem};

use crate::detect::OtherLanguage;

/// The reason why a file is ignored: it has no other problems, and nothing is displayed for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// It starts with front matter, as prompts of another tool do.
    FrontMatter,
    /// It is written in an unsupported template language.
    Language(OtherLanguage),
}

impl Foreign {
    /// The only problem of such a file.
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
