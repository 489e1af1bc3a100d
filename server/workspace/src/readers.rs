//! Files that contain prompts in strings: their readers, and what these return.
//!
//! A reader returns the prompts of a file, and the source map of their texts. Everything else is
//! done by [`PromptFile`](super::PromptFile), as for a file that is a prompt. A new format of prompts
//! in data files needs only a row in the recognisers of `promptls-hosts`.

pub mod drift;
pub mod text_map;
pub mod writing;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use promptls_analysis::HostText;
use promptls_hosts::{Chat, Demand, Inclusion, Language, Pack, PlaceEngine};
use promptls_resolver::{Declarations, Problem};
use promptls_syntax::Dialect;

use self::text_map::TextMap;
use super::config::Config;
use super::files::paths::{extension, is_prompt_name};
use super::hosts::conflict::Conflict;
use super::hosts::is_code::{is_code, may_be_read_by_code};
use super::hosts::own_output::is_own_data;
use super::hosts::program_facts::ProgramFacts;
use super::hosts::prompt_cache::found_in;
use super::hosts::rule_strings::{Strings, pack_by_name};
use super::hosts::writing::InHost;
use super::read_error::ReadError;

/// The way to find the prompts in a file that contains them: by its language, and by its kind if it
/// is a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptReader {
    language: Language,
    pack: Option<&'static Pack>,
}

impl PromptReader {
    /// The reader of a pack, by the name of its file; `None` for other files.
    pub fn by_name(path: &Path) -> Option<PromptReader> {
        let language = language_of(path)?;
        pack_by_name(path).map(|pack| PromptReader { language, pack: Some(pack) })
    }

    /// `true` if a file with this name may have prompts in the same language.
    pub fn may_read(self, path: &Path) -> bool {
        match self.language {
            Language::Text => may_be_read_by_code(path),
            language => language_of(path) == Some(language),
        }
    }

    /// The reader of a text file that code reads; `None` for other files, and for those whose name or
    /// rule makes them a prompt. A rule without a dialect leaves it to the code.
    ///
    /// Cost: that of [`ProgramFacts::uses`], for a file without another reason to be a prompt.
    fn of_text(
        path: &Path,
        config: Option<&Config>,
        program: &dyn ProgramFacts,
    ) -> Option<PromptReader> {
        // Nearly all files that are prompts return here.
        if is_prompt_name(path) || !may_be_read_by_code(path) {
            return None;
        }
        let rule = config.and_then(|config| config.rule_for(path));
        let is_ruled = rule.is_some_and(|rule| rule.dialect.is_some() || rule.strings.is_some());
        let is_used = || program.uses(path).iter().any(|it| matches!(it, Demand::Text(_)));
        (!is_ruled && is_used()).then_some(PromptReader { language: Language::Text, pack: None })
    }

    /// The language of the file.
    pub fn language(self) -> Language {
        self.language
    }

    /// The kind of pack that the file is, if it is one.
    pub fn pack(self) -> Option<&'static Pack> {
        self.pack
    }

    /// `true` if the part of a sidecar name after the stem begins with the name of a prompt.
    /// Otherwise it is the name of a case, for all prompts of the file.
    pub fn names_prompts_in_sidecars(self) -> bool {
        self.pack.is_none() && self.language != Language::Text
    }

    /// The kind of place of prompts in such files, for messages.
    pub fn where_prompts_stand(self) -> &'static str {
        match self.pack {
            Some(pack) => pack.place,
            None if self.language == Language::Text => "text files that code reads",
            None => "strings that a framework, a mark or a rule with `strings` selects",
        }
    }
}

/// The language of a file that may contain prompts, by its extension.
pub(crate) fn language_of(path: &Path) -> Option<Language> {
    Language::from_ending(extension(path)?)
}

/// A text that may hold prompts, with its file.
#[derive(Clone, Debug)]
pub struct HostSource<'s> {
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
    /// The chats whose messages are prompts.
    pub chats: Vec<Chat>,
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
    /// The variable of the program for it, if that has another name.
    pub variable: Option<Arc<str>>,
    /// The name of the only chat in which it is a message.
    pub chat: Option<Arc<str>>,
    /// The reason why it is a prompt, for users.
    pub why: Arc<str>,
    /// The range of its whole entry.
    pub entry: Range<usize>,
    /// The dialect of its text.
    pub dialect: Dialect,
    /// Its engine, if its framework names one.
    pub engine: Option<PlaceEngine>,
    /// The name of its agent, if the file contains it.
    pub agent: Option<String>,
    /// The prompts of other files that it is a part of.
    pub included_by: Vec<Inclusion>,
    /// The text of the prompt.
    pub text: String,
    /// Facts about the string in code that contains it; `None` for a value in data.
    pub host: Option<HostText>,
    /// The source positions of that text.
    pub map: TextMap,
    /// The writer for edits of that text.
    pub writing: Arc<InHost>,
    /// The declarations of the file for it.
    pub declared: Option<Declared>,
    /// Problems beyond those that are checked for all prompts. Places in its text have the id
    /// [`FileId::PROMPT`].
    pub problems: Vec<Problem>,
}

impl FoundPrompt {
    /// Its name in the names of its inputs files; see [`Prompt::inputs_name`].
    ///
    /// [`Prompt::inputs_name`]: super::Prompt::inputs_name
    pub fn inputs_name(&self) -> &Arc<str> {
        self.chat.as_ref().unwrap_or(&self.name)
    }
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

/// The reader of a file by its name or its text. A broken text keeps its previous reader `last`.
///
/// An unreadable file has a reader if a rule names its strings, or if its readable part is for a
/// reader. So unread parts are reported, and not skipped.
pub fn reader_of_text(
    path: &Path,
    config: Option<&Config>,
    program: &dyn ProgramFacts,
    text: impl FnOnce() -> Result<Arc<str>, ReadError>,
    last: Option<PromptReader>,
) -> Option<PromptReader> {
    if let Some(reader) = PromptReader::of_text(path, config, program) {
        return Some(reader);
    }
    // Nearly all code returns here.
    let holds_prompts = program.holds_prompts(path);
    if holds_prompts == Some(false) {
        return None;
    }
    let language = language_of(path)?;
    let of_language = PromptReader { language, pack: None };
    let uses = program.uses(path);
    let strings = Arc::new(Strings::of_file(path, config, &uses)?);
    if let Some(reader) = PromptReader::by_name(path) {
        return Some(reader);
    }
    if holds_prompts == Some(true) {
        return Some(of_language);
    }
    let text = text();
    let readable = match &text {
        Ok(text) => text.clone(),
        Err(error) if error.is_missing() => return None,
        Err(error) => error.readable().cloned().unwrap_or_default(),
    };
    if !is_code(path) && is_own_data(path, &readable) {
        return None;
    }
    let found = found_in(language, &readable, &strings);
    let reader = PromptReader { pack: found.pack, ..of_language };
    // During typing, the host may become valid again soon.
    let of_broken = last.filter(|last| last.language == language).unwrap_or(reader);
    match found.is_broken() {
        true => Some(of_broken),
        false if text.is_err() && strings.are_named_in(language) => Some(reader),
        false => found.holds_prompts().then_some(reader),
    }
}

#[cfg(test)]
mod tests;
