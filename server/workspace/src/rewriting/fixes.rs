//! Mending problems of many files at once: what the files become, before anything is written.
//!
//! A fix may bring another one about, and of two that overlap only one can be made. So the files
//! are read again as they would be, until nothing changes any more.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::{Change, DEFAULT_MAX_PROBLEMS, FileEdit, Sureness, edit_file, fix_all};
use promptls_resolver::{Code, FileId, Format, Problem};

use super::Rewritten;
use crate::check::Check;
use crate::configs::Configs;
use crate::files::Files;
use crate::files::with_texts::WithTexts;
use crate::prompt_file::{Prompt, PromptFile, Scope};
use crate::read_error::ReadError;
use crate::readers::writing::{Replacement, replaced};

/// How often files are read again, at most.
const ROUNDS: usize = 10;

/// Which problems are mended, and how.
pub struct Mending<'m> {
    /// Where texts come from.
    pub files: &'m dyn Files,
    /// Which configs count, with nothing read yet.
    pub configs: &'m (dyn Fn() -> Configs + Sync),
    /// How sure a fix must be.
    pub sureness: Sureness,
    /// Whether a problem is to be mended.
    pub wants: &'m (dyn Fn(&Problem) -> bool + Sync),
}

impl Mending<'_> {
    /// Mends the prompts in some files, and their sidecars. A file that cannot be read, or not be
    /// written in the way that it needs, stays as it is.
    ///
    /// Cost: the prompts, and once more those that have changed, in as many threads as there are
    /// cores.
    pub fn mend(&self, prompts: &[PathBuf]) -> BTreeMap<PathBuf, Rewritten> {
        let mut files = WithTexts { files: self.files, texts: BTreeMap::new() };
        let mut mended: BTreeMap<PathBuf, Rewritten> = BTreeMap::new();
        let mut prompts = prompts.to_vec();
        for _ in 0..ROUNDS {
            let found = self.round(&prompts, &files);
            prompts = found.iter().map(|(prompt, _)| prompt.clone()).collect();
            if prompts.is_empty() {
                break;
            }
            // What others want of the same file is found again in what it is then.
            let mut taken: BTreeMap<PathBuf, Rewrite> = BTreeMap::new();
            for rewrite in found.into_iter().flat_map(|(_, rewrites)| rewrites) {
                taken.entry(rewrite.path.clone()).or_insert(rewrite);
            }
            for (path, Rewrite { before, after, .. }) in taken {
                files.texts.insert(path.clone(), after.clone());
                let file = mended.entry(path).or_insert(Rewritten { before, after: after.clone() });
                file.after = after;
            }
        }
        mended.retain(|_, file| file.before != file.after);
        mended
    }

    /// What can be mended at once, by file of prompts.
    fn round(&self, prompts: &[PathBuf], files: &WithTexts<'_>) -> Vec<(PathBuf, Vec<Rewrite>)> {
        let configs = (self.configs)();
        let check = Check { files, configs: &configs };
        let note = |found: &mut Vec<(PathBuf, Vec<Rewrite>)>,
                    path: &Path,
                    file: Result<PromptFile, ReadError>| {
            let rewrites = file.map(|file| self.rewrites(&file)).unwrap_or_default();
            if !rewrites.is_empty() {
                found.push((path.to_owned(), rewrites));
            }
        };
        let mut found = check.read_all(prompts, note).concat();
        // Which one comes first is not for threads to say.
        found.sort_by(|(path, _), (other, _)| path.cmp(other));
        found
    }

    /// What the files of some prompts become.
    fn rewrites(&self, file: &PromptFile) -> Vec<Rewrite> {
        let mut edits = Edits::default();
        for (index, prompt) in file.prompts.iter().enumerate() {
            if !prompt.is_written_here() {
                continue;
            }
            let mut problems = file.problems_in_text(index, Scope::AllCases, DEFAULT_MAX_PROBLEMS);
            problems.retain(|problem| (self.wants)(problem));
            edits.add(file, prompt, fix_all(&prompt.snapshot, &problems, self.sureness));
        }
        edits.rewrites(file)
    }
}

/// The problems of a file that have a fix, each by its file, its offset there and its code. `wants`
/// says which problems count.
pub fn fixable(
    file: &PromptFile,
    sureness: Sureness,
    wants: &dyn Fn(&Problem) -> bool,
) -> BTreeSet<(PathBuf, usize, Code)> {
    let mut found = BTreeSet::new();
    for (index, prompt) in file.prompts.iter().enumerate() {
        if !prompt.is_written_here() {
            continue;
        }
        for problem in file.problems_in_text(index, Scope::AllCases, DEFAULT_MAX_PROBLEMS) {
            if wants(&problem) && !fix_all(&prompt.snapshot, [&problem], sureness).is_empty() {
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

/// A text in the place of another.
#[derive(Clone, Debug)]
struct Rewrite {
    path: PathBuf,
    before: Arc<str>,
    after: Arc<str>,
}

/// What is to be changed in the files of some prompts.
#[derive(Debug, Default)]
struct Edits {
    places: BTreeMap<FileId, Vec<Replacement>>,
    entries: BTreeMap<FileId, Vec<FileEdit>>,
}

impl Edits {
    fn add(&mut self, file: &PromptFile, prompt: &Prompt, changes: Vec<Change>) {
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
                    let entries = self.entries.entry(id).or_default();
                    if !entries.contains(&edit) {
                        entries.push(edit);
                    }
                }
                // None of these is ever done to all that it could be done to.
                Change::Declare(_)
                | Change::DefineFragment(_)
                | Change::Create(_)
                | Change::Config(_) => {}
            }
        }
        keep_apart(&mut in_text);
        if let Ok(Some(written)) = file.replacements_in_file(prompt, &in_text) {
            self.places.entry(file.file).or_default().extend(written);
        }
    }

    fn rewrites(mut self, file: &PromptFile) -> Vec<Rewrite> {
        let mut rewrites = Vec::new();
        let mut rewrite = |id: FileId, edit: &dyn Fn(&Path, &str) -> Option<String>| {
            let Some(before) = file.text(id) else { return };
            let path = &file.files[id.0 as usize];
            if let Some(after) = edit(path, &before).filter(|after| **after != *before) {
                rewrites.push(Rewrite { path: path.clone(), before, after: after.into() });
            }
        };
        for (id, mut places) in self.places {
            keep_apart(&mut places);
            // Its entries stand elsewhere by then, and are looked for again.
            if !places.is_empty() {
                self.entries.remove(&id);
            }
            rewrite(id, &|_, text| Some(replaced(text, &places)));
        }
        for (id, entries) in self.entries {
            rewrite(id, &|path, text| edit_file(text, Format::of_sidecar(path), &entries));
        }
        rewrites
    }
}

/// In order, and without those that overlap one before them.
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
