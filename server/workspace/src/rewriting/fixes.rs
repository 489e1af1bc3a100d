//! Fixes of problems in many files: computes the new contents, and writes nothing.
//!
//! A fix may cause another problem, and only one of two overlapping fixes can be made. So the files
//! are parsed again with the new contents, until nothing changes any more.

use std::cell::OnceCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::{Change, DEFAULT_MAX_PROBLEMS, FileEdit, Sureness, edit_file, fix_all};
use promptls_resolver::{Code, FileId, Format, Location, Problem};

use super::Rewritten;
use crate::configs::Configs;
use crate::files::Files;
use crate::files::with_texts::WithTexts;
use crate::hosts::program_facts::ProgramFacts;
use crate::prompt_file::{Prompt, PromptFile, Scope};
use crate::read_error::ReadError;
use crate::readers::writing::{Replacement, replaced};

/// The maximum number of rounds of a file without a decrease of its problems. A fix may replace one
/// problem by another a few times, and two fixes may revert each other forever.
const ROUNDS_WITHOUT_PROGRESS: usize = 10;

/// The maximum number of rounds in total. Nearly all files need two or three.
const ROUNDS: usize = 1_000;

/// The maximum number of problems per prompt in one round; the next round finds others.
const MAX_PROBLEMS: usize = 1_000_000;

/// The settings for fixing problems.
pub struct FixOptions<'m> {
    /// The source of texts, before any fix.
    pub files: &'m dyn Files,
    /// The facts about the code in them.
    pub program: &'m dyn ProgramFacts,
    /// Creates the configs that apply, with nothing cached.
    pub configs: &'m (dyn Fn() -> Configs + Sync),
    /// The required level of safety of a fix.
    pub sureness: Sureness,
    /// `true` for problems that should be fixed.
    pub selects: &'m (dyn Fn(&Problem) -> bool + Sync),
}

/// The result of fixing files.
pub struct FixedFiles {
    /// The files that change, by path, with both contents.
    pub files: BTreeMap<PathBuf, Rewritten>,
    /// `true` if problems with a fix may remain because the maximum number of rounds was reached.
    pub is_cut_short: bool,
}

impl FixOptions<'_> {
    /// Fixes the prompts in some files, and their sidecars. A file does not change if it cannot be
    /// read, or if its text cannot express the fix.
    ///
    /// Cost: the prompts, and in each round again those that have changed, in as many threads as
    /// there are cores.
    pub fn fix(&self, prompts: &[PathBuf]) -> FixedFiles {
        let (files, program) = (self.files, self.program);
        let mut files = WithTexts { files, program, texts: BTreeMap::new() };
        let mut fixed: BTreeMap<PathBuf, Rewritten> = BTreeMap::new();
        let mut progress: HashMap<PathBuf, Progress> = HashMap::new();
        let mut prompts = prompts.to_vec();
        let mut is_cut_short = false;
        for round in 0.. {
            let mut found = self.round(&prompts, &files);
            found.retain(|it| progress.entry(it.prompts.clone()).or_default().note(it.problems));
            if found.is_empty() {
                break;
            }
            if round == ROUNDS {
                is_cut_short = true;
                break;
            }
            // A file of several prompts is rewritten once for all of them.
            let mut edits: BTreeMap<PathBuf, FileEdits> = BTreeMap::new();
            let mut selected_by: Vec<(PathBuf, Vec<PathBuf>)> = Vec::new();
            for fixes in found {
                let paths = fixes.edits.iter().map(|(path, _)| path.clone()).collect();
                selected_by.push((fixes.prompts, paths));
                for (path, more) in fixes.edits {
                    match edits.entry(path) {
                        Entry::Vacant(entry) => _ = entry.insert(more),
                        Entry::Occupied(mut entry) => entry.get_mut().extend(more),
                    }
                }
            }
            let mut changed: HashSet<PathBuf> = HashSet::new();
            for (path, edits) in edits {
                let Some((before, after)) = edits.applied(&path) else { continue };
                changed.insert(path.clone());
                files.texts.insert(path.clone(), after.clone());
                let file = fixed.entry(path).or_insert(Rewritten { before, after: after.clone() });
                file.after = after;
            }
            selected_by.retain(|(_, paths)| paths.iter().any(|path| changed.contains(path)));
            prompts = selected_by.into_iter().map(|(prompts, _)| prompts).collect();
        }
        fixed.retain(|_, file| file.before != file.after);
        FixedFiles { files: fixed, is_cut_short }
    }

    /// The fixes of one round, by file of prompts.
    fn round(&self, prompts: &[PathBuf], files: &WithTexts<'_>) -> Vec<FixesOfPrompts> {
        let configs = (self.configs)();
        let note =
            |found: &mut Vec<FixesOfPrompts>, path: &Path, file: Result<PromptFile, ReadError>| {
                let fixes = file.ok().map(|file| self.fixes(path, &file));
                found.extend(fixes.filter(|fixes| !fixes.edits.is_empty()));
            };
        let mut found: Vec<FixesOfPrompts> =
            files.project(&configs).read_all(prompts, note).into_iter().flatten().collect();
        // The order in which threads finish must not decide which of two fixes is made.
        found.sort_by(|one, other| one.prompts.cmp(&other.prompts));
        found
    }

    fn fixes(&self, path: &Path, file: &PromptFile) -> FixesOfPrompts {
        let mut edits = Edits::default();
        let mut in_texts: Vec<(&Prompt, Vec<Replacement>)> = Vec::new();
        let mut count = 0;
        // All prompts of the file are read to find them.
        let shared = OnceCell::new();
        for (index, prompt) in file.prompts.iter().enumerate() {
            if !prompt.is_written_here() {
                continue;
            }
            let mut problems =
                file.problems_with_keys(index, Scope::AllCases, MAX_PROBLEMS, &shared);
            problems.retain(|problem| is_shown(prompt, problem) && (self.selects)(problem));
            count += problems.len();
            let in_text = edits.add(fix_all(&prompt.snapshot, &problems, self.sureness));
            if !in_text.is_empty() {
                in_texts.push((prompt, in_text));
            }
        }
        let written = file.replacements_of_prompts(&in_texts);
        edits.places.entry(file.file).or_default().extend(written);
        FixesOfPrompts { prompts: path.to_owned(), problems: count, edits: edits.by_path(file) }
    }
}

/// `false` for a problem in a constant that is shown as a part of another prompt, which has the fix.
fn is_shown(prompt: &Prompt, problem: &Problem) -> bool {
    let Location { file, range } = &problem.location;
    *file != FileId::PROMPT || prompt.is_shown_here(range)
}

/// The fixes for the prompts in a file.
struct FixesOfPrompts {
    /// The file that holds the prompts.
    prompts: PathBuf,
    /// The number of examined problems, including those without a fix.
    problems: usize,
    /// The edits of it and of its sidecars.
    edits: Vec<(PathBuf, FileEdits)>,
}

/// The progress of a file over the rounds.
#[derive(Default)]
struct Progress {
    fewest: Option<usize>,
    rounds_without: usize,
}

impl Progress {
    /// Records the number of problems of a round; `false` if another round is not worth it.
    fn note(&mut self, problems: usize) -> bool {
        if self.fewest.is_none_or(|fewest| problems < fewest) {
            *self = Progress { fewest: Some(problems), rounds_without: 0 };
        } else {
            self.rounds_without += 1;
        }
        self.rounds_without < ROUNDS_WITHOUT_PROGRESS
    }
}

/// The problems of a file that have a fix and match a filter, each by its file, its offset there and
/// its code.
///
/// Cost: the problems, and for each with a fix what it costs to write it.
pub fn fixable(
    file: &PromptFile,
    sureness: Sureness,
    selects: &dyn Fn(&Problem) -> bool,
) -> BTreeSet<(PathBuf, usize, Code)> {
    let mut found = BTreeSet::new();
    let shared = OnceCell::new();
    for (index, prompt) in file.prompts.iter().enumerate() {
        if !prompt.is_written_here() {
            continue;
        }
        for problem in
            file.problems_with_keys(index, Scope::AllCases, DEFAULT_MAX_PROBLEMS, &shared)
        {
            if is_shown(prompt, &problem)
                && selects(&problem)
                && can_write(file, prompt, fix_all(&prompt.snapshot, [&problem], sureness))
            {
                let place = file.location_in_file(prompt, problem.location);
                let path = place.as_ref().and_then(|place| file.path_of(place.file));
                found.extend(
                    place
                        .iter()
                        .zip(path)
                        .map(|(place, path)| (path.clone(), place.range.start, problem.code)),
                );
            }
        }
    }
    found
}

/// `true` if the changes of a fix change a file: its text may not be able to express them.
fn can_write(file: &PromptFile, prompt: &Prompt, changes: Vec<Change>) -> bool {
    let mut edits = Edits::default();
    let in_text = edits.add(changes);
    if !in_text.is_empty() {
        let written = file.replacements_of_prompts(&[(prompt, in_text)]);
        edits.places.entry(file.file).or_default().extend(written);
    }
    let changed = edits.by_path(file).into_iter();
    changed.map(|(path, edits)| edits.applied(&path)).any(|applied| applied.is_some())
}

/// The edits of one file, in a round.
#[derive(Debug)]
struct FileEdits {
    before: Arc<str>,
    places: Vec<Replacement>,
    /// Edits of entries, one list per file of prompts that requires them.
    entries: Vec<Vec<FileEdit>>,
}

impl FileEdits {
    /// Adds the edits of other prompts, unless they were made for another text.
    fn extend(&mut self, other: FileEdits) {
        if self.before == other.before {
            self.places.extend(other.places);
            self.entries.extend(other.entries);
        }
    }

    /// The text after the edits of entries: all of them, or those of the first prompts whose edits
    /// can be made.
    fn with_entries(&self, path: &Path) -> Option<String> {
        let format = Format::of_sidecar(path);
        let mut seen = HashSet::new();
        let all = self.entries.concat().into_iter().filter(|edit| seen.insert(edit.clone()));
        edit_file(&self.before, format, &all.collect::<Vec<_>>()).or_else(|| {
            self.entries.iter().find_map(|entries| edit_file(&self.before, format, entries))
        })
    }

    /// The text before and after the edits; `None` if they change nothing or cannot be made.
    fn applied(mut self, path: &Path) -> Option<(Arc<str>, Arc<str>)> {
        keep_apart(&mut self.places);
        let after = if self.places.is_empty() {
            self.with_entries(path)?
        } else {
            // The offsets of its entries change with that, so they wait for the next round.
            replaced(&self.before, &self.places)
        };
        (*after != *self.before).then(|| (self.before, after.into()))
    }
}

/// The collected changes of the files of some prompts.
#[derive(Debug, Default)]
struct Edits {
    places: BTreeMap<FileId, Vec<Replacement>>,
    entries: BTreeMap<FileId, Vec<FileEdit>>,
}

impl Edits {
    /// Adds changes of a prompt, and returns those of its text.
    fn add(&mut self, changes: Vec<Change>) -> Vec<Replacement> {
        let mut in_text: Vec<Replacement> = Vec::new();
        for change in changes {
            match change {
                Change::Text(edit) if edit.location.file == FileId::PROMPT => {
                    in_text.push((edit.location.range, edit.text));
                }
                Change::Text(edit) => {
                    let places = self.places.entry(edit.location.file).or_default();
                    places.push((edit.location.range, edit.text));
                }
                Change::File(id, edit) => {
                    self.entries.entry(id).or_default().push(edit);
                }
                // These changes are never part of a bulk fix.
                Change::Declare(_)
                | Change::DefineFragment(_)
                | Change::Create(_)
                | Change::Config(_) => {}
            }
        }
        keep_apart(&mut in_text);
        in_text
    }

    fn by_path(mut self, file: &PromptFile) -> Vec<(PathBuf, FileEdits)> {
        let ids: BTreeSet<FileId> =
            self.places.keys().chain(self.entries.keys()).copied().collect();
        let edits = |id| {
            let before = file.text(id)?;
            let places = self.places.remove(&id).unwrap_or_default();
            let entries = self.entries.remove(&id).unwrap_or_default();
            let path = file.files[id.0 as usize].clone();
            let entries = if entries.is_empty() { Vec::new() } else { vec![entries] };
            Some((path, FileEdits { before, places, entries }))
        };
        let edits = ids.into_iter().filter_map(edits);
        edits.filter(|(_, edits)| !edits.places.is_empty() || !edits.entries.is_empty()).collect()
    }
}

/// Sorts replacements, and removes those that overlap an earlier one.
fn keep_apart(places: &mut Vec<Replacement>) {
    places.sort_by_key(|(range, _)| (range.start, range.end));
    places.dedup();
    let mut end = 0;
    places.retain(|(range, _)| {
        let is_apart = range.start >= end;
        end = if is_apart { range.end } else { end };
        is_apart
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of_user() -> FileEdit {
        let path = vec!["user".to_owned(), "name".to_owned()];
        FileEdit::Insert { path, value: r#""Ada""#.to_owned() }
    }

    fn user() -> FileEdit {
        FileEdit::Insert { path: vec!["user".to_owned()], value: r#""Grace""#.to_owned() }
    }

    fn after(entries: Vec<Vec<FileEdit>>) -> Option<String> {
        let edits = FileEdits { before: "{}\n".into(), places: Vec::new(), entries };
        edits.applied(Path::new("a.adk.inputs.json")).map(|(_, after)| after.to_string())
    }

    #[test]
    fn the_first_of_conflicting_edits_of_several_prompts_is_applied() {
        let only_user = after(vec![vec![user()]]);
        let only_name = after(vec![vec![name_of_user()]]);
        assert_ne!(only_user, only_name);
        assert!(only_user.is_some() && only_name.is_some());
        // A text has no entries, so the second prompt's edit cannot follow the first one's.
        assert_eq!(after(vec![vec![user()], vec![name_of_user()]]), only_user);
        // The edits of one prompt are made together or not at all.
        assert_eq!(after(vec![vec![user(), name_of_user()], vec![name_of_user()]]), only_name);
        assert_eq!(after(vec![vec![user(), name_of_user()]]), None);
        // Equal edits of several prompts are made once.
        assert_eq!(after(vec![vec![user()], vec![user()]]), only_user);
    }
}
