//! A file with prompts: which prompts there are, and what holds in each of them.
//!
//! A file that *is* a prompt has one, whose text is the file's. Other files hold prompts in
//! strings, found by a reader (`readers.rs`), and a [`TextMap`] says where each text is written.
//! Whoever asks about prompts, the editor, `check`, `resolve`, `preview` or a page, asks here, so
//! that all of them are told the same.

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
use super::kind::kind_of_text;
use super::readers::drift::Drift;
use super::readers::text_map::TextMap;
use super::readers::writing::{AsItIs, CannotWrite, Replacement, Template, Writing};
use super::readers::{Contents, FoundPrompt, Reader, Source, reader_of_text};
use crate::hosts::app_names::AppFile;
use crate::hosts::conflict::Conflict;
use crate::hosts::engine;
use crate::hosts::program::Program;
use crate::sidecars::loading::{Overrides, Sidecars};
use crate::sidecars::of_prompts::{OwnSidecars, named_in};
use crate::sidecars::owners::{new_case, new_variables};

/// A file with the prompts in it and all that belongs to them.
#[derive(Clone, Debug)]
pub struct PromptFile {
    /// Its prompts, in the order in which they are written.
    pub prompts: Vec<Prompt>,
    /// The files concerned; a [`FileId`] of any of its prompts is a position in this list. The
    /// first one is the file itself.
    pub files: Vec<PathBuf>,
    /// Their texts, as they were read; `None` for those that could not be, and for the text of
    /// a file that is a prompt, which its snapshot has.
    pub texts: Vec<Option<Arc<str>>>,
    /// Other files of the program around them, with places that are about their names. Their ids
    /// follow those of the files, and they are none of these: what stands there makes no text.
    pub around: Vec<Arc<AppFile>>,
    /// The id of places in the file. [`FileId::PROMPT`] is the text of a prompt, which is the
    /// same only where the file is the prompt.
    pub file: FileId,
    /// Whether it does not parse. Its prompts are those from before then.
    pub is_broken: bool,
    sidecars: Sidecars,
    reader: Option<&'static dyn Reader>,
    /// What is wrong with the file as a whole, with places in the file.
    problems: Vec<Problem>,
    /// What would be prompts in it, if frameworks agreed on what they mean.
    pub conflicts: Vec<Conflict>,
    /// The text that its prompts stand in, and what has changed since, while it is broken.
    drift: Option<(Arc<str>, Drift)>,
}

/// A prompt of a file.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// What it is called in its file; `None` if it is the file.
    pub name: Option<Arc<str>>,
    /// Who says that it is one, for people; `None` if it is the file.
    why: Option<Arc<str>>,
    /// All that the file says about it, where it was read.
    pub entry: Range<usize>,
    /// For every question about it.
    pub snapshot: Snapshot,
    /// Where its text is written.
    pub map: TextMap,
    /// How its text is edited there.
    writing: Arc<dyn Writing>,
    /// The keys to the list of its variables, from the top of the file that declares them.
    pub variables_at: Vec<String>,
}

impl Prompt {
    /// Whether its text stands in the file where its places are, so that something can be drawn
    /// there; an alias only names it.
    pub fn is_written_here(&self) -> bool {
        self.map.is_written_here()
    }

    /// Cuts literal text of a source map where the file goes on elsewhere: behind line breaks,
    /// indentation and escapes. So a place in each piece is as far from its start as in the file.
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

    /// Whether a word is written in the file as it is, wherever a placeholder can stand.
    pub fn is_plain(&self, word: &str) -> bool {
        self.writing.is_plain(word)
    }
}

/// Which values a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of all cases.
    AllCases,
    /// Those of one case, by its position in the list; `None` without any inputs.
    OneCase(Option<usize>),
    /// Those of a case whose file cannot be used, so nobody knows which names have values.
    BrokenCase(FileId),
}

/// Who reads a file with a text.
fn reader_for(
    path: &Path,
    config: Option<&Config>,
    files: &dyn Files,
    text: &PromptText,
    last: Option<&PromptFile>,
) -> Option<&'static dyn Reader> {
    reader_of_text(path, config, files, || Ok(text.shared()), last.and_then(|last| last.reader))
}

impl PromptFile {
    /// Reads a file of prompts whose text is at hand. Never fails: what cannot be read is a
    /// problem.
    ///
    /// `path` is absolute. What cannot be used now, but could in `last`, is taken from there.
    /// Cost: the text, unless `last` is of the very same one; the sidecars, each read once.
    pub fn read(
        files: &dyn Files,
        configs: &Configs,
        path: &Path,
        text: PromptText,
        overrides: &Overrides,
        last: Option<&PromptFile>,
    ) -> PromptFile {
        let config = configs.nearest(files, path.parent().unwrap_or(Path::new("/")));
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

    /// Whether a file holds prompts; `text` is its text, and `last` what it was before.
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
    pub(crate) fn read_by(
        reader: Option<&'static dyn Reader>,
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
            writing: Arc::new(AsItIs),
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
    fn holding(
        reader: &'static dyn Reader,
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
        let read = |text| reader.read(&Source { path, text, config, uses: uses.clone() }, file);
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
        let engine_of = |dialect| engine::engine_of(reader.language(), dialect, engines);
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
            // A file that the command line names counts instead of what stands here.
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
            Prompt { name: Some(name), why: Some(why), entry, snapshot, map, writing, variables_at }
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

    /// The file with an id, be it one that it is made from or one of the program around it.
    pub fn path_of(&self, file: FileId) -> Option<&PathBuf> {
        let index = file.0 as usize;
        let around = || Some(&self.around.get(index.checked_sub(self.files.len())?)?.path);
        self.files.get(index).or_else(around)
    }

    /// Whether the program around its prompts says the same of their names as of those of another
    /// one, be it in other places.
    pub fn hears_the_same_as(&self, other: &PromptFile) -> bool {
        let said = |file: &PromptFile, index: usize| -> Option<ProgramNames> {
            Some(file.prompts.get(index)?.snapshot.program()?.clone().without_places())
        };
        let count = self.prompts.len();
        count == other.prompts.len() && (0..count).all(|at| said(self, at) == said(other, at))
    }

    /// Whether an id is that of a file of the program around it.
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

    /// The text that its prompts stand in: what it says, or said before it was broken.
    fn last_good_text(&self) -> Option<Arc<str>> {
        match &self.drift {
            Some((good, _)) => Some(good.clone()),
            None if self.is_broken => None,
            None => self.texts[self.file.0 as usize].clone(),
        }
    }

    /// The tokens of a text that is the very one of its only prompt.
    fn tree_of(&self, text: &PromptText) -> Option<Arc<Tree>> {
        let [Prompt { snapshot, .. }] = &self.prompts[..] else { return None };
        snapshot.text.is_instance(text).then(|| snapshot.tree.clone())
    }

    /// The config that counts for it.
    pub fn config(&self) -> Option<&Arc<Config>> {
        self.sidecars.config.as_ref()
    }

    /// The rule that it is for.
    pub fn rule(&self) -> Option<&Rule> {
        self.config().and_then(|config| config.rule_for(&self.files[0]))
    }

    /// Whether its prompts are those from before it was broken.
    pub fn is_stale(&self) -> bool {
        self.drift.is_some()
    }

    /// The cases whose files cannot be used, by name, and those files.
    pub fn broken_cases(&self) -> &[(String, FileId)] {
        &self.sidecars.broken
    }

    /// Those of them that are one prompt's, by the names of its cases.
    pub fn broken_cases_of(&self, prompt: &Prompt) -> Vec<(&str, FileId)> {
        let all = self.broken_cases().iter().map(|(name, file)| (&**name, *file));
        let names_prompts = self.reader.is_some_and(Reader::names_prompts_in_sidecars);
        let Some(name) = prompt.name.as_deref().filter(|_| names_prompts) else {
            return all.collect();
        };
        let names: Vec<Arc<str>> = self.prompts.iter().filter_map(|it| it.name.clone()).collect();
        let own = OwnSidecars::new(&self.sidecars, &names);
        all.filter_map(|(case, file)| Some((own.case_of(name, case)?, file))).collect()
    }

    /// The cases in which one of its prompts is sent, by their positions; `None` alone without any
    /// inputs. None at all if it is another tool's, or if no inputs of it can be used.
    pub fn cases_sent(&self, prompt: &Prompt) -> impl Iterator<Item = Option<usize>> + use<> {
        let is_ours = prompt.snapshot.foreign.is_none();
        let cases = if is_ours { prompt.snapshot.cases.len() } else { 0 };
        let without = (is_ours && cases == 0 && self.broken_cases().is_empty()).then_some(None);
        (0..cases).map(Some).chain(without)
    }

    /// Its prompts, without those of other tools.
    pub fn own_prompts(&self) -> impl Iterator<Item = &Prompt> {
        self.prompts.iter().filter(|prompt| prompt.snapshot.foreign.is_none())
    }

    /// The number of its own prompts that could be read.
    pub fn count(&self) -> usize {
        self.own_prompts().count()
    }

    /// The files that it is made from, and those behind `$file` values.
    pub fn all_files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().chain(&self.sidecars.file_values)
    }

    /// Whether a path is one of these.
    pub fn reads(&self, path: &Path) -> bool {
        self.all_files().any(|file| file == path)
    }

    /// Whether what its prompts become is made from the same in both: their texts, inputs,
    /// declarations, `$file` texts, and what the config says. Places need not be the same.
    ///
    /// Cost: a look at all of it.
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

    /// Which of its inputs and variables files a path is: a file that holds its prompts is one,
    /// too, because it declares their variables.
    pub fn file_at(&self, path: &Path) -> Option<FileId> {
        let index = self.files.iter().rposition(|file| file == path).filter(|index| *index > 0)?;
        Some(FileId(u32::try_from(index).ok()?))
    }

    /// Whether a rule names a file as an inputs or variables file of its prompts, be it there or
    /// not.
    pub fn shares(&self, path: &Path) -> bool {
        let Some(config) = self.config() else { return false };
        let prompt = &self.files[0];
        config.rule_for(prompt).is_some_and(|rule| rule.shares_with(prompt, path))
    }

    /// Where a new case of one of its prompts is written. See [`new_case`].
    pub fn new_case(&self, prompt: &Prompt, case: &str) -> Option<PathBuf> {
        new_case(&self.named_as(prompt), self.config().map(|config| &**config), case)
    }

    /// Where the first variables of one of its prompts are written. See [`new_variables`].
    pub fn new_variables(&self, prompt: &Prompt) -> PathBuf {
        new_variables(&self.named_as(prompt), self.config().map(|config| &**config))
    }

    /// The prompts that read the first inputs of one of them, by its position: itself alone where
    /// its sidecars have its name, else all.
    pub fn readers_of_new_inputs(&self, index: usize) -> impl Iterator<Item = &Prompt> {
        let names_prompts = self.reader.is_some_and(Reader::names_prompts_in_sidecars);
        let prompts = self.prompts.iter().enumerate();
        let is_reader = move |(other, _): &(usize, &Prompt)| !names_prompts || *other == index;
        prompts.filter(is_reader).map(|(_, prompt)| prompt)
    }

    /// The path of a prompt alone that would have the sidecars of one of its prompts.
    fn named_as(&self, prompt: &Prompt) -> PathBuf {
        let names_prompts = self.reader.is_some_and(Reader::names_prompts_in_sidecars);
        match prompt.name.as_deref().filter(|_| names_prompts) {
            Some(name) => named_in(&self.files[0], name),
            None => self.files[0].clone(),
        }
    }

    /// A prompt by its name in the file.
    pub fn prompt_named(&self, name: &str) -> Option<usize> {
        self.prompts.iter().position(|prompt| prompt.name.as_deref() == Some(name))
    }

    /// Where its prompts stand, for people; `None` for a file that is a prompt.
    pub fn where_prompts_stand(&self) -> Option<&'static str> {
        Some(self.reader?.where_prompts_stand())
    }

    /// What it is written in, by the id that editors have for it; `prompt` for one that is a prompt.
    pub fn language(&self) -> &'static str {
        self.reader.map_or("prompt", Reader::language)
    }

    /// Why one of its prompts is a prompt, for people.
    pub fn why(&self, prompt: &Prompt) -> String {
        match &prompt.why {
            Some(why) => why.to_string(),
            None if self.rule().is_some() => "a rule of promptls.toml".to_owned(),
            None => "its name".to_owned(),
        }
    }

    /// The replacements in the file that make some in the text of a prompt; those in the text are
    /// in order and do not overlap. `Ok(None)` as for [`PromptFile::in_file`].
    ///
    /// Cost: the text of a file, unless it is the prompt.
    pub fn replacements_in_file(
        &self,
        prompt: &Prompt,
        edits: &[Replacement],
    ) -> Result<Option<Vec<Replacement>>, CannotWrite> {
        let Some(file) = self.last_good_text() else { return Ok(Some(edits.to_vec())) };
        let text = prompt.snapshot.text.to_string();
        let template = Template { text: &text, map: &prompt.map, file: &file };
        let written = prompt.writing.replace(&template, edits)?.into_iter();
        Ok(written.map(|(range, new)| Some((self.now(range)?, new))).collect())
    }

    /// The same for several of its prompts, which are in order. A prompt that cannot be edited is
    /// left out.
    ///
    /// Cost: the file a few times; once more for each prompt if they cannot be edited together.
    pub fn replacements_of_prompts(
        &self,
        prompts: &[(&Prompt, Vec<Replacement>)],
    ) -> Vec<Replacement> {
        if let [(first, _), _, ..] = prompts
            && let Some(file) = self.last_good_text()
        {
            let edits: Vec<(&dyn Writing, &[Replacement])> =
                prompts.iter().map(|(prompt, edits)| (&*prompt.writing, &**edits)).collect();
            let written = first.writing.replace_all(&file, &edits).and_then(|written| {
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

/// Following what is typed.
impl PromptFile {
    /// Whether it follows edits one by one; else it has to be read anew after each.
    pub fn follows_edits(&self) -> bool {
        self.reader.is_none()
    }

    /// Follows an edit of a file that is a prompt; `text` is what it is now.
    pub fn edit(&mut self, text: &Rope, edit: Edit) {
        let [prompt] = &mut self.prompts[..] else { return };
        let snapshot = &mut prompt.snapshot;
        snapshot.text = text.clone().into();
        snapshot.memo.get_or_insert_default();
        // Copied only while a question that was asked before still looks at it.
        Arc::make_mut(&mut snapshot.tree).edit(text, edit);
        prompt.entry = 0..text.len_bytes();
        self.sidecars.read_again(snapshot);
    }

    /// Takes over the text of `newer`, which came while this one was read; `false` if that
    /// cannot be.
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

/// How many times as many problems are looked for where some may be kept back.
const LOOKED_FOR_BEHIND_IGNORED: usize = 10;

/// What is wrong.
impl PromptFile {
    /// All problems of its prompts and of their own sidecars, with places in the files, sorted;
    /// at most `max` of each prompt.
    pub fn problems(&self, max: usize) -> Vec<Problem> {
        self.problems_and_ignores(max).0
    }

    /// The same, and which ignores keep others back.
    pub fn problems_and_ignores(&self, max: usize) -> (Vec<Problem>, UsedIgnores) {
        let mut used = UsedIgnores::default();
        let problems = match (self.reader, &self.prompts[..]) {
            // They have their places and their order already.
            (None, [prompt]) => diagnose(&prompt.snapshot, self.looked_for(max)),
            _ => self.problems_in_strings(self.looked_for(max)),
        };
        (self.not_ignored(problems, max, &mut used), used)
    }

    /// How many problems are looked for, so that behind those that are kept back there are others.
    fn looked_for(&self, max: usize) -> usize {
        let has_ignores = self.config().is_some_and(|config| !config.ignores.is_empty());
        if has_ignores { max.saturating_mul(LOOKED_FOR_BEHIND_IGNORED) } else { max }
    }

    /// At most `max` problems of each file, without those that the config keeps back.
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
        let mut problems: Vec<Problem> = self.told(self.problems.iter().cloned());
        problems.extend(self.unused_inputs(&self.prompts, Scope::AllCases, &OnceCell::new()));
        let mut said_no_inputs = false;
        for prompt in &self.prompts {
            for problem in diagnose(&prompt.snapshot, max) {
                // That a file has no inputs is worth saying once.
                let is_repeated = problem.code == Code::NoInputs && said_no_inputs;
                said_no_inputs |= problem.code == Code::NoInputs;
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

    /// The problems of one of its prompts, of the sidecars and of the file as a whole, with places
    /// in the files; at most `max` of the first.
    pub fn problems_of(&self, index: usize, scope: Scope, max: usize) -> Vec<Problem> {
        let Some(prompt) = self.prompts.get(index) else { return Vec::new() };
        let own = self.problems_in_text(index, scope, max).into_iter();
        let own = own.filter_map(|problem| self.in_file(prompt, problem));
        let of_file = self.problems.iter().filter(|problem| self.concerns(index, problem));
        let of_file = self.told(of_file.cloned());
        let mut all = self.not_ignored(of_file, max, &mut UsedIgnores::default());
        all.extend(own);
        all
    }

    /// Whether a problem of the file is not about another one of its prompts.
    fn concerns(&self, index: usize, problem: &Problem) -> bool {
        let start = self.before(problem.location.range.start);
        let is_inside = |prompt: &Prompt| start.is_some_and(|start| prompt.entry.contains(&start));
        self.prompts.iter().position(is_inside).is_none_or(|about| about == index)
    }

    /// The problems of one of its prompts and of the sidecars, with places in the prompt's text;
    /// at most `max` of the first. For what acts on that text.
    pub fn problems_in_text(&self, index: usize, scope: Scope, max: usize) -> Vec<Problem> {
        self.problems_with_keys(index, scope, max, &OnceCell::new())
    }

    /// The same; `needed` is empty at first, and may be kept for other prompts of the file.
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

    /// A prompt as if there were no other cases than those of a scope.
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
        // What is wrong with other cases is none of its business.
        snapshot.file_problems.retain(|problem| {
            let file = problem.location.file;
            Some(file) == own || !self.is_broken_case(file)
        });
        snapshot
    }

    fn is_broken_case(&self, file: FileId) -> bool {
        self.broken_cases().iter().any(|(_, other)| *other == file)
    }

    /// The sidecars that could not be read, and why; the place of the problem may be in the prompt.
    pub fn unread_sidecars(&self) -> &[(FileId, Problem)] {
        &self.sidecars.unread
    }

    /// Whether the file of some values cannot be used, and they are those from before.
    pub fn is_kept(&self, file: FileId) -> bool {
        self.sidecars.kept.contains(&file)
    }

    /// [`PromptFile::problems_of`] a prompt that was resolved, with what only the resolver can
    /// know: that the text is too long.
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
            let found = self.told(found).into_iter().filter_map(in_file).collect();
            problems.extend(self.not_ignored(found, max, &mut UsedIgnores::default()));
        }
        problems
    }

    /// The errors of what may be a prompt in it and cannot be read, as severe as the config says.
    pub fn unread(&self) -> Vec<Problem> {
        let unread = self.problems.iter().filter(|it| it.code == Code::UnreadableFile).cloned();
        let unread = self.told(unread);
        self.not_ignored(unread, usize::MAX, &mut UsedIgnores::default())
    }

    /// Why it has no prompts although it could.
    pub fn why_empty(&self) -> Option<&Problem> {
        self.problems.first().filter(|_| self.prompts.is_empty())
    }

    /// The problem of a file that counts in a snapshot of one of its prompts and cannot be read
    /// now, so that what it last said is shown; `None` if all is as the files say.
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

    /// Why an inputs or variables file cannot be used as it is; `None` if it can. That the text
    /// which one of its values stands for is missing breaks nothing else.
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

    /// With the severities of the config.
    fn told(&self, problems: impl Iterator<Item = Problem>) -> Vec<Problem> {
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
        self.told(cases.into_values().flat_map(|inputs| unused_inputs(inputs, read, &reader)))
    }
}

/// Places in prompts, and in the file that they stand in.
impl PromptFile {
    /// A problem of a prompt with places in the file; `None` if its place is gone, which happens
    /// only while the file is broken.
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

    /// A place in a prompt or a sidecar as a place in the files; `None` as for
    /// [`PromptFile::in_file`].
    pub fn location_in_file(&self, prompt: &Prompt, location: Location) -> Option<Location> {
        let range = match location.file {
            FileId::PROMPT => prompt.map.in_file(&location.range),
            file if file == self.file => location.range,
            _ => return Some(location),
        };
        Some(Location { file: self.file, range: self.now(range)? })
    }

    /// Whether a place has one in the files: always, unless the file is broken.
    fn is_there(&self, prompt: &Prompt, location: &Location) -> bool {
        self.drift.is_none() || self.location_in_file(prompt, location.clone()).is_some()
    }

    /// Where a range of a prompt's text is in the file; `None` as for [`PromptFile::in_file`].
    pub fn range_in_file(&self, prompt: &Prompt, range: &Range<usize>) -> Option<Range<usize>> {
        self.now(prompt.map.in_file(range))
    }

    /// A source map of a prompt with places in the file.
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

    /// Where an offset of the file was when its prompts were read; `None` for what is new.
    fn before(&self, offset: usize) -> Option<usize> {
        match &self.drift {
            None => Some(offset),
            Some((_, drift)) => drift.before(offset),
        }
    }

    /// The prompt whose text is written at an offset of the file, and the offset in that text.
    pub fn prompt_at(&self, offset: usize) -> Option<(usize, usize)> {
        let offset = self.before(offset)?;
        let mut prompts = self.prompts.iter().enumerate();
        prompts.find_map(|(index, prompt)| Some((index, prompt.map.in_text(offset)?)))
    }

    /// Which prompt an offset of the file is about, or else is next to; `None` if there are none.
    pub fn nearest(&self, offset: usize) -> Option<usize> {
        let offset = self.before(offset).unwrap_or(offset);
        let distance = |prompt: &Prompt| {
            let Range { start, end } = prompt.entry;
            start.saturating_sub(offset).max(offset.saturating_sub(end))
        };
        (0..self.prompts.len()).min_by_key(|&index| distance(&self.prompts[index]))
    }

    /// The part of a prompt's text that is written in a range of the file, as far as it is.
    pub fn range_in_text(&self, prompt: &Prompt, range: Range<usize>) -> Range<usize> {
        let offset =
            |offset: usize| prompt.map.nearest_in_text(self.before(offset).unwrap_or(offset));
        let (start, end) = (offset(range.start), offset(range.end));
        start..end.max(start)
    }
}
