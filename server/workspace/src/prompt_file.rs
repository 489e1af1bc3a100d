//! A file with prompts: its prompts, and the settings of each.
//!
//! A file that *is* a prompt has one, whose text is that of the file. Other files hold prompts in
//! strings, found by a reader (`readers.rs`), and a [`TextMap`] maps each text to its source
//! positions. The editor, `check`, `resolve`, `preview` and the page all use this module, so that
//! they report the same.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::{
    Case, ProgramNames, PromptText, SharedWith, Snapshot, cut, diagnose, keys_needed, unused_inputs,
};
use promptls_resolver::{
    Code, FileId, Inputs, Location, Problem, Related, Resolution, Run, RunKind, Severity, SourceMap,
};
use promptls_syntax::{Edit, Tree};
use ropey::Rope;

use super::config::project_engines::ProjectEngine;
use super::config::{Config, Rule, UsedIgnores};
use super::configs::Configs;
use super::files::Files;
use super::hosts::writing::InHost;
use super::kind::kind_of_text;
use super::readers::drift::Drift;
use super::readers::text_map::TextMap;
use super::readers::writing::{CannotWrite, Replacement};
use super::readers::{Contents, FoundPrompt, HostSource, PromptReader, reader_of_text};
use crate::files::paths::folder_of;
use crate::hosts::conflict::Conflict;
use crate::hosts::engine;
use crate::hosts::program_names::Program;
use crate::hosts::state_names::AppFile;
use crate::sidecars::loading::{Overrides, Sidecars};
use crate::sidecars::of_prompts::{OwnSidecars, named_in};
use crate::sidecars::owners::{new_case, new_variables};

/// A file with its prompts and all files that belong to them.
#[derive(Clone, Debug)]
pub struct PromptFile {
    /// Its prompts, in source order.
    pub prompts: Vec<Prompt>,
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
    /// The keys of the list of its variables, from the top of the file that declares them.
    pub variables_at: Vec<String>,
}

impl Prompt {
    /// `true` if its text is at its position in the file, so that decorations can be drawn there;
    /// `false` for an alias.
    pub fn is_written_here(&self) -> bool {
        self.map.is_written_here()
    }

    /// Splits literals of a source map wherever the file skips bytes: after line breaks,
    /// indentation and escapes. So an offset in a piece equals the offset in the file.
    pub fn cut_literals(&self, map: &mut SourceMap) {
        if !self.map.is_identity() {
            let runs = std::mem::take(&mut map.runs).into_iter();
            map.runs = runs.flat_map(|run| self.pieces_of(run)).collect();
        }
    }

    fn pieces_of(&self, run: Run) -> Vec<Run> {
        let Run { source, output, .. } = &run;
        if run.kind != RunKind::Literal || source.len() != output.len() {
            return vec![run];
        }
        let starts = [source.start].into_iter().chain(self.map.starts_in(source));
        let ends = self.map.starts_in(source).chain([source.end]);
        let piece = |source: Range<usize>| {
            let at = |place: usize| output.start + place - run.source.start;
            let output = at(source.start)..at(source.end);
            Run { source, output, ..run.clone() }
        };
        starts.zip(ends).map(|(start, end)| piece(start..end)).collect()
    }

    /// `true` if a word is written verbatim in the file, at every place of a placeholder.
    pub fn is_plain(&self, word: &str) -> bool {
        self.writing.as_ref().is_none_or(|writing| writing.is_plain(word))
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

/// The reader of a file with a text.
fn reader_for(
    path: &Path,
    config: Option<&Config>,
    files: &dyn Files,
    text: &PromptText,
    last: Option<&PromptFile>,
) -> Option<PromptReader> {
    reader_of_text(path, config, files, || Ok(text.shared()), last.and_then(|last| last.reader))
}

impl PromptFile {
    /// Reads a file of prompts whose text is available. Never fails: what cannot be read is
    /// reported as a problem.
    ///
    /// `path` is absolute. What cannot be used now, but could in `last`, is taken from there. Cost:
    /// the text, unless `last` has the same one; the sidecars, each read once.
    pub fn read(
        files: &dyn Files,
        configs: &Configs,
        path: &Path,
        text: PromptText,
        overrides: &Overrides,
        last: Option<&PromptFile>,
    ) -> PromptFile {
        let config = configs.nearest(files, folder_of(path));
        PromptFile::read_by(
            reader_for(path, config.as_deref(), files, &text, last),
            files,
            configs,
            path,
            text,
            overrides,
            last,
        )
    }

    /// `true` if a file holds prompts; `text` is its text, and `last` its previous state.
    pub fn is_one(
        path: &Path,
        text: &PromptText,
        config: Option<&Config>,
        files: &dyn Files,
        last: Option<&PromptFile>,
    ) -> bool {
        let last = last.and_then(|last| last.reader);
        kind_of_text(path, config, files, || Ok(text.shared()), last).is_some()
    }

    /// [`PromptFile::read`] with a reader, or without one for a file that is a prompt.
    #[expect(clippy::too_many_arguments, reason = "what a file is read with, from several owners")]
    pub(crate) fn read_by(
        reader: Option<PromptReader>,
        files: &dyn Files,
        configs: &Configs,
        path: &Path,
        text: PromptText,
        overrides: &Overrides,
        last: Option<&PromptFile>,
    ) -> PromptFile {
        let mut sidecars = Sidecars::load(files, configs, path, reader, overrides);
        if let Some(last) = last {
            sidecars.keep_last_good(&last.sidecars);
        }
        match reader {
            None => PromptFile::whole(sidecars, text, last),
            Some(reader) => {
                let engines = || configs.project_engines(files, path);
                PromptFile::holding(reader, sidecars, &text, files, overrides, engines, last)
            }
        }
    }

    /// A file that is a prompt.
    fn whole(sidecars: Sidecars, text: PromptText, last: Option<&PromptFile>) -> PromptFile {
        let tree = last.and_then(|last| last.tree_of(&text));
        let prompt = Prompt {
            name: None,
            why: None,
            entry: 0..text.len_bytes(),
            snapshot: sidecars.snapshot(text, tree),
            map: TextMap::identity(),
            writing: None,
            variables_at: vec!["variables".to_owned()],
        };
        PromptFile {
            prompts: vec![prompt],
            files: sidecars.files.clone(),
            texts: sidecars.texts.clone(),
            around: Vec::new(),
            file: FileId::PROMPT,
            is_broken: false,
            sidecars,
            reader: None,
            problems: Vec::new(),
            conflicts: Vec::new(),
            drift: None,
        }
    }

    /// A file that holds prompts in strings.
    #[expect(clippy::too_many_arguments, reason = "what a file is read with, from several owners")]
    fn holding(
        reader: PromptReader,
        sidecars: Sidecars,
        text: &PromptText,
        all_files: &dyn Files,
        overrides: &Overrides,
        engines: impl Fn() -> Vec<ProjectEngine> + Copy,
        last: Option<&PromptFile>,
    ) -> PromptFile {
        let text = text.shared();
        let file = FileId(u32::try_from(sidecars.files.len()).unwrap_or(u32::MAX));
        let config = sidecars.config.as_deref();
        let path = &sidecars.files[0];
        let uses = all_files.uses(path).unwrap_or_default();
        let read = |text| reader.read(&HostSource { path, text, config, uses: uses.clone() }, file);
        let Contents { prompts: mut found, mut problems, conflicts, is_broken } = read(&text);
        let mut drift = None;
        if is_broken && let Some(good) = last.and_then(PromptFile::last_good_text) {
            found = read(&good).prompts;
            drift = Some((good.clone(), Drift::between(good.as_bytes(), text.as_bytes())));
        }
        let written_in = drift.as_ref().map_or(&text, |(good, _)| good);
        let mut files = sidecars.files.clone();
        files.push(files[0].clone());
        let mut texts = sidecars.texts.clone();
        texts.push(Some(text.clone()));

        let shared = match found.len() {
            0 | 1 => SharedWith::Nobody,
            _ => SharedWith::ItsFile,
        };
        let file_name = files[0].file_name().unwrap_or_default().to_string_lossy().into_owned();
        let names: Vec<Arc<str>> = found.iter().map(|found| found.name.clone()).collect();
        let own = reader.names_prompts_in_sidecars().then(|| OwnSidecars::new(&sidecars, &names));
        problems.extend(own.iter().flat_map(|own| own.without_prompt(&files[0])));
        let engine_of = |dialect| engine::engine_of(reader.language().id(), dialect, engines);
        let mut program = Program::new(all_files, path, written_in, file);
        let prompt = |found: FoundPrompt| {
            let text = PromptText::from(&*found.text);
            let mut snapshot = sidecars.snapshot_as(found.dialect, engine_of(found.dialect), text);
            for case in snapshot.cases.iter_mut().filter(|case| !case.is_shared()) {
                case.shared = shared;
            }
            if let Some(own) = &own {
                own.give(&found.name, &mut snapshot);
            }
            snapshot.host = found.host.map(Arc::new);
            if snapshot.settings.agent.is_none() && found.agent.is_some() {
                Arc::make_mut(&mut snapshot.settings).agent = found.agent;
            }
            // Packs and the like are shipped without inputs.
            snapshot.ships_without_inputs = sidecars.broken.is_empty();
            let names = Arc::make_mut(&mut snapshot.file_names);
            names.insert(FileId::PROMPT, format!("prompt `{}`", found.name).into());
            Arc::make_mut(&mut snapshot.file_texts).insert(file, written_in.clone());
            snapshot.file_problems.extend(found.problems);
            let mut variables_at = vec!["variables".to_owned()];
            // A variables file from the command line replaces the declarations in this file.
            if let Some(declared) = found.declared.filter(|_| overrides.variables.is_none()) {
                if declared.has_variables {
                    names.insert(file, file_name.as_str().into());
                }
                snapshot.declarations = Arc::new(declared.declarations);
                snapshot.must_declare = true;
                snapshot.has_variables_file = declared.has_variables && sidecars.knows_names();
                snapshot.shared_variables = false;
                variables_at = declared.variables_at;
            }
            program.tell(&mut snapshot);
            let FoundPrompt { name, why, entry, map, writing, .. } = found;
            let (name, why, writing) = (Some(name), Some(why), Some(writing));
            Prompt { name, why, entry, snapshot, map, writing, variables_at }
        };
        let prompts = found.into_iter().map(prompt).collect();
        let (reader, around) = (Some(reader), program.others);
        PromptFile {
            prompts,
            files,
            texts,
            around,
            file,
            is_broken,
            sidecars,
            reader,
            problems,
            conflicts,
            drift,
        }
    }

    /// The file with an id: one that it depends on, or one of the surrounding program.
    pub fn path_of(&self, file: FileId) -> Option<&PathBuf> {
        let index = file.0 as usize;
        let around = || Some(&self.around.get(index.checked_sub(self.files.len())?)?.path);
        self.files.get(index).or_else(around)
    }

    /// `true` if the surrounding program has the same facts about the names of both files' prompts,
    /// even at different places.
    pub fn has_same_program_facts(&self, other: &PromptFile) -> bool {
        let facts = |file: &PromptFile, index: usize| -> Option<ProgramNames> {
            Some(file.prompts.get(index)?.snapshot.program()?.clone().without_places())
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

    /// The tokens of a text that is identical to that of its only prompt.
    fn tree_of(&self, text: &PromptText) -> Option<Arc<Tree>> {
        let [Prompt { snapshot, .. }] = &self.prompts[..] else { return None };
        snapshot.text.is_instance(text).then(|| snapshot.tree.clone())
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
        let Some(name) = prompt.name.as_deref().filter(|_| names_prompts) else {
            return all.collect();
        };
        let names: Vec<Arc<str>> = self.prompts.iter().filter_map(|it| it.name.clone()).collect();
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
            one.dialect() == other.dialect()
                && one.engines() == other.engines()
                && one.settings.agent == other.settings.agent
                && one.settings.runtime == other.settings.runtime
                && one.text.whole() == other.text.whole()
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

    /// The prompts that would read the first inputs of one of them, by its index: itself alone if
    /// its sidecars contain its name, else all.
    pub fn readers_of_new_inputs(&self, index: usize) -> impl Iterator<Item = &Prompt> {
        let names_prompts = self.reader.is_some_and(PromptReader::names_prompts_in_sidecars);
        let prompts = self.prompts.iter().enumerate();
        let is_reader = move |(other, _): &(usize, &Prompt)| !names_prompts || *other == index;
        prompts.filter(is_reader).map(|(_, prompt)| prompt)
    }

    /// The path of a single prompt that would have the same sidecars as one of its prompts.
    fn named_as(&self, prompt: &Prompt) -> PathBuf {
        let names_prompts = self.reader.is_some_and(PromptReader::names_prompts_in_sidecars);
        match prompt.name.as_deref().filter(|_| names_prompts) {
            Some(name) => named_in(&self.files[0], name),
            None => self.files[0].clone(),
        }
    }

    /// The index of a prompt, by its name in the file.
    pub fn prompt_named(&self, name: &str) -> Option<usize> {
        self.prompts.iter().position(|prompt| prompt.name.as_deref() == Some(name))
    }

    /// The kind of place of its prompts, for messages; `None` for a file that is a prompt.
    pub fn where_prompts_stand(&self) -> Option<&'static str> {
        Some(self.reader?.where_prompts_stand())
    }

    /// The language id of editors for the file; `prompt` for one that is a prompt.
    pub fn language(&self) -> &'static str {
        self.reader.map_or("prompt", |reader| reader.language().id())
    }

    /// The reason why one of its prompts is a prompt, for users.
    pub fn why(&self, prompt: &Prompt) -> String {
        match &prompt.why {
            Some(why) => why.to_string(),
            None if self.rule().is_some() => "a rule of promptls.toml".to_owned(),
            None => "its name".to_owned(),
        }
    }

    /// The replacements in the file for replacements in the text of a prompt; the latter are in
    /// order and do not overlap. `Ok(None)` as for [`PromptFile::in_file`].
    ///
    /// Cost: the text of a file, unless it is the prompt.
    pub fn replacements_in_file(
        &self,
        prompt: &Prompt,
        edits: &[Replacement],
    ) -> Result<Option<Vec<Replacement>>, CannotWrite> {
        let (Some(file), Some(writing)) = (self.last_good_text(), &prompt.writing) else {
            return Ok(Some(edits.to_vec()));
        };
        let written = writing.replace(&file, edits)?.into_iter();
        Ok(written.map(|(range, new)| Some((self.now(range)?, new))).collect())
    }

    /// The same for several of its prompts, in order. A prompt that cannot be edited is left out.
    ///
    /// Cost: the file a few times; once more for each prompt if they cannot be edited together.
    pub fn replacements_of_prompts(
        &self,
        prompts: &[(&Prompt, Vec<Replacement>)],
    ) -> Vec<Replacement> {
        if prompts.len() > 1
            && let Some(file) = self.last_good_text()
            && let Some(edits) = in_host(prompts)
        {
            let written = InHost::replace_all(&file, &edits).and_then(|written| {
                let now = written.into_iter().map(|(range, new)| Some((self.now(range)?, new)));
                now.collect()
            });
            if let Some(written) = written {
                return written;
            }
        }
        let each = |(prompt, edits): &(&Prompt, Vec<Replacement>)| {
            self.replacements_in_file(prompt, edits).ok().flatten().unwrap_or_default()
        };
        prompts.iter().flat_map(each).collect()
    }
}

/// The writers of prompts, with their edits; `None` if a file is a prompt itself.
fn in_host<'p>(
    prompts: &'p [(&Prompt, Vec<Replacement>)],
) -> Option<Vec<(&'p InHost, &'p [Replacement])>> {
    let each = prompts.iter().map(|(prompt, edits)| Some((&**prompt.writing.as_ref()?, &**edits)));
    each.collect()
}

/// Incremental updates during typing.
impl PromptFile {
    /// `true` if it supports incremental edits; otherwise it must be read again after each.
    pub fn follows_edits(&self) -> bool {
        self.reader.is_none()
    }

    /// Applies an edit of a file that is a prompt; `text` is the new text.
    pub fn edit(&mut self, text: &Rope, edit: Edit) {
        let [prompt] = &mut self.prompts[..] else { return };
        let snapshot = &mut prompt.snapshot;
        snapshot.text = text.clone().into();
        snapshot.memo.get_or_insert_default();
        // Copied only while an earlier query still holds it.
        Arc::make_mut(&mut snapshot.tree).edit(text, edit);
        prompt.entry = 0..text.len_bytes();
        self.sidecars.read_again(snapshot);
    }

    /// Takes over the text of `newer`, which arrived while this one was read; `false` if that is
    /// not possible.
    pub fn follow(&mut self, newer: &PromptFile) -> bool {
        let ([prompt], [newer]) = (&mut self.prompts[..], &newer.prompts[..]) else { return false };
        if self.reader.is_some() {
            return false;
        }
        let (snapshot, newer) = (&mut prompt.snapshot, &newer.snapshot);
        if !snapshot.text.is_instance(&newer.text) {
            snapshot.text = newer.text.clone();
            let grammar = snapshot.tree.grammar();
            snapshot.tree = match newer.tree.grammar() == grammar {
                true => newer.tree.clone(),
                false => Arc::new(Tree::parse(grammar, &newer.text)),
            };
        }
        true
    }
}

/// The factor by which more problems are searched for if some may be suppressed.
const LOOKED_FOR_BEHIND_IGNORED: usize = 10;

/// Problems of the file.
impl PromptFile {
    /// All problems of its prompts and of their own sidecars, with ranges in the files, sorted; at
    /// most `max` of each prompt.
    pub fn problems(&self, max: usize) -> Vec<Problem> {
        self.problems_and_ignores(max).0
    }

    /// The same, with the ignores that suppress others.
    pub fn problems_and_ignores(&self, max: usize) -> (Vec<Problem>, UsedIgnores) {
        let mut used = UsedIgnores::default();
        let problems = match (self.reader, &self.prompts[..]) {
            // They already have their ranges and order.
            (None, [prompt]) => diagnose(&prompt.snapshot, self.looked_for(max)),
            _ => self.problems_in_strings(self.looked_for(max)),
        };
        (self.not_ignored(problems, max, &mut used), used)
    }

    /// The number of problems to search for, so that enough remain after suppression.
    fn looked_for(&self, max: usize) -> usize {
        let has_ignores = self.config().is_some_and(|config| !config.ignores.is_empty());
        if has_ignores { max.saturating_mul(LOOKED_FOR_BEHIND_IGNORED) } else { max }
    }

    /// At most `max` problems of each file, without those that the config suppresses.
    fn not_ignored(
        &self,
        mut problems: Vec<Problem>,
        max: usize,
        used: &mut UsedIgnores,
    ) -> Vec<Problem> {
        let Some(config) = self.config().filter(|config| !config.ignores.is_empty()) else {
            return problems;
        };
        let file_of = |id: FileId| self.files.get(id.0 as usize).unwrap_or(&self.files[0]);
        problems
            .retain(|problem| !config.ignores.cover(file_of(problem.location.file), problem, used));
        cut(problems, max)
    }

    fn problems_in_strings(&self, max: usize) -> Vec<Problem> {
        let mut problems: Vec<Problem> = self.apply_severities(self.problems.iter().cloned());
        problems.extend(self.unused_inputs(&self.prompts, Scope::AllCases, &OnceCell::new()));
        let mut has_no_inputs = false;
        for prompt in &self.prompts {
            for problem in diagnose(&prompt.snapshot, max) {
                // Missing inputs of a file are reported once.
                let is_repeated = problem.code == Code::NoInputs && has_no_inputs;
                has_no_inputs |= problem.code == Code::NoInputs;
                problems.extend(self.in_file(prompt, problem).filter(|_| !is_repeated));
            }
        }
        let order = |problem: &Problem| {
            let Location { file, range } = &problem.location;
            (*file, range.start, range.end, problem.code)
        };
        problems.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| a.message.cmp(&b.message)));
        problems.dedup();
        problems
    }

    /// The problems of one of its prompts, of the sidecars and of the file as a whole, with ranges
    /// in the files; at most `max` of the first.
    pub fn problems_of(&self, index: usize, scope: Scope, max: usize) -> Vec<Problem> {
        let Some(prompt) = self.prompts.get(index) else { return Vec::new() };
        let own = self.problems_in_text(index, scope, max).into_iter();
        let own = own.filter_map(|problem| self.in_file(prompt, problem));
        let of_file = self.problems.iter().filter(|problem| self.concerns(index, problem));
        let of_file = self.apply_severities(of_file.cloned());
        let mut all = self.not_ignored(of_file, max, &mut UsedIgnores::default());
        all.extend(own);
        all
    }

    /// `true` unless a problem of the file is about another of its prompts.
    fn concerns(&self, index: usize, problem: &Problem) -> bool {
        let start = self.before(problem.location.range.start);
        let is_inside = |prompt: &Prompt| start.is_some_and(|start| prompt.entry.contains(&start));
        self.prompts.iter().position(is_inside).is_none_or(|about| about == index)
    }

    /// The problems of one of its prompts and of the sidecars, with ranges in the prompt's text; at
    /// most `max` of the first. For code that edits that text.
    pub fn problems_in_text(&self, index: usize, scope: Scope, max: usize) -> Vec<Problem> {
        self.problems_with_keys(index, scope, max, &OnceCell::new())
    }

    /// The same; `needed` is initially empty, and may be reused for other prompts of the file.
    pub(crate) fn problems_with_keys(
        &self,
        index: usize,
        scope: Scope,
        max: usize,
        needed: &OnceCell<BTreeSet<String>>,
    ) -> Vec<Problem> {
        let Some(prompt) = self.prompts.get(index) else { return Vec::new() };
        let looked_for = self.looked_for(max);
        let mut problems = self.unused_inputs(std::slice::from_ref(prompt), scope, needed);
        problems.extend(match scope {
            Scope::AllCases => diagnose(&prompt.snapshot, looked_for),
            scope => diagnose(&self.snapshot_in(prompt, scope), looked_for),
        });
        problems.retain(|problem| self.is_there(prompt, &problem.location));
        self.not_ignored(problems, max, &mut UsedIgnores::default())
    }

    /// A prompt restricted to the cases of a scope.
    pub fn snapshot_in(&self, prompt: &Prompt, scope: Scope) -> Snapshot {
        let all = &prompt.snapshot;
        let (mut snapshot, own) = match scope {
            Scope::AllCases | Scope::OneCase(None) => return all.clone(),
            Scope::OneCase(Some(case)) => {
                let own = all.cases.get(case).map(|case| case.inputs.file);
                (all.of_case(Some(case)), own)
            }
            Scope::BrokenCase(file) => {
                let nothing = all.of_case(None);
                (Snapshot { has_variables_file: false, ..nothing }, Some(file))
            }
        };
        // Problems of other cases are out of scope.
        snapshot.file_problems.retain(|problem| {
            let file = problem.location.file;
            Some(file) == own || !self.is_broken_case(file)
        });
        snapshot
    }

    fn is_broken_case(&self, file: FileId) -> bool {
        self.broken_cases().iter().any(|(_, other)| *other == file)
    }

    /// The sidecars that could not be read, and why; the range of the problem may be in the prompt.
    pub fn unread_sidecars(&self) -> &[(FileId, Problem)] {
        &self.sidecars.unread
    }

    /// `true` if the file of some values cannot be used, and they are from its last valid text.
    pub fn is_kept(&self, file: FileId) -> bool {
        self.sidecars.kept.contains(&file)
    }

    /// [`PromptFile::problems_of`] a resolved prompt, with those that only the resolver can find:
    /// that the text is too long.
    pub fn problems_of_resolved(
        &self,
        index: usize,
        scope: Scope,
        resolution: &Resolution,
        max: usize,
    ) -> Vec<Problem> {
        let is_limit = |problem: &&Problem| {
            problem.code == Code::LimitExceeded && problem.severity == Severity::Error
        };
        let mut problems = self.problems_of(index, scope, max);
        if !problems.iter().any(|problem| is_limit(&problem)) {
            let found = resolution.problems.iter().filter(is_limit).cloned();
            let in_file = |problem| self.in_file(&self.prompts[index], problem);
            let found = self.apply_severities(found).into_iter().filter_map(in_file).collect();
            problems.extend(self.not_ignored(found, max, &mut UsedIgnores::default()));
        }
        problems
    }

    /// The errors of possible prompts that cannot be read, with the severity of the config.
    pub fn unread(&self) -> Vec<Problem> {
        let unread = self.problems.iter().filter(|it| it.code == Code::UnreadableFile).cloned();
        let unread = self.apply_severities(unread);
        self.not_ignored(unread, usize::MAX, &mut UsedIgnores::default())
    }

    /// The reason why it has no prompts although it might.
    pub fn why_empty(&self) -> Option<&Problem> {
        self.problems.first().filter(|_| self.prompts.is_empty())
    }

    /// The problem of an unreadable file that a snapshot of one of its prompts uses, so that its
    /// last valid content is shown; `None` if everything is current.
    pub fn stale(&self, snapshot: &Snapshot) -> Option<&Problem> {
        if self.drift.is_some() {
            return self.problems.first();
        }
        let counts = |file: FileId| {
            file == snapshot.declarations.file
                || snapshot.cases.iter().any(|case| case.inputs.file == file)
        };
        let kept = self.sidecars.kept.iter().copied().filter(|&file| counts(file));
        kept.filter_map(|file| self.why_broken(file)).next()
    }

    /// The reason why an inputs or variables file cannot be used as it is; `None` if it can. A
    /// missing `$file` text does not make the rest unusable.
    pub fn why_broken(&self, file: FileId) -> Option<&Problem> {
        if let Some((_, why)) = self.unread_sidecars().iter().find(|(unread, _)| *unread == file) {
            return Some(why);
        }
        let is_broken = self.is_kept(file) || self.is_broken_case(file);
        let is_why = |problem: &&Problem| {
            problem.code == Code::InvalidInputs && problem.location.file == file
        };
        self.sidecars.problems.iter().find(is_why).filter(|_| is_broken)
    }

    /// Applies the severities of the config.
    fn apply_severities(&self, problems: impl Iterator<Item = Problem>) -> Vec<Problem> {
        let Some(config) = self.config() else { return problems.collect() };
        let severities = &config.settings(config.rule_for(&self.files[0])).severities;
        problems.filter_map(|problem| severities.apply(problem)).collect()
    }

    /// The keys that none of its prompts reads, of the inputs files that some of them share with
    /// others.
    fn unused_inputs(
        &self,
        prompts: &[Prompt],
        scope: Scope,
        needed: &OnceCell<BTreeSet<String>>,
    ) -> Vec<Problem> {
        let is_asked = |&(index, case): &(usize, &Case)| {
            let is_in_scope = scope == Scope::AllCases || scope == Scope::OneCase(Some(index));
            is_in_scope && case.shared == SharedWith::ItsFile
        };
        let cases = prompts.iter().flat_map(|prompt| prompt.snapshot.cases.iter().enumerate());
        let cases: BTreeMap<FileId, &Inputs> =
            cases.filter(is_asked).map(|(_, case)| (case.inputs.file, &*case.inputs)).collect();
        let has_hole = |prompt: &Prompt| {
            prompt.snapshot.host.as_ref().is_some_and(|host| !host.holes.is_empty())
        };
        // A hole may read any of them.
        if cases.is_empty() || self.prompts.iter().any(has_hole) {
            return Vec::new();
        }
        let all_needed =
            || self.prompts.iter().flat_map(|prompt| keys_needed(&prompt.snapshot)).collect();
        let read = needed.get_or_init(all_needed);
        let name = self.files[0].file_name().unwrap_or_default().to_string_lossy();
        let reader = format!("any prompt of {name}");
        self.apply_severities(
            cases.into_values().flat_map(|inputs| unused_inputs(inputs, read, &reader)),
        )
    }
}

/// Mapping of ranges in prompts to ranges in their file.
impl PromptFile {
    /// A problem of a prompt with its range in the file; `None` if the range no longer exists,
    /// which happens only while the file is broken.
    pub fn in_file(&self, prompt: &Prompt, mut problem: Problem) -> Option<Problem> {
        problem.location = self.location_in_file(prompt, problem.location)?;
        problem.related = problem
            .related
            .into_iter()
            .filter_map(|related| {
                let location = self.location_in_file(prompt, related.location)?;
                Some(Related { location, ..related })
            })
            .collect();
        Some(problem)
    }

    /// A location in a prompt or a sidecar as a location in the files; `None` as for
    /// [`PromptFile::in_file`].
    pub fn location_in_file(&self, prompt: &Prompt, location: Location) -> Option<Location> {
        let range = match location.file {
            FileId::PROMPT => prompt.map.in_file(&location.range),
            file if file == self.file => location.range,
            _ => return Some(location),
        };
        Some(Location { file: self.file, range: self.now(range)? })
    }

    /// `true` if a location exists in the files: always, unless the file is broken.
    fn is_there(&self, prompt: &Prompt, location: &Location) -> bool {
        self.drift.is_none() || self.location_in_file(prompt, location.clone()).is_some()
    }

    /// The range in the file of a range of a prompt's text; `None` as for [`PromptFile::in_file`].
    pub fn range_in_file(&self, prompt: &Prompt, range: &Range<usize>) -> Option<Range<usize>> {
        self.now(prompt.map.in_file(range))
    }

    /// A source map of a prompt with ranges in the file.
    pub fn map_in_file(&self, prompt: &Prompt, map: &mut SourceMap) {
        if !prompt.map.is_identity() {
            prompt.cut_literals(map);
            self.move_runs(prompt, &mut map.runs);
        }
    }

    fn move_runs(&self, prompt: &Prompt, runs: &mut [Run]) {
        for run in runs {
            if let Some(source) = self.range_in_file(prompt, &run.source) {
                run.source = source;
            }
            self.move_runs(prompt, &mut run.parts);
        }
    }

    fn now(&self, range: Range<usize>) -> Option<Range<usize>> {
        match &self.drift {
            None => Some(range),
            Some((_, drift)) => Some(drift.now(range.start)?..drift.now(range.end)?),
        }
    }

    /// The earlier offset, in the text that its prompts were read from, of an offset of the file;
    /// `None` for new text.
    fn before(&self, offset: usize) -> Option<usize> {
        match &self.drift {
            None => Some(offset),
            Some((_, drift)) => drift.before(offset),
        }
    }

    /// The index of the prompt whose text contains an offset of the file, and the offset in that
    /// text.
    pub fn prompt_at(&self, offset: usize) -> Option<(usize, usize)> {
        let offset = self.before(offset)?;
        let mut prompts = self.prompts.iter().enumerate();
        prompts.find_map(|(index, prompt)| Some((index, prompt.map.in_text(offset)?)))
    }

    /// The index of the prompt at an offset of the file, or else of the nearest; `None` if there
    /// are none.
    pub fn nearest(&self, offset: usize) -> Option<usize> {
        let offset = self.before(offset).unwrap_or(offset);
        let distance = |prompt: &Prompt| {
            let Range { start, end } = prompt.entry;
            start.saturating_sub(offset).max(offset.saturating_sub(end))
        };
        (0..self.prompts.len()).min_by_key(|&index| distance(&self.prompts[index]))
    }

    /// The part of a prompt's text that is written in a range of the file.
    pub fn range_in_text(&self, prompt: &Prompt, range: Range<usize>) -> Range<usize> {
        let offset =
            |offset: usize| prompt.map.nearest_in_text(self.before(offset).unwrap_or(offset));
        let (start, end) = (offset(range.start), offset(range.end));
        start..end.max(start)
    }
}
