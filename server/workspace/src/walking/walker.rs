//! Directory walks as in ripgrep: without files ignored by git or `.promptlsignore`, and without
//! following links.
//!
//! Ignore files may come from a third party, and the walk would block on one that is a pipe. A
//! folder with such a file is left out.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::file_globs::FileGlobs;
use crate::files::regular_file::{self, max_file_bytes};
use crate::read_error::ReadError;

/// The ignore file of this project, with the syntax of `.gitignore`.
const OWN_IGNORE_FILE: &str = ".promptlsignore";

/// The names of ignore files.
pub const IGNORE_FILES: [&str; 4] = [".gitignore", ".ignore", ".git/info/exclude", OWN_IGNORE_FILE];

/// The options of a walk.
#[derive(Clone, Debug, Default)]
pub struct Walking {
    /// Includes hidden files and folders.
    pub hidden: bool,
    /// Includes files that git or an ignore file excludes.
    pub ignored: bool,
    /// Excludes these files and folders.
    pub excluded: Option<FileGlobs>,
    /// Includes only files at or below these paths, sorted.
    pub places: Option<Vec<PathBuf>>,
}

impl Walking {
    /// `true` if a file or folder is walked through, unless it is left out for other reasons.
    fn includes(&self, path: &Path, is_folder: bool) -> bool {
        let is_included = |places: &Vec<PathBuf>| leads_to(path, places);
        self.places.as_ref().is_none_or(is_included) && !self.excludes(path, is_folder)
    }

    /// `true` if a file or folder is excluded by name.
    pub fn excludes(&self, path: &Path, is_folder: bool) -> bool {
        self.excluded.as_ref().is_some_and(|excluded| excluded.mean(path, is_folder))
    }
}

/// The folders that were left out, with reasons.
#[derive(Clone, Debug, Default)]
pub struct LeftOut(Arc<Mutex<Vec<ReadError>>>);

impl LeftOut {
    /// `true` if a folder may be walked through; otherwise records it.
    fn permits(&self, folder: &Path) -> bool {
        let check = |name: &&str| regular_file::check(&folder.join(name), max_file_bytes());
        let unfit = IGNORE_FILES.iter().filter_map(|name| check(name).err()).find(|error| {
            // A missing or inaccessible ignore file ignores nothing.
            matches!(error, ReadError::NoFile { .. } | ReadError::TooLarge { .. })
        });
        let permits = unfit.is_none();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(unfit);
        permits
    }

    /// The reasons why they were left out, as messages.
    pub fn reasons(&self) -> Vec<String> {
        let unfit = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        unfit
            .iter()
            .map(|error| format!("{error}; the files next to it and below it are skipped"))
            .collect()
    }
}

/// `true` if git can list what it ignores in a folder: it would block on a pipe as well.
pub fn can_run_git(folder: &Path) -> bool {
    folder.ancestors().all(|above| LeftOut::default().permits(above))
}

/// Walks through some folders, which are absolute; nested ones are walked once. A nested folder
/// that the outer walk leaves out gets its own walk.
pub fn walk_through(
    folders: &[&Path],
    walking: &Walking,
    left_out: &LeftOut,
    mut walk: impl FnMut(WalkBuilder),
) {
    let mut left: BTreeSet<&Path> = folders.iter().copied().collect();
    while !left.is_empty() {
        let starts = outermost(left.iter().copied());
        starts.iter().for_each(|start| _ = left.remove(start));
        let inside = Inside::new(left.iter().copied());
        walker_with(&starts, walking, left_out, inside.clone()).into_iter().for_each(&mut walk);
        let seen = inside.seen.lock().unwrap_or_else(PoisonError::into_inner);
        left.retain(|folder| !seen.contains(*folder));
    }
}

/// The folders that are in none of the others. They must be sorted.
pub fn outermost<'p>(folders: impl IntoIterator<Item = &'p Path>) -> Vec<&'p Path> {
    let mut outermost: Vec<&Path> = Vec::new();
    for folder in folders {
        // The entries of a folder directly follow it in sorted order.
        if !outermost.last().is_some_and(|last| folder.starts_with(last)) {
            outermost.push(folder);
        }
    }
    outermost
}

/// Some folders, and which of them a walk has reached.
#[derive(Clone, Debug, Default)]
struct Inside {
    all: Arc<HashSet<PathBuf>>,
    seen: Arc<Mutex<HashSet<PathBuf>>>,
}

impl Inside {
    fn new<'p>(folders: impl IntoIterator<Item = &'p Path>) -> Inside {
        let all: HashSet<PathBuf> = folders.into_iter().map(Path::to_owned).collect();
        Inside { all: all.into(), seen: Arc::default() }
    }

    fn note(&self, folder: &Path) {
        if self.all.contains(folder) {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.insert(folder.to_owned());
        }
    }
}

/// A walk through a folder, which is absolute; `None` if it is left out.
pub fn walker(folder: &Path, walking: &Walking, left_out: &LeftOut) -> Option<WalkBuilder> {
    walker_with(&[folder], walking, left_out, Inside::default())
}

fn walker_with(
    folders: &[&Path],
    walking: &Walking,
    left_out: &LeftOut,
    inside: Inside,
) -> Option<WalkBuilder> {
    // The ignore files of parent folders apply as well.
    let mut known: HashMap<OsString, bool> = HashMap::new();
    let mut permits =
        |above: &Path| *known.entry(above.into()).or_insert_with(|| left_out.permits(above));
    let mut folders = folders.iter().filter(|folder| folder.ancestors().all(&mut permits));
    let mut builder = WalkBuilder::new(folders.next()?);
    for folder in folders {
        builder.add(folder);
    }
    if walking.ignored {
        builder.parents(false).ignore(false).git_ignore(false).git_global(false);
        builder.git_exclude(false);
    } else {
        builder.add_custom_ignore_filename(OWN_IGNORE_FILE);
    }
    builder.hidden(!walking.hidden);
    let (walking, left_out) = (walking.clone(), left_out.clone());
    builder.filter_entry(move |entry| {
        let is_folder = is_folder(entry);
        // Git's own folder is skipped even if hidden files are included.
        if is_folder && (entry.file_name() == ".git" || !left_out.permits(entry.path())) {
            return false;
        }
        let is_included = walking.includes(entry.path(), is_folder);
        if is_folder && is_included && !inside.all.is_empty() {
            inside.note(entry.path());
        }
        is_included
    });
    Some(builder)
}

/// `true` if a path is an ancestor of one of some sorted places, or at or below it.
fn leads_to(path: &Path, places: &[PathBuf]) -> bool {
    let next = places.partition_point(|place| place.as_path() < path);
    let is_on_the_way = places.get(next).is_some_and(|place| place.starts_with(path));
    is_on_the_way || path.ancestors().any(|it| places.binary_search_by(|at| (**at).cmp(it)).is_ok())
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

/// A file found by a walk.
#[derive(Debug)]
pub struct WalkedFile {
    /// The path of the file, below the walked folder.
    pub path: PathBuf,
    /// `true` if its folder lists it as a regular file. Otherwise it may be anything but a folder.
    pub is_regular: bool,
}

/// Calls `look` for each file below a folder, in no order, from several threads at once. Links to
/// files count as files.
pub fn each_file(folder: &Path, walking: &Walking, look: &(dyn Fn(WalkedFile) + Sync)) {
    let Some(walker) = walker(folder, walking, &LeftOut::default()) else { return };
    let listed = |entry: DirEntry| {
        let kind = entry.file_type().filter(|kind| !kind.is_symlink());
        let is_folder = kind.map_or_else(|| entry.path().is_dir(), |kind| kind.is_dir());
        let is_regular = kind.is_some_and(|kind| kind.is_file());
        (!is_folder).then(|| WalkedFile { path: entry.into_path(), is_regular })
    };
    walker.build_parallel().run(|| {
        Box::new(|entry| {
            if let Some(file) = entry.ok().and_then(listed) {
                look(file);
            }
            WalkState::Continue
        })
    });
}

/// All folders that are walked through.
pub fn folders_below(folders: &[&Path], walking: &Walking) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk_through(folders, walking, &LeftOut::default(), |walker| {
        let below = walker.build().flatten().filter(is_folder);
        found.extend(below.map(DirEntry::into_path));
    });
    found
}
