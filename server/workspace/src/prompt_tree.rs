//! The prompts of a workspace as a tree: folders, files, prompts in files, and cases; with numbers
//! of problems and tokens.
//!
//! The number of problems is known for all files. Slower facts are computed on request for a
//! folder, and cached until the file changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use promptls_analysis::position::line_breaks;
use promptls_analysis::{DEFAULT_MAX_PROBLEMS, token_counts};
use promptls_resolver::{Problem, Severity};

use super::in_parallel::in_parallel;
use super::project::Project;
use super::prompt_file::{Prompt, PromptFile, Scope};

/// Numbers of problems; hints and infos are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProblemCounts {
    /// The number of problems with severity `error`.
    pub errors: usize,
    /// The number of problems with severity `warning`.
    pub warnings: usize,
}

impl ProblemCounts {
    /// Counts errors and warnings among some problems.
    pub fn of(problems: &[Problem]) -> ProblemCounts {
        let count = |severity| problems.iter().filter(|it| it.severity == severity).count();
        ProblemCounts { errors: count(Severity::Error), warnings: count(Severity::Warning) }
    }

    fn add(&mut self, other: ProblemCounts) {
        self.errors += other.errors;
        self.warnings += other.warnings;
    }
}

/// The tree. See the module documentation.
#[derive(Debug, Default)]
pub struct PromptTree {
    /// In walk order: the files of a folder are contiguous.
    files: BTreeMap<PathBuf, TreeFile>,
    news: TreeNews,
}

/// A file of prompts; its prompts are loaded on first request.
#[derive(Clone, Debug, Default)]
pub struct TreeFile {
    /// The problems that `check` reports for its prompts.
    pub problems: ProblemCounts,
    prompts: Arc<OnceLock<Box<[TreePrompt]>>>,
}

/// A prompt in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreePrompt {
    /// Its name in the file; `None` if it is the whole file.
    pub name: Option<String>,
    /// The line of its start, from 0; `None` if it is the whole file.
    pub line: Option<usize>,
    /// The problems over all cases.
    pub problems: ProblemCounts,
    /// The maximum number of tokens over all cases; `None` if it is sent in none.
    pub tokens: Option<usize>,
    /// The cases in which it is sent; empty without any inputs.
    pub cases: Vec<TreeCase>,
}

/// A case of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeCase {
    /// The name of the case.
    pub name: String,
    /// The path of its inputs file.
    pub inputs: PathBuf,
    /// The problems in this case.
    pub problems: ProblemCounts,
    /// The number of tokens of the sent text.
    pub tokens: usize,
}

/// An entry of a folder.
#[derive(Clone, Debug)]
pub enum TreeEntry {
    /// A folder with prompts in it or below. It may be several levels down: a chain of folders
    /// without other content is one entry.
    Folder(PathBuf, ProblemCounts),
    /// A file of prompts, by its path.
    File(PathBuf, TreeFile),
}

/// The changes since the last request.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TreeNews {
    /// `true` if prompts were added or removed, or their problems changed: then folders may differ.
    pub are_folders_old: bool,
    /// The files that may have changed.
    pub files: BTreeSet<PathBuf>,
}

impl PromptTree {
    /// Sets the current problems of a file.
    pub fn set(&mut self, path: PathBuf, problems: ProblemCounts) {
        let file = TreeFile { problems, prompts: Arc::default() };
        let last = self.files.insert(path.clone(), file);
        match last.is_some_and(|last| last.problems == problems) {
            true => drop(self.news.files.insert(path)),
            false => self.news.are_folders_old = true,
        }
    }

    /// Removes a file that holds no prompts any more.
    pub fn forget(&mut self, path: &Path) {
        self.news.are_folders_old |= self.files.remove(path).is_some();
    }

    /// Returns the changes, and resets them.
    pub fn take_news(&mut self) -> TreeNews {
        std::mem::take(&mut self.news)
    }

    /// A file of prompts; `None` if it is not in the tree.
    pub fn file(&self, path: &Path) -> Option<TreeFile> {
        self.files.get(path).cloned()
    }

    /// The problems in a folder and below; `None` if it has no prompts.
    ///
    /// Cost: all files in the tree below the folder.
    pub fn problems_below(&self, folder: &Path) -> Option<ProblemCounts> {
        let mut all = None;
        for (_, file) in self.below(folder) {
            all.get_or_insert_with(ProblemCounts::default).add(file.problems);
        }
        all
    }

    /// The entries of a folder: folders first, each sorted by name.
    ///
    /// Cost: as for [`PromptTree::problems_below`].
    pub fn entries(&self, folder: &Path) -> Vec<TreeEntry> {
        let mut folders: Vec<(PathBuf, ProblemCounts)> = Vec::new();
        let mut files = Vec::new();
        let depth = folder.components().count();
        for (path, file) in self.below(folder) {
            let Some(inside) = path.parent() else { continue };
            let Some(next) = inside.components().nth(depth) else {
                files.push(TreeEntry::File(path.clone(), file.clone()));
                continue;
            };
            match folders.last_mut().filter(|(last, _)| last.components().nth(depth) == Some(next))
            {
                Some((last, problems)) => {
                    let common = last.components().zip(inside.components());
                    *last = common.take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
                    problems.add(file.problems);
                }
                None => folders.push((inside.to_owned(), file.problems)),
            }
        }
        let folders = folders.into_iter().map(|(path, problems)| TreeEntry::Folder(path, problems));
        folders.chain(files).collect()
    }

    fn below(&self, folder: &Path) -> impl Iterator<Item = (&PathBuf, &TreeFile)> {
        let folder = folder.to_owned();
        let all = self.files.range(folder.clone()..);
        all.take_while(move |(path, _)| path.starts_with(&folder))
    }
}

impl TreeFile {
    /// Its prompts; empty if the file cannot be read.
    ///
    /// Cost: for the first request after a change, a check of the file in each case, and its
    /// tokens.
    pub fn prompts(&self, path: &Path, project: Project<'_>) -> &[TreePrompt] {
        let look = || project.read(path).map(|file| TreePrompt::all(&file)).unwrap_or_default();
        self.prompts.get_or_init(look)
    }

    /// Computes the prompts of many files, in as many threads as there are cores.
    pub fn look_at_all(files: &[(PathBuf, TreeFile)], project: Project<'_>) {
        in_parallel(files, |(path, file)| {
            file.prompts(path, project);
        });
    }
}

impl TreePrompt {
    /// The prompts of a file, except foreign ones.
    fn all(file: &PromptFile) -> Box<[TreePrompt]> {
        let prompts = file.prompts.iter().enumerate();
        let ours = prompts.filter(|(_, prompt)| prompt.snapshot.foreign.is_none());
        ours.map(|(index, prompt)| TreePrompt::of(file, index, prompt)).collect()
    }

    fn of(file: &PromptFile, index: usize, prompt: &Prompt) -> TreePrompt {
        let problems =
            |scope| ProblemCounts::of(&file.problems_of(index, scope, DEFAULT_MAX_PROBLEMS));
        let snapshot = &prompt.snapshot;
        let tokens = token_counts(snapshot, snapshot.settings.encoding);
        let sent: Vec<Option<usize>> = file.cases_sent(prompt).collect();
        let cases = sent.iter().flatten().map(|&case| TreeCase {
            name: snapshot.cases[case].name.to_string(),
            inputs: file.files[snapshot.cases[case].inputs.file.0 as usize].clone(),
            problems: problems(Scope::OneCase(Some(case))),
            tokens: tokens[case],
        });
        let text = file.text(file.file).filter(|_| prompt.name.is_some());
        let before = text.as_deref().and_then(|text| text.get(..prompt.entry.start));
        TreePrompt {
            name: prompt.name.as_deref().map(str::to_owned),
            line: before.map(line_breaks),
            problems: problems(Scope::AllCases),
            tokens: sent.iter().map(|case| tokens[case.unwrap_or(0)]).max(),
            cases: cases.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> PromptTree {
        let mut tree = PromptTree::default();
        for file in files {
            tree.set(PathBuf::from(file), ProblemCounts { errors: 1, warnings: 0 });
        }
        tree
    }

    #[track_caller]
    fn check(files: &[&str], folder: &str, expected: &[&str]) {
        let words = |entry: &TreeEntry| match entry {
            TreeEntry::Folder(path, problems) => format!("{}/ {}", path.display(), problems.errors),
            TreeEntry::File(path, file) => format!("{} {}", path.display(), file.problems.errors),
        };
        let entries = tree(files).entries(Path::new(folder));
        assert_eq!(entries.iter().map(words).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn folders_are_first_and_have_totals() {
        check(
            &["/w/b", "/w/a", "/w/c/e", "/w/c/d/f", "/x/a"],
            "/w",
            &["/w/c/ 2", "/w/a 1", "/w/b 1"],
        );
        check(&["/w/c/e", "/w/c-d/f"], "/w", &["/w/c/ 1", "/w/c-d/ 1"]);
        check(&["/w/a"], "/none", &[]);
    }

    #[test]
    fn folders_that_contain_only_a_folder_are_merged() {
        check(&["/w/src/main/a", "/w/src/main/b/c"], "/w", &["/w/src/main/ 2"]);
        check(&["/w/src/a/b", "/w/src/c/d"], "/w", &["/w/src/ 2"]);
        check(&["/w/src/a/b", "/w/src/c/d"], "/w/src", &["/w/src/a/ 1", "/w/src/c/ 1"]);
    }

    #[test]
    fn a_folder_is_outdated_only_if_its_totals_are() {
        let mut tree = tree(&["/w/a", "/w/b"]);
        assert!(tree.take_news().are_folders_old);
        let one = ProblemCounts { errors: 1, warnings: 0 };
        tree.set("/w/a".into(), one);
        let only_a = TreeNews { are_folders_old: false, files: ["/w/a".into()].into() };
        assert_eq!(tree.take_news(), only_a);
        tree.set("/w/a".into(), ProblemCounts::default());
        assert!(tree.take_news().are_folders_old);
        tree.forget(Path::new("/w/c"));
        assert_eq!(tree.take_news(), TreeNews::default());
        tree.forget(Path::new("/w/a"));
        assert!(tree.take_news().are_folders_old);
    }
}
