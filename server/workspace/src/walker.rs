//! Walking through folders as ripgrep does: without what git ignores, and without following links.
//!
//! What says what git ignores is a file of a stranger, too, and the walk would wait for one that is
//! a pipe. A folder with such a file is left out.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder};

use super::read_error::ReadError;
use super::regular_file::{self, max_file_bytes};

/// The files that say what git ignores.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];

/// The folders that were left out, and why.
#[derive(Clone, Debug, Default)]
pub struct LeftOut(Arc<Mutex<Vec<ReadError>>>);

impl LeftOut {
    /// Whether a folder may be walked through; one that may not is noted.
    fn permits(&self, folder: &Path) -> bool {
        let check = |name: &&str| regular_file::check(&folder.join(name), max_file_bytes());
        let unfit = IGNORE_FILES.iter().filter_map(|name| check(name).err()).find(|error| {
            // One that is not there, or is for others alone, ignores nothing.
            matches!(error, ReadError::NoFile { .. } | ReadError::TooLarge { .. })
        });
        let permits = unfit.is_none();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(unfit);
        permits
    }

    /// Why they were left out, for people.
    pub fn reasons(&self) -> Vec<String> {
        let unfit = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        unfit
            .iter()
            .map(|error| format!("{error}; nothing beside and below it is looked at"))
            .collect()
    }
}

/// Whether git can be asked what it ignores in a folder: it would wait as well.
pub fn can_ask_git(folder: &Path) -> bool {
    folder.ancestors().all(|above| LeftOut::default().permits(above))
}

/// A walk through some folders, which are absolute; `None` if nothing is left of them.
pub fn walker(folders: &[&Path], left_out: &LeftOut) -> Option<WalkBuilder> {
    walker_to(folders, None, left_out)
}

/// The same for what is at or below some places, sorted, and on the way there; `None` for all.
pub fn walker_to(
    folders: &[&Path],
    places: Option<Vec<PathBuf>>,
    left_out: &LeftOut,
) -> Option<WalkBuilder> {
    // What is ignored in a folder is said in those above it, too.
    let permits = |folder: &&&Path| folder.ancestors().all(|above| left_out.permits(above));
    let mut folders = folders.iter().filter(permits);
    let mut builder = WalkBuilder::new(folders.next()?);
    for folder in folders {
        builder.add(folder);
    }
    let left_out = left_out.clone();
    let is_wanted = move |path: &Path| places.as_ref().is_none_or(|it| leads_to(path, it));
    builder.filter_entry(move |entry| {
        is_wanted(entry.path()) && (!is_folder(entry) || left_out.permits(entry.path()))
    });
    Some(builder)
}

/// Whether a path is on the way to one of some places, at it or below it; these are sorted.
fn leads_to(path: &Path, places: &[PathBuf]) -> bool {
    let next = places.partition_point(|place| place.as_path() < path);
    let is_on_the_way = places.get(next).is_some_and(|place| place.starts_with(path));
    is_on_the_way || path.ancestors().any(|it| places.binary_search_by(|at| (**at).cmp(it)).is_ok())
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}
