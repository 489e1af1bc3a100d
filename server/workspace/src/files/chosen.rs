//! Selection of one prompt of a file by its name: `agents/planner.py#root_agent`.

use std::path::{Path, PathBuf};

use promptls_analysis::position::Encoding;
use promptls_analysis::{Foreign, did_you_mean};
use promptls_hosts::Chat;
use promptls_resolver::Problem;
use promptls_syntax::Dialect;

use super::sources::Sources;
use super::{Disk, Files};
use crate::hosts::is_code::{has_only_strings, host_language, is_code_or_data};
use crate::prompt_file::PromptFile;
use crate::sidecars::loading::Overrides;

/// The reason why a file does not have the requested prompt.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NoSuchPrompt {
    /// A name was given for a file that is itself a prompt.
    #[error("{file} is itself a prompt and contains no prompt `{name}`; omit the name")]
    NoNames {
        /// The file, as the user wrote it.
        file: String,
        /// The requested name, from `FILE#NAME` or `--prompt`.
        name: String,
    },
    /// The file has no prompt.
    #[error("{file} has no prompt: {reason}")]
    NoPrompts {
        /// The file, as the user wrote it.
        file: String,
        /// The reason, as a phrase for users.
        reason: String,
    },
    /// The prompts of the file cannot be read.
    #[error("the prompts of {file} cannot be read: {reason}")]
    UnreadPrompts {
        /// The file, as the user wrote it.
        file: String,
        /// The reason, with its position.
        reason: String,
    },
    /// The file has several prompts, and no name was given.
    #[error("{file} has several prompts; name one, as {file}#NAME: {known}")]
    WhichPrompt {
        /// The file, as the user wrote it.
        file: String,
        /// The prompts of the file.
        known: String,
    },
    /// The file has prompts, but none of this name.
    #[error("{file} has no prompt `{name}`, only {known}{hint}")]
    UnknownPrompt {
        /// The file, as the user wrote it.
        file: String,
        /// The requested name, which no prompt of the file has.
        name: String,
        /// A suggestion of a similar name; may be empty.
        hint: String,
        /// The prompts of the file.
        known: String,
    },
    /// A chat of several messages, for a request for one text.
    #[error("this is a chat of several messages; name one of them: {known}")]
    Chat {
        /// The names of the messages.
        known: String,
    },
    /// A prompt in a foreign template language, without an explicit dialect.
    #[error("{file} {reads_like}; specify its dialect, one of: {known}")]
    OtherLanguage {
        /// The file, as the user wrote it.
        file: String,
        /// The language that it appears to use.
        reads_like: String,
        /// The ids of all dialects, separated by commas.
        known: String,
    },
}

impl NoSuchPrompt {
    /// The error for a file of code or data without any prompt.
    pub fn no_strings(file: &str) -> NoSuchPrompt {
        let why = match host_language(Path::new(file)) {
            Some(_) => "no framework, mark or rule of promptls.toml names a string in it",
            None => "it is code or data of a kind whose strings are not read",
        };
        let reason = format!("{why}; specify its dialect to read it as one prompt");
        NoSuchPrompt::NoPrompts { file: file.to_owned(), reason }
    }
}

/// Splits the name of a prompt, after a `#`, from the end of a path. A file whose name contains the
/// `#` takes precedence.
///
/// ```
/// use std::path::Path;
///
/// use promptls_workspace::split_name;
///
/// let (file, name) = split_name(Path::new("agents/planner.py#root_agent")).unwrap();
/// assert_eq!((file.to_str(), &*name), (Some("agents/planner.py"), "root_agent"));
/// assert_eq!(split_name(Path::new("letter.adk.prompt")), None);
/// ```
pub fn split_name(path: &Path) -> Option<(PathBuf, String)> {
    if Disk.is_there(path) {
        return None;
    }
    let (file, name) = path.to_str()?.rsplit_once('#')?;
    (!file.is_empty() && !name.is_empty()).then(|| (PathBuf::from(file), name.to_owned()))
}

impl PromptFile {
    /// The reason why a file that the command line names cannot be used as a prompt; `shown` is its
    /// name in the message.
    ///
    /// Code and data are read as one prompt only if a rule or the caller requires it. Otherwise
    /// source code would be sent to a model.
    pub fn unusable(&self, overrides: &Overrides, shown: &str) -> Option<NoSuchPrompt> {
        let file = || shown.to_owned();
        if let Some(problem) = self.unread().first().filter(|_| !self.is_stale()) {
            return Some(NoSuchPrompt::UnreadPrompts {
                file: file(),
                reason: self.place_of(problem),
            });
        }
        let path = &self.files[0];
        let is_given = overrides.dialect.is_some()
            || overrides.engine.is_some()
            || self.where_prompts_stand().is_some();
        let is_ruled = || self.rule().is_some_and(|rule| rule.strings.is_none());
        if is_given || !is_code_or_data(path) || !has_only_strings(path) && is_ruled() {
            return None;
        }
        Some(NoSuchPrompt::no_strings(shown))
    }

    /// A problem of the file with its position, in one line.
    fn place_of(&self, problem: &Problem) -> String {
        let sources = Sources::of(self, Encoding::Utf32, |_| String::new());
        let place = sources.positions(&problem.location).start;
        format!("{}:{}: {}", place.line + 1, place.column + 1, problem.message)
    }

    /// The position of a prompt by its name, or of the only prompt if no name is given. `shown` is
    /// the name of the file in errors.
    pub fn choose(&self, name: Option<&str>, shown: &str) -> Result<usize, NoSuchPrompt> {
        let file = || shown.to_owned();
        let named = self.prompts.iter().filter_map(|prompt| prompt.name.as_deref());
        let known: Vec<&str> = named.collect();
        let index = match (name, self.prompts.len()) {
            (_, 0) => return Err(self.why_nothing(shown)),
            (None, 1) => 0,
            (None, _) => {
                return Err(NoSuchPrompt::WhichPrompt {
                    file: file(),
                    known: self.addresses().join(", "),
                });
            }
            (Some(name), _) if known.is_empty() => {
                return Err(NoSuchPrompt::NoNames { file: file(), name: name.to_owned() });
            }
            (Some(name), _) => {
                self.prompt_named(name).ok_or_else(|| NoSuchPrompt::UnknownPrompt {
                    file: file(),
                    name: name.to_owned(),
                    hint: did_you_mean(name, known.iter().copied()),
                    known: known.join(", "),
                })?
            }
        };
        if let Some(Foreign::Language(language)) = self.prompts[index].snapshot.foreign {
            let known = Dialect::ALL.map(|dialect| dialect.spec().id).join(", ");
            let reads_like = language.reads_like();
            return Err(NoSuchPrompt::OtherLanguage { file: file(), reads_like, known });
        }
        Ok(index)
    }

    /// The same, but an error for a chat of several messages, which is no single text.
    pub fn choose_text(&self, name: Option<&str>, shown: &str) -> Result<usize, NoSuchPrompt> {
        let chat = match name {
            Some(name) => self.chat_named(name),
            None => self.only_chat(),
        };
        match chat.filter(|chat| chat.messages.len() > 1) {
            Some(chat) => Err(self.names_messages(chat)),
            None => self.choose(name, shown),
        }
    }

    /// The error for a chat where one text is requested.
    pub fn names_messages(&self, chat: &Chat) -> NoSuchPrompt {
        let names = chat.prompts().filter_map(|index| self.prompts[index].name.as_deref());
        NoSuchPrompt::Chat { known: names.collect::<Vec<_>>().join(", ") }
    }

    fn why_nothing(&self, shown: &str) -> NoSuchPrompt {
        let file = shown.to_owned();
        match self.why_empty() {
            Some(problem) => NoSuchPrompt::UnreadPrompts { file, reason: self.place_of(problem) },
            None => {
                let place = self.where_prompts_stand().unwrap_or_default();
                NoSuchPrompt::NoPrompts { file, reason: format!("a prompt is expected in {place}") }
            }
        }
    }
}
