//! The normal form of prompts and of what belongs to them. Editors and the command ask here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use promptls_analysis::format_prompt;

use super::Rewritten;
use super::layout::{Indentation, Layout};
use crate::check::Check;
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

/// What files become in their normal form, without those that are in it, and which cannot be read.
///
/// A file is indented as it already is. Cost: the files, and what belongs to prompts among them, in
/// as many threads as there are cores.
pub fn format_files(
    check: Check<'_>,
    paths: &[PathBuf],
) -> (BTreeMap<PathBuf, Rewritten>, Vec<(PathBuf, ReadError)>) {
    let (mut rewritten, mut failures) = (BTreeMap::new(), Vec::new());
    let found = in_parallel(paths, |path| formatted(check, path));
    for (path, found) in paths.iter().zip(found) {
        match found {
            Ok(file) if file.before == file.after => {}
            Ok(file) => drop(rewritten.insert(path.clone(), file)),
            Err(error) => failures.push((path.clone(), error)),
        }
    }
    (rewritten, failures)
}

fn formatted(check: Check<'_>, path: &Path) -> Result<Rewritten, ReadError> {
    let before = check.files.read(path)?;
    let changes = match Layout::of(path) {
        Some(layout) => layout.changes(&before, Indentation::of(&before)),
        None => format_file(&check.read(path)?),
    };
    let after = replaced(&before, &changes).into();
    Ok(Rewritten { before, after })
}
