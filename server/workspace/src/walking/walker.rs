//! Walking through folders as ripgrep does: without what git ignores, or `.promptlsignore`, and
//! without following links.
//!
//! What says what git ignores is a file of a stranger, too, and the walk would wait for one that is
//! a pipe. A folder with such a file is left out.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::file_globs::FileGlobs;
use crate::files::regular_file::{self, max_file_bytes};
use crate::read_error::ReadError;

/// What a project says of files that are none of ours, as `.gitignore` does of git.
const OWN_IGNORE_FILE: &str = ".promptlsignore";

/// The files that say what is ignored.
pub const IGNORE_FILES: [&str; 4] = [".gitignore", ".ignore", ".git/info/exclude", OWN_IGNORE_FILE];

/// What somebody wants of a walk.
#[derive(Clone, Debug, Default)]
pub struct Walking {
    /// Also through hidden files and folders.
    pub hidden: bool,
    /// Also through what is ignored.
    pub ignored: bool,
    /// Not through these.
    pub excluded: Option<FileGlobs>,
    /// Only through what is at or below these, sorted, and on the way there.
    pub places: Option<Vec<PathBuf>>,
}

impl Walking {
    /// Whether a file or folder is walked through, unless something else leaves it out.
    fn wants(&self, path: &Path, is_folder: bool) -> bool {
        let is_wanted = |places: &Vec<PathBuf>| leads_to(path, places);
        self.places.as_ref().is_none_or(is_wanted) && !self.excludes(path, is_folder)
    }

    /// Whether a file or folder is excluded by name.
    pub fn excludes(&self, path: &Path, is_folder: bool) -> bool {
        self.excluded.as_ref().is_some_and(|excluded| excluded.mean(path, is_folder))
    }
}

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

/// Walks through some folders, which are absolute, with those inside others once. Where one is left
/// out of the walk around it, there is another walk.
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

/// The folders that are in none of the others. They are sorted.
pub fn outermost<'p>(folders: impl IntoIterator<Item = &'p Path>) -> Vec<&'p Path> {
    let mut outermost: Vec<&Path> = Vec::new();
    for folder in folders {
        // All that is in a folder stands behind it in a row.
        if !outermost.last().is_some_and(|last| folder.starts_with(last)) {
            outermost.push(folder);
        }
    }
    outermost
}

/// Some folders, and which of them a walk has come to.
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
    // What is ignored in a folder is said in those above it, too.
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
        // What git keeps for itself is hidden from those who look at hidden files, too.
        if is_folder && (entry.file_name() == ".git" || !left_out.permits(entry.path())) {
            return false;
        }
        let is_wanted = walking.wants(entry.path(), is_folder);
        if is_folder && is_wanted && !inside.all.is_empty() {
            inside.note(entry.path());
        }
        is_wanted
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

/// A file that a walk has come upon.
#[derive(Debug)]
pub struct Listed {
    /// The file.
    pub path: PathBuf,
    /// Whether its folder says that it is a regular file. If not, it may be anything but a folder.
    pub is_regular: bool,
}

/// Looks at each file below a folder, in no order, from several threads at once. Links to files are
/// files, too.
pub fn each_file(folder: &Path, walking: &Walking, look: &(dyn Fn(Listed) + Sync)) {
    let Some(walker) = walker(folder, walking, &LeftOut::default()) else { return };
    let listed = |entry: DirEntry| {
        let kind = entry.file_type().filter(|kind| !kind.is_symlink());
        let is_folder = kind.map_or_else(|| entry.path().is_dir(), |kind| kind.is_dir());
        let is_regular = kind.is_some_and(|kind| kind.is_file());
        (!is_folder).then(|| Listed { path: entry.into_path(), is_regular })
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
