//! Files that hold prompts in strings: who finds the prompts in them.
//!
//! A reader says which prompts a file has, and how their texts map to it. All else about them is
//! decided by [`PromptFile`](super::PromptFile), as for a file that is a prompt.

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
    /// Whether a file is of this kind by its name, whatever stands in it.
    fn claims(&self, path: &Path) -> bool;

    /// Whether a file under another name may be of this kind, so that it is worth a look.
    fn may_claim(&self, _path: &Path) -> bool {
        false
    }

    /// Whether a text is of this kind, whatever its file is called; `None` if it is meant to be, and
    /// cannot be read.
    ///
    /// Cost: for nearly all texts that are not, a search for a few bytes.
    fn recognizes(&self, _source: &Source<'_>) -> Option<bool> {
        Some(false)
    }

    /// Whether a rule says which strings of a file of this kind are prompts.
    fn is_named(&self, _source: &Source<'_>) -> bool {
        false
    }

    /// The dialect of all its prompts; `None` if each has its own.
    fn dialect(&self) -> Option<Dialect>;

    /// Whether what stands behind its stem in the name of a sidecar begins with the name of a
    /// prompt. Else it is the name of a case, of all its prompts.
    fn names_prompts_in_sidecars(&self) -> bool {
        false
    }

    /// What stands in a file, whose places have the id `file`. Never fails: what cannot be read
    /// is a problem.
    fn read(&self, source: &Source<'_>, file: FileId) -> Contents;

    /// What such files are written in, by the id that editors have for it.
    fn language(&self) -> &'static str;

    /// Where prompts stand in such files, for people.
    fn where_prompts_stand(&self) -> &'static str;
}

/// A text that may hold prompts, and where it is.
#[derive(Clone, Debug)]
pub struct Source<'s> {
    /// The file.
    pub path: &'s Path,
    /// What it says.
    pub text: &'s Arc<str>,
    /// The config that counts for it.
    pub config: Option<&'s Config>,
    /// What other files use of it.
    pub uses: Arc<[Demand]>,
}

/// What a reader found in a file.
#[derive(Debug, Default)]
pub struct Contents {
    /// The prompts, in the order in which they are written.
    pub prompts: Vec<FoundPrompt>,
    /// What is wrong with the file as a whole.
    pub problems: Vec<Problem>,
    /// What would be prompts, if frameworks agreed on what they mean.
    pub conflicts: Vec<Conflict>,
    /// Whether the file does not parse, so that it may well have other prompts.
    pub is_broken: bool,
}

/// A prompt as it stands in a file.
#[derive(Debug)]
pub struct FoundPrompt {
    /// What it is called there.
    pub name: Arc<str>,
    /// Who says that it is a prompt, for people.
    pub why: Arc<str>,
    /// All that the file says about it.
    pub entry: Range<usize>,
    /// The dialect of its text.
    pub dialect: Dialect,
    /// The name of the agent that it is given to, where the file says it.
    pub agent: Option<String>,
    /// Its text.
    pub text: String,
    /// What there is to know of it as a string of code; `None` for one that is a value of its own.
    pub host: Option<HostText>,
    /// Where that text is written.
    pub map: TextMap,
    /// How it is edited there.
    pub writing: Arc<dyn Writing>,
    /// What the file declares for it.
    pub declared: Option<Declared>,
    /// What is wrong with it beyond what all prompts are checked for. Places in its text have
    /// the id [`FileId::PROMPT`].
    pub problems: Vec<Problem>,
}

/// What a file declares for one of its prompts.
#[derive(Debug)]
pub struct Declared {
    /// Variables and fragments.
    pub declarations: Declarations,
    /// Whether there is a list of variables at all.
    pub has_variables: bool,
    /// The keys from the top of the file to that list, be it there or not.
    pub variables_at: Vec<String>,
}

/// All readers. Whoever adds a kind of file adds a line here.
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

/// The reader of a file that is known by its name; `None` for one that is a prompt itself, has
/// none, or has to be looked at.
pub fn reader_of(path: &Path) -> Option<&'static dyn Reader> {
    READERS.into_iter().find(|reader| reader.claims(path))
}

/// The reader of a file by its name or its text. A text that is broken has the reader `last`,
/// which it had before, or else the first that it may be for.
///
/// A file that cannot be read has a reader if a rule says which of its strings are prompts, or if as
/// much as can be read of it is for one: what was not read is reported, and not skipped.
pub fn reader_of_text(
    path: &Path,
    config: Option<&Config>,
    files: &dyn Files,
    text: impl FnOnce() -> Result<Arc<str>, ReadError>,
    last: Option<&'static dyn Reader>,
) -> Option<&'static dyn Reader> {
    // Nearly all code ends here.
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
