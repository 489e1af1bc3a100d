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
                "this file starts with front matter, so it belongs to another tool and is not checked; add a rule to promptls.toml to read it as a prompt".to_owned(),
            ),
            Foreign::Language(language) => (
                Code::DialectGuessed,
                0..1,
                format!("{}; add a rule or the dialect in the file name to read it as a prompt", language.reads_like()),
            ),
        };
        Problem::new(code, Location { file: FileId::PROMPT, range }, message)
    }
}
