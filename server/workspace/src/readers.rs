//! Readers: they find the prompts in files that hold them in strings.
//!
//! A reader returns the prompts of a file, and the source map of their texts. Everything else is
//! done by [`PromptFile`](super::PromptFile), as for a file that is a prompt.

pub mod drift;
pub mod text_map;
pub mod writing;

use std::fmt::Debug;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use promptls_analysis::HostText;
use promptls_hosts::{Demand, Language};
use promptls_resolver::{Declarations, FileId, Format, Problem};
use promptls_syntax::Dialect;

use self::text_map::TextMap;
use self::writing::Writing;
use super::config::Config;
use super::files::Files;
use super::hosts::conflict::Conflict;
use super::hosts::is_code::is_code;
use super::hosts::own_output::is_own_output;
use super::hosts::reader::Hosts;
use super::packs::Packs;
use super::read_error::ReadError;

/// Finds the prompts in files of one kind.
pub trait Reader: Debug + Sync {
    /// `true` if a file is of this kind by its name, regardless of its content.
    fn claims(&self, path: &Path) -> bool;

    /// `true` if a file with another name may be of this kind, so that its text must be examined.
    fn may_claim(&self, _path: &Path) -> bool {
        false
    }

    /// `true` if a text is of this kind, regardless of the file name; `None` if it is intended to
    /// be, but cannot be read.
    ///
    /// Cost: for nearly all other texts, a search for a few bytes.
    fn recognizes(&self, _source: &Source<'_>) -> Option<bool> {
        Some(false)
    }

    /// `true` if a rule names the strings of a file of this kind that are prompts.
    fn is_named(&self, _source: &Source<'_>) -> bool {
        false
    }

    /// The dialect of all its prompts; `None` if each has its own.
    fn dialect(&self) -> Option<Dialect>;

    /// `true` if the part of a sidecar name after the stem begins with the name of a prompt.
    /// Otherwise it is the name of a case, for all prompts of the file.
    fn names_prompts_in_sidecars(&self) -> bool {
        false
    }

    /// The contents of a file, whose places have the id `file`. Never fails: what cannot be read is
    /// reported as a problem.
    fn read(&self, source: &Source<'_>, file: FileId) -> Contents;

    /// The language id of editors for such files.
    fn language(&self) -> &'static str;

    /// The kind of place of prompts in such files, for messages.
    fn where_prompts_stand(&self) -> &'static str;
}

/// A text that may hold prompts, with its file.
#[derive(Clone, Debug)]
pub struct Source<'s> {
    /// The file.
    pub path: &'s Path,
    /// The text of the file.
    pub text: &'s Arc<str>,
    /// The config that applies to it.
    pub config: Option<&'s Config>,
    /// The strings that other files use.
    pub uses: Arc<[Demand]>,
}

/// The contents of a file as a reader returns them.
#[derive(Debug, Default)]
pub struct Contents {
    /// The prompts, in source order.
    pub prompts: Vec<FoundPrompt>,
    /// Problems of the file as a whole.
    pub problems: Vec<Problem>,
    /// Texts that would be prompts, if frameworks agreed on their dialect.
    pub conflicts: Vec<Conflict>,
    /// `true` if the file does not parse, so that it may have other prompts.
    pub is_broken: bool,
}

/// A prompt in a file.
#[derive(Debug)]
pub struct FoundPrompt {
    /// Its name in the file.
    pub name: Arc<str>,
    /// The reason why it is a prompt, for users.
    pub why: Arc<str>,
    /// The range of its whole entry.
    pub entry: Range<usize>,
    /// The dialect of its text.
    pub dialect: Dialect,
    /// The name of its agent, if the file contains it.
    pub agent: Option<String>,
    /// The text of the prompt.
    pub text: String,
    /// Facts about the string in code that contains it; `None` for a value in data.
    pub host: Option<HostText>,
    /// The source positions of that text.
    pub map: TextMap,
    /// The writer for edits of that text.
    pub writing: Arc<dyn Writing>,
    /// The declarations of the file for it.
    pub declared: Option<Declared>,
    /// Problems beyond those that are checked for all prompts. Places in its text have the id
    /// [`FileId::PROMPT`].
    pub problems: Vec<Problem>,
}

/// The declarations of a file for one of its prompts.
#[derive(Debug)]
pub struct Declared {
    /// Variables and fragments.
    pub declarations: Declarations,
    /// `true` if the file contains a list of variables.
    pub has_variables: bool,
    /// The keys from the top of the file to that list, even if the list does not exist.
    pub variables_at: Vec<String>,
}

/// All readers. A new kind of file needs an entry here.
static READERS: [&dyn Reader; 13] = [
    &Packs(Format::Json),
    &Packs(Format::Yaml),
    &Hosts(Language::Python),
    &Hosts(Language::Java),
    &Hosts(Language::Kotlin),
    &Hosts(Language::TypeScript),
    &Hosts(Language::Tsx),
    &Hosts(Language::JavaScript),
    &Hosts(Language::Go),
    &Hosts(Language::Yaml),
    &Hosts(Language::Json),
    &Hosts(Language::Toml),
    &Hosts(Language::Markdown),
];

/// The reader of a file that is known by its name; `None` for one that is a prompt itself, has no
/// reader, or must be examined.
pub fn reader_of(path: &Path) -> Option<&'static dyn Reader> {
    READERS.into_iter().find(|reader| reader.claims(path))
}

/// The reader of a file by its name or its text. A broken text keeps its previous reader `last`, or
/// else gets the first possible one.
///
/// An unreadable file has a reader if a rule names its strings, or if its readable part is for a
/// reader. So unread parts are reported, and not skipped.
pub fn reader_of_text(
    path: &Path,
    config: Option<&Config>,
    files: &dyn Files,
    text: impl FnOnce() -> Result<Arc<str>, ReadError>,
    last: Option<&'static dyn Reader>,
) -> Option<&'static dyn Reader> {
    // Nearly all code returns here.
    let holds_prompts = files.holds_prompts(path);
    if holds_prompts == Some(false) {
        return None;
    }
    if let Some(reader) = reader_of(path) {
        return Some(reader);
    }
    let mut readers = READERS.into_iter().filter(|reader| reader.may_claim(path)).peekable();
    readers.peek()?;
    if holds_prompts == Some(true) {
        return readers.next();
    }
    let text = text();
    let readable = match &text {
        Ok(text) => text.clone(),
        Err(error) if error.is_missing() => return None,
        Err(error) => error.readable().cloned().unwrap_or_default(),
    };
    if !is_code(path) && is_own_output(path, &readable) {
        return None;
    }
    let uses = files.uses(path).unwrap_or_default();
    let source = Source { path, text: &readable, config, uses };
    if text.is_err() {
        return readers.find(|it| it.is_named(&source) || it.recognizes(&source) != Some(false));
    }
    let mut of_broken = None;
    for reader in readers {
        let is_last = last.is_some_and(|last| std::ptr::addr_eq(last, reader));
        match reader.recognizes(&source) {
            Some(true) => return Some(reader),
            None if is_last || of_broken.is_none() => of_broken = Some(reader),
            _ => {}
        }
    }
    of_broken
}

#[cfg(test)]
mod tests;
