//! The normal form of prompts and of what belongs to them. Editors and the command ask here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use promptls_analysis::format_prompt;
use promptls_resolver::FileId;

use super::Rewritten;
use super::layout::{Indentation, Layout};
use crate::check::{Check, FileProblems, unread_file};
use crate::in_parallel::in_parallel;
use crate::prompt_file::PromptFile;
use crate::read_error::ReadError;
use crate::readers::writing::{Replacement, replaced};

/// The changes that bring the prompts of a file into their normal form, in order; see
/// [`format_prompt`]. How a file that holds prompts in strings is laid out is not ours.
///
/// Cost: resolving every case of every prompt twice.
pub fn format_file(file: &PromptFile) -> Vec<Replacement> {
    if file.is_broken {
        return Vec::new();
    }
    // Code is formatted by others, its strings too.
    let written = file
        .prompts
        .iter()
        .filter(|prompt| prompt.is_written_here() && prompt.snapshot.host.is_none());
    let changes = written.filter_map(|prompt| {
        file.replacements_in_file(prompt, &format_prompt(&prompt.snapshot)).ok()?
    });
    changes.flatten().collect()
}

/// What files become in their normal form, and why some do not get one.
#[derive(Debug, Default)]
pub struct FormattedFiles {
    /// Those that are not in it yet.
    pub rewritten: BTreeMap<PathBuf, Rewritten>,
    /// The errors of those that cannot be read, or not all of them.
    pub unread: Vec<FileProblems>,
    /// Files of other tools.
    pub foreign: Vec<PathBuf>,
}

/// Formats files. A file is indented as it already is.
///
/// Cost: the files, and what belongs to prompts among them, in as many threads as there are cores.
pub fn format_files(check: Check<'_>, paths: &[PathBuf]) -> FormattedFiles {
    let mut formatted = FormattedFiles::default();
    let found = in_parallel(paths, |path| {
        format_one(check, path).unwrap_or_else(|error| FormattedFile {
            unread: vec![unread_file(path, &error)],
            ..FormattedFile::default()
        })
    });
    for (path, found) in paths.iter().zip(found) {
        let FormattedFile { file, unread, is_foreign } = found;
        if let Some(file) = file.filter(|file| file.before != file.after) {
            formatted.rewritten.insert(path.clone(), file);
        }
        formatted.unread.extend(unread.into_iter().filter(|file| !file.problems.is_empty()));
        formatted.foreign.extend(is_foreign.then(|| path.clone()));
    }
    formatted
}

#[derive(Default)]
struct FormattedFile {
    file: Option<Rewritten>,
    unread: Vec<FileProblems>,
    is_foreign: bool,
}

fn format_one(check: Check<'_>, path: &Path) -> Result<FormattedFile, ReadError> {
    let before = check.files.read(path)?;
    let (changes, problems, is_foreign) = match Layout::of(path) {
        Some(layout) => {
            let changes = layout.changes(&before, Indentation::of(&before));
            (changes, layout.errors(&before), false)
        }
        None => {
            let file = check.read(path)?;
            let is_foreign = !file.prompts.is_empty() && file.own_prompts().next().is_none();
            let mut unread = file.unread();
            unread.iter_mut().for_each(|problem| problem.location.file = FileId::PROMPT);
            (format_file(&file), unread, is_foreign)
        }
    };
    let after = replaced(&before, &changes).into();
    let unread = FileProblems { path: path.to_owned(), text: Some(before.clone()), problems };
    Ok(FormattedFile { file: Some(Rewritten { before, after }), unread: vec![unread], is_foreign })
}
