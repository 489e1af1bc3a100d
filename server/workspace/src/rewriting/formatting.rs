//! Formatting of prompts and their sidecars. Editors and the command use this module.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use promptls_analysis::format_prompt;
use promptls_resolver::FileId;

use super::Rewritten;
use super::layout::{Indentation, Layout};
use crate::check::{FileProblems, unread_file};
use crate::in_parallel::in_parallel;
use crate::project::Project;
use crate::prompt_file::PromptFile;
use crate::read_error::ReadError;
use crate::readers::writing::{Replacement, replaced};

/// The changes that format the prompts of a file, in order; see [`format_prompt`]. The layout of a
/// file that holds prompts in strings is not changed.
///
/// Cost: resolving every case of every prompt twice.
pub fn format_file(file: &PromptFile) -> Vec<Replacement> {
    if file.is_broken {
        return Vec::new();
    }
    // Code is formatted by other tools, including its strings.
    let written = file
        .prompts
        .iter()
        .filter(|prompt| prompt.is_written_here() && !prompt.snapshot.is_in_program());
    let changes = written.filter_map(|prompt| {
        file.replacements_in_file(prompt, &format_prompt(&prompt.snapshot)).ok()?
    });
    changes.flatten().collect()
}

/// The result of formatting files.
#[derive(Debug, Default)]
pub struct FormattedFiles {
    /// The files that change, by path; all others are omitted.
    pub rewritten: BTreeMap<PathBuf, Rewritten>,
    /// The errors of files that could not be read completely.
    pub unread: Vec<FileProblems>,
    /// Files of other tools, which are skipped.
    pub foreign: Vec<PathBuf>,
}

/// Formats files. A file keeps its style of indentation.
///
/// Cost: the files, and the sidecars of prompts among them, in as many threads as there are cores.
pub fn format_files(project: Project<'_>, paths: &[PathBuf]) -> FormattedFiles {
    let mut formatted = FormattedFiles::default();
    let found = in_parallel(paths, |path| {
        format_one(project, path).unwrap_or_else(|error| FormattedFile {
            unread: vec![unread_file(path, &error)],
            ..FormattedFile::default()
        })
    });
    let named: HashSet<&PathBuf> = match found.iter().all(|found| found.sidecars.is_empty()) {
        true => HashSet::new(),
        false => paths.iter().collect(),
    };
    for (path, found) in paths.iter().zip(found) {
        let FormattedFile { file, unread, sidecars, is_foreign } = found;
        if let Some(file) = file.filter(|file| file.before != file.after) {
            formatted.rewritten.insert(path.clone(), file);
        }
        formatted.unread.extend(unread.into_iter().filter(|file| !file.problems.is_empty()));
        // A sidecar that is formatted itself has its own error.
        let is_named = |error: &FileProblems| error.path != *path && named.contains(&error.path);
        formatted.unread.extend(sidecars.into_iter().filter(|error| !is_named(error)));
        formatted.foreign.extend(is_foreign.then(|| path.clone()));
    }
    formatted
}

#[derive(Default)]
struct FormattedFile {
    file: Option<Rewritten>,
    unread: Vec<FileProblems>,
    /// The errors of the sidecars of its prompts.
    sidecars: Vec<FileProblems>,
    is_foreign: bool,
}

fn format_one(project: Project<'_>, path: &Path) -> Result<FormattedFile, ReadError> {
    let before = project.files.read(path)?;
    let mut sidecars = Vec::new();
    let (changes, problems, is_foreign) = match Layout::of(path) {
        Some(layout) => {
            let changes = layout.changes(&before, Indentation::of(&before));
            (changes, layout.errors(&before), false)
        }
        None => {
            let file = project.read(path)?;
            let is_foreign = !file.prompts.is_empty() && file.own_prompts().next().is_none();
            let mut unread = file.unread();
            unread.iter_mut().for_each(|problem| problem.location.file = FileId::PROMPT);
            sidecars = unread_sidecars(&file);
            (format_file(&file), unread, is_foreign)
        }
    };
    let after = replaced(&before, &changes).into();
    let unread = FileProblems { path: path.to_owned(), text: Some(before.clone()), problems };
    let unread = vec![unread];
    Ok(FormattedFile { file: Some(Rewritten { before, after }), unread, sidecars, is_foreign })
}

/// The errors of the sidecars that could not be read, each in the file of its range.
fn unread_sidecars(file: &PromptFile) -> Vec<FileProblems> {
    let unread = file.unread_sidecars().iter();
    let problems = unread.filter_map(|(_, why)| {
        let path = file.path_of(why.location.file)?.clone();
        let text = file.text(why.location.file);
        let mut problem = why.clone();
        problem.location.file = FileId::PROMPT;
        Some(FileProblems { path, text, problems: vec![problem] })
    });
    problems.collect()
}
