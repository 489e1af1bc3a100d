//! A file with prompts: its prompts, and the settings of each.
//!
//! A file that *is* a prompt has one, whose text is that of the file. Other files hold prompts in
//! strings, found by a reader (`readers.rs`), and a [`TextMap`] maps each text to its source
//! positions. The editor, `check`, `resolve`, `preview` and the page all use this module, so that
//! they report the same.
//!
//! `reading.rs` reads a file; `problems.rs` reports what is wrong with it, `places.rs` converts places
//! in its prompts to places in the file, and `edits.rs` changes both.

mod chat_calls;
pub mod chats;
mod choices;
mod edits;
pub mod parts;
mod places;
mod problems;
mod reading;
mod shared_keys;

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::{CrewName, Snapshot};
use promptls_hosts::{Chat, Inclusion, Language};
use promptls_resolver::{FileId, Inputs, Problem};

use super::config::{Config, Rule};
use super::hosts::conflict::Conflict;
use super::hosts::state_names::AppFile;
use super::hosts::writing::InHost;
use super::readers::PromptReader;
use super::readers::drift::Drift;
use super::readers::text_map::TextMap;
use crate::sidecars::loading::Sidecars;
use crate::sidecars::of_prompts::{OwnSidecars, named_in};
use crate::sidecars::owners::{new_case, new_variables};

/// A file with its prompts and all files that belong to them.
#[derive(Clone, Debug)]
pub struct PromptFile {
    /// Its prompts, in source order.
    pub prompts: Vec<Prompt>,
    /// Its chats, whose messages are prompts.
    pub chats: Vec<Chat>,
    /// The files of its prompts; a [`FileId`] is an index into this list. The first one is the file
    /// itself.
    pub files: Vec<PathBuf>,
    /// Their texts, as read; `None` for unreadable files, and for the text of a file that is a
    /// prompt, which is in its snapshot.
    pub texts: Vec<Option<Arc<str>>>,
    /// Other files of the surrounding program, with places that refer to names of its prompts.
    /// Their ids follow those of `files`; they contribute no text to prompts.
    pub around: Vec<Arc<AppFile>>,
    /// The id of places in the file. [`FileId::PROMPT`] is the text of a prompt, which is the same
    /// only if the file is the prompt.
    pub file: FileId,
    /// `true` if the file does not parse. Its prompts are then from the last valid text.
    pub is_broken: bool,
    sidecars: Sidecars,
    reader: Option<PromptReader>,
    /// Problems of the file as a whole, with ranges in the file.
    problems: Vec<Problem>,
    /// Texts that would be prompts, if frameworks agreed on their dialect.
    pub conflicts: Vec<Conflict>,
    /// The text that its prompts were read from, and the changes since then, while it is broken.
    drift: Option<(Arc<str>, Drift)>,
}

/// A prompt of a file.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Its name in its file; `None` if it is the whole file.
    pub name: Option<Arc<str>>,
    /// The variable of the program for it, if that has another name: `root_agent` for the agent
    /// `planner`.
    variable: Option<Arc<str>>,
    /// The only chat in which it is a message: its index in the file, and its name.
    chat: Option<(usize, Arc<str>)>,
    /// The reason why it is a prompt, for users; `None` if it is the whole file.
    why: Option<Arc<str>>,
    /// The range of its whole entry, in the text that was read.
    pub entry: Range<usize>,
    /// The snapshot that answers queries about it.
    pub snapshot: Snapshot,
    /// The source positions of its text.
    pub map: TextMap,
    /// The writer for edits of its text.
    writing: Option<Arc<InHost>>,
    /// The prompts of other files that it is a part of.
    included_by: Vec<Inclusion>,
    /// The keys of the list of its variables, from the top of the file that declares them.
    pub variables_at: Vec<String>,
}

impl Prompt {
    /// Its name in the names of its inputs files: that of its chat, whose messages share them. `None`
    /// if it is the whole file.
    pub fn inputs_name(&self) -> Option<&Arc<str>> {
        self.chat.as_ref().map(|(_, name)| name).or(self.name.as_ref())
    }

    /// `true` if its text is at its position in the file, so that decorations can be drawn there;
    /// `false` for an alias.
    pub fn is_written_here(&self) -> bool {
        self.map.is_written_here()
    }

    /// The same for a range of its text: `false` in a constant that is shown as a part of another
    /// prompt.
    pub fn is_shown_here(&self, range: &Range<usize>) -> bool {
        self.map.is_shown_here(range)
    }

    /// `true` if a word is written verbatim in the file, at every place of a placeholder.
    pub fn is_plain(&self, word: &str) -> bool {
        self.writing.as_ref().is_none_or(|writing| writing.is_plain(word))
    }

    /// A word in the notation of the file, with doubled braces in an f-string; `None` if that may
    /// differ between the places of placeholders.
    pub fn written(&self, word: &str) -> Option<String> {
        match &self.writing {
            Some(writing) => writing.written(word),
            None => Some(word.to_owned()),
        }
    }
}

/// The values that a query takes into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The values of all cases.
    AllCases,
    /// The values of one case, by its index; `None` without any inputs.
    OneCase(Option<usize>),
    /// The values of a case with an unusable file, so that its names are unknown.
    BrokenCase(FileId),
}

impl PromptFile {
    /// The file with an id: one that it depends on, or one of the surrounding program.
    pub fn path_of(&self, file: FileId) -> Option<&PathBuf> {
        let index = file.0 as usize;
        let around = || Some(&self.around.get(index.checked_sub(self.files.len())?)?.path);
        self.files.get(index).or_else(around)
    }

    /// `true` if the surrounding program has the same facts about the names of both files' prompts,
    /// even at different places.
    pub fn has_same_program_facts(&self, other: &PromptFile) -> bool {
        let facts = |file: &PromptFile, index: usize| {
            let host = file.prompts.get(index)?.snapshot.host.as_ref()?;
            let crew = host.crew.iter().cloned().map(CrewName::without_places);
            Some((host.program.clone().without_places(), crew.collect::<Vec<_>>()))
        };
        let count = self.prompts.len();
        count == other.prompts.len() && (0..count).all(|at| facts(self, at) == facts(other, at))
    }

    /// `true` if an id is that of a file of the surrounding program.
    pub fn is_around(&self, file: FileId) -> bool {
        file.0 as usize >= self.files.len()
    }

    /// The text of one of its files; `None` if it could not be read.
    pub fn text(&self, file: FileId) -> Option<Arc<str>> {
        match (file, &self.prompts[..]) {
            (FileId::PROMPT, [prompt]) if self.reader.is_none() => {
                Some(prompt.snapshot.text.shared())
            }
            _ => self.texts.get(file.0 as usize)?.clone(),
        }
    }

    /// The text that its prompts are from: the current one, or the last valid one.
    fn last_good_text(&self) -> Option<Arc<str>> {
        match &self.drift {
            Some((good, _)) => Some(good.clone()),
            None if self.is_broken => None,
            None => self.texts[self.file.0 as usize].clone(),
        }
    }

    /// The config that applies to it.
    pub fn config(&self) -> Option<&Arc<Config>> {
        self.sidecars.config.as_ref()
    }

    /// The rule that matches it.
    pub fn rule(&self) -> Option<&Rule> {
        self.config().and_then(|config| config.rule_for(&self.files[0]))
    }

    /// `true` if its prompts are from the last valid text.
    pub fn is_stale(&self) -> bool {
        self.drift.is_some()
    }

    /// The names of cases with unusable files, and those files.
    pub fn broken_cases(&self) -> &[(String, FileId)] {
        &self.sidecars.broken
    }

    /// The broken cases of one prompt, by their names for that prompt.
    pub fn broken_cases_of(&self, prompt: &Prompt) -> Vec<(&str, FileId)> {
        let all = self.broken_cases().iter().map(|(name, file)| (&**name, *file));
        let names_prompts = self.reader.is_some_and(PromptReader::names_prompts_in_sidecars);
        let Some(name) = prompt.inputs_name().filter(|_| names_prompts) else {
            return all.collect();
        };
        let names = self.prompts.iter().filter_map(|it| it.inputs_name().cloned());
        let names: Vec<Arc<str>> = names.collect::<BTreeSet<_>>().into_iter().collect();
        let own = OwnSidecars::new(&self.sidecars, &names);
        all.filter_map(|(case, file)| Some((own.case_of(name, case)?, file))).collect()
    }

    /// The indices of the cases in which one of its prompts is sent; only `None` without any
    /// inputs. Empty if it belongs to another tool, or if none of its inputs can be used.
    pub fn cases_sent(&self, prompt: &Prompt) -> impl Iterator<Item = Option<usize>> + use<> {
        let is_ours = prompt.snapshot.foreign.is_none();
        let cases = if is_ours { prompt.snapshot.cases.len() } else { 0 };
        let without = (is_ours && cases == 0 && self.broken_cases().is_empty()).then_some(None);
        (0..cases).map(Some).chain(without)
    }

    /// Its prompts, except those of other tools.
    pub fn own_prompts(&self) -> impl Iterator<Item = &Prompt> {
        self.prompts.iter().filter(|prompt| prompt.snapshot.foreign.is_none())
    }

    /// The number of its own prompts that could be read.
    pub fn count(&self) -> usize {
        self.own_prompts().count()
    }

    /// The files that it depends on, including those of `$file` values.
    pub fn all_files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().chain(&self.sidecars.file_values)
    }

    /// `true` if it depends on a path.
    pub fn reads(&self, path: &Path) -> bool {
        self.all_files().any(|file| file == path)
    }

    /// `true` if the prompts of both resolve from the same sources: texts, inputs, declarations,
    /// `$file` texts, and settings. Source positions may differ.
    ///
    /// Cost: a comparison of all of them.
    pub fn is_made_from_the_same(&self, other: &PromptFile) -> bool {
        let is_same = |(prompt, other): (&Prompt, &Prompt)| {
            let (one, other) = (&prompt.snapshot, &other.snapshot);
            let inputs = |snapshot: &Snapshot| -> Vec<Arc<Inputs>> {
                snapshot.cases.iter().map(|case| case.inputs.clone()).collect()
            };
            // The texts of other files.
            fn texts(snapshot: &Snapshot) -> impl Iterator<Item = &Option<Arc<str>>> {
                snapshot.holes().iter().map(|hole| &hole.text)
            }
            one.dialect() == other.dialect()
                && one.engines() == other.engines()
                && one.settings.agent == other.settings.agent
                && one.settings.runtime == other.settings.runtime
                && one.settings.presets == other.settings.presets
                && one.text.whole() == other.text.whole()
                && texts(one).eq(texts(other))
                && inputs(one) == inputs(other)
        };
        self.files.len() == other.files.len()
            // The first one is the file itself, which may have moved.
            && self.files[1..] == other.files[1..]
            && self.texts == other.texts
            && self.prompts.len() == other.prompts.len()
            && self.prompts.iter().zip(&other.prompts).all(is_same)
    }

    /// The id of an inputs or variables file. A file that holds its prompts counts as well, because
    /// it declares their variables.
    pub fn file_at(&self, path: &Path) -> Option<FileId> {
        let index = self.files.iter().rposition(|file| file == path).filter(|index| *index > 0)?;
        Some(FileId(u32::try_from(index).ok()?))
    }

    /// The id of a file of code: the one with its prompts, or one of the surrounding program.
    pub fn code_file_at(&self, path: &Path) -> Option<FileId> {
        if self.files.first().is_some_and(|file| file == path) {
            return Some(self.file);
        }
        let index = self.around.iter().position(|file| file.path == path)?;
        Some(FileId(u32::try_from(self.files.len() + index).ok()?))
    }

    /// `true` if a rule names a path as an inputs or variables file of its prompts, even if no file
    /// exists there.
    pub fn shares(&self, path: &Path) -> bool {
        let Some(config) = self.config() else { return false };
        let prompt = &self.files[0];
        config.rule_for(prompt).is_some_and(|rule| rule.shares_with(prompt, path))
    }

    /// The path for a new case of one of its prompts. See [`new_case`].
    pub fn new_case(&self, prompt: &Prompt, case: &str) -> Option<PathBuf> {
        new_case(&self.named_as(prompt), self.config().map(|config| &**config), case)
    }

    /// The path for the first variables of one of its prompts. See [`new_variables`].
    pub fn new_variables(&self, prompt: &Prompt) -> PathBuf {
        new_variables(&self.named_as(prompt), self.config().map(|config| &**config))
    }

    /// The prompts that would read the first inputs of one of them, by its index: itself, or its chat,
    /// if its sidecars contain the name, else all.
    pub fn readers_of_new_inputs(&self, index: usize) -> impl Iterator<Item = &Prompt> {
        let names_prompts = self.reader.is_some_and(PromptReader::names_prompts_in_sidecars);
        let name = self.prompts.get(index).and_then(Prompt::inputs_name);
        let is_reader = move |other: &&Prompt| !names_prompts || other.inputs_name() == name;
        self.prompts.iter().filter(is_reader)
    }

    /// The path of a single prompt that would have the same sidecars as one of its prompts.
    fn named_as(&self, prompt: &Prompt) -> PathBuf {
        let names_prompts = self.reader.is_some_and(PromptReader::names_prompts_in_sidecars);
        match prompt.inputs_name().filter(|_| names_prompts) {
            Some(name) => named_in(&self.files[0], name),
            None => self.files[0].clone(),
        }
    }

    /// The index of a prompt, by its name in the file, or by the variable of only one; of several
    /// texts of one agent, the first.
    pub fn prompt_named(&self, name: &str) -> Option<usize> {
        let named = self.prompts.iter().position(|prompt| prompt.name.as_deref() == Some(name));
        let is_variable = |index: &usize| self.prompts[*index].variable.as_deref() == Some(name);
        let mut of_variable = (0..self.prompts.len()).filter(is_variable);
        named.or_else(|| {
            let first = of_variable.next()?;
            let is_alike = |index: usize| self.prompts[index].entry == self.prompts[first].entry;
            of_variable.all(is_alike).then_some(first)
        })
    }

    /// The names by which a user may refer to its prompts: those of chats instead of their messages.
    pub fn addresses(&self) -> Vec<&str> {
        let mut addresses: Vec<&str> = Vec::new();
        for prompt in &self.prompts {
            let shown = prompt.inputs_name().map(|name| &**name);
            addresses.extend(shown.filter(|name| addresses.last() != Some(name)));
        }
        let mut seen = HashSet::new();
        addresses.retain(|name| seen.insert(*name));
        addresses
    }

    /// The kind of place of its prompts, for messages; `None` for a file that is a prompt.
    pub fn where_prompts_stand(&self) -> Option<&'static str> {
        Some(self.reader?.where_prompts_stand())
    }

    /// The language id of editors for the file; `prompt` for one that is a prompt.
    pub fn language(&self) -> &'static str {
        self.reader.map_or("prompt", |reader| reader.language().id())
    }

    /// `true` for a text file that is a prompt because code reads it.
    pub fn is_read_by_code(&self) -> bool {
        self.reader.is_some_and(|reader| reader.language() == Language::Text)
    }

    /// The reason why one of its prompts is a prompt, for users.
    pub fn why(&self, prompt: &Prompt) -> String {
        match &prompt.why {
            Some(why) => why.to_string(),
            None if self.rule().is_some() => "a rule of promptls.toml".to_owned(),
            None => "its name".to_owned(),
        }
    }
}
