//! Reading of files, from disk or from an open editor.
//!
//! Prompts, sidecars, configs and `$file` texts are read only through [`Files`]: direct access to
//! the disk would miss unsaved editor text and commits. Writing, sockets and git's own folder are
//! out of scope. A test in `tests/tests/structure` lists which other modules may access the disk,
//! and why.

pub mod address;
pub mod chosen;
pub mod globs;
pub mod paths;
pub mod regular_file;
pub mod sources;
pub mod with_texts;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use dashmap::DashMap;
use promptls_hosts::Demand;

use self::globs::{by_name, expand};
use self::regular_file::max_file_bytes;
use super::config::CONFIG_NAME;
use super::hosts::app_names::AppNames;
use super::in_parallel::in_parallel;
use super::read_error::ReadError;
use super::sidecars::naming::{is_inputs_file, is_variables_file};
use super::walking::walker::{Listed, Walking, each_file};

/// The source of texts.
///
/// Paths are absolute. Any other path is the address of a virtual document, which is in no folder
/// of this machine. Only implementations for an editor that has it open can read it.
pub trait Files: Sync {
    /// The text of a file.
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError>;

    /// The same for a file that many prompts share; short-lived implementations cache it.
    fn read_shared(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read(path)
    }

    /// The same for a file that the user named for this one call: it may be a pipe.
    fn read_named(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read(path)
    }

    /// The names of the files in a folder, sorted; empty if it cannot be read. A folder that is
    /// named like a config or a sidecar is included: reading it returns the reason why it cannot be
    /// one.
    fn list(&self, folder: &Path) -> Arc<[String]>;

    /// `true` if a file or a folder exists at a path.
    fn is_there(&self, path: &Path) -> bool;

    /// `true` if a path is a link, even a dangling one.
    fn is_link(&self, path: &Path) -> bool;

    /// The path with all links resolved; `None` if nothing exists there.
    fn without_links(&self, path: &Path) -> Option<PathBuf>;

    /// The prompts of a code file that other files use, as far as known; `None` if this is not
    /// tracked.
    fn uses(&self, _path: &Path) -> Option<Arc<[Demand]>> {
        None
    }

    /// The names in the code of the application around a file; `None` while they are not known, and
    /// if they are not tracked.
    fn app(&self, _path: &Path) -> Option<Arc<AppNames>> {
        None
    }

    /// `true` if a code file holds prompts, from an earlier look, so that it need not be read
    /// again; `None` if not known.
    fn holds_prompts(&self, _path: &Path) -> Option<bool> {
        None
    }

    /// All files below a folder, except those that git ignores.
    fn walk(&self, folder: &Path) -> Vec<PathBuf> {
        self.walk_to(folder, None)
    }

    /// The files of [`Files::walk`] at or below some places, sorted; all files if `places` is
    /// `None`.
    fn walk_to(&self, folder: &Path, places: Option<Vec<PathBuf>>) -> Vec<PathBuf> {
        let walking = Walking { places, ..Walking::default() };
        let found = Mutex::new(Vec::new());
        each_file(folder, &walking, &|file| {
            found.lock().unwrap_or_else(PoisonError::into_inner).push(file.path);
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that all prompts below some folders are searched for, so that facts about code can be
    /// shared by all of them.
    fn note_searched(&self, _folders: &[PathBuf]) {}

    /// Calls `look` for each file of [`Files::walk`], in no order: from several threads at once
    /// and, where possible, during the walk.
    fn walk_looking(&self, folder: &Path, look: &(dyn Fn(Listed) + Sync)) {
        let listed = |path: &PathBuf| Listed { path: path.clone(), is_regular: false };
        in_parallel(&self.walk(folder), |path| look(listed(path)));
    }

    /// Like [`Files::read`] for a file that a walk has just found. Fails if it has more than `most`
    /// bytes on disk.
    fn read_listed(&self, file: &Listed, _most: u64) -> Result<Arc<str>, ReadError> {
        self.read(&file.path)
    }

    /// The files that a glob relative to a folder matches, sorted.
    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        expand(self, folder, glob, |start| by_name(self.walk(start))).into()
    }
}

/// The remaining text of an open reader; `path` is its name in errors.
pub fn read_text(source: impl io::Read, path: &Path) -> Result<String, ReadError> {
    text(regular_file::read_all(source, 0, path, max_file_bytes())?, path)
}

/// The text of some bytes; `path` is their name in errors.
pub fn text(bytes: Vec<u8>, path: &Path) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[offset];
        let readable = readable(error.as_bytes()).into();
        ReadError::NotUtf8 { path: path.to_owned(), byte, offset, readable }
    })
}

/// The text of a file, decoded lossily: as UTF-16 if it has a byte order mark, else as UTF-8.
fn readable(bytes: &[u8]) -> String {
    /// The maximum number of bytes to decode. No file with prompts is longer.
    const MAX_BYTES: usize = 2 << 20;
    let bytes = &bytes[..bytes.len().min(MAX_BYTES)];
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        let (units, _) = bytes.as_chunks::<2>();
        String::from_utf16_lossy(&units.iter().skip(1).copied().map(unit).collect::<Vec<_>>())
    };
    match bytes {
        [0xff, 0xfe, ..] => utf16(u16::from_le_bytes),
        [0xfe, 0xff, ..] => utf16(u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Files on disk, without any cache.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

/// Metadata of a file or folder on disk. It differs after the file was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// The length in bytes, as the system reports it.
    pub len: u64,
    /// The time of the last write, if the system provides it.
    pub modified: Option<SystemTime>,
    /// `true` for a folder or a link to one.
    pub is_folder: bool,
}

impl Disk {
    /// The metadata of a file or folder.
    pub fn stamp(&self, path: &Path) -> Result<Stamp, ReadError> {
        let metadata = path.metadata().map_err(|source| ReadError::io(path, source))?;
        let modified = metadata.modified().ok();
        Ok(Stamp { len: metadata.len(), modified, is_folder: metadata.is_dir() })
    }

    /// Like [`Files::read`] for a file up to a size; a larger one is not read.
    pub fn read_at_most(&self, path: &Path, bytes: u64) -> Result<Arc<str>, ReadError> {
        text(regular_file::read(path, bytes)?, path).map(Arc::from)
    }

    /// `true` if a path is a folder.
    pub fn is_folder(&self, path: &Path) -> bool {
        self.stamp(path).is_ok_and(|stamp| stamp.is_folder)
    }
}

/// `true` if a folder of this name stands in place of a config or a sidecar: Docker creates one for
/// a bind mount whose file does not exist.
fn stands_for_a_file(name: &str) -> bool {
    name == CONFIG_NAME || is_inputs_file(name) || is_variables_file(name)
}

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read_at_most(path, max_file_bytes())
    }

    fn read_named(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        text(regular_file::read_any(path, max_file_bytes())?, path).map(Arc::from)
    }

    fn list(&self, folder: &Path) -> Arc<[String]> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Arc::default() };
        let mut names: Vec<String> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let name = entry.file_name().into_string();
                let name = name.unwrap_or_else(|name| name.to_string_lossy().into_owned());
                (!is_folder || stands_for_a_file(&name)).then_some(name)
            })
            .collect();
        names.sort_unstable();
        names.into()
    }

    fn is_there(&self, path: &Path) -> bool {
        path.exists()
    }

    fn is_link(&self, path: &Path) -> bool {
        path.is_symlink()
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn walk_looking(&self, folder: &Path, look: &(dyn Fn(Listed) + Sync)) {
        each_file(folder, &Walking::default(), look);
    }

    fn read_listed(&self, file: &Listed, most: u64) -> Result<Arc<str>, ReadError> {
        let most = most.min(max_file_bytes());
        if !file.is_regular {
            return self.read_at_most(&file.path, most);
        }
        text(regular_file::read_listed(&file.path, most)?, &file.path).map(Arc::from)
    }
}

/// A snapshot of files: each folder is listed and walked through once, and shared files are read
/// once. For short-lived programs that read many files.
#[derive(Debug, Default)]
pub struct Once<F> {
    files: F,
    folders: DashMap<PathBuf, Arc<[String]>>,
    /// The files that globs match, by folder and glob.
    globs: DashMap<(PathBuf, String), Arc<[PathBuf]>>,
    /// All files below folders, sorted by file name.
    below: DashMap<PathBuf, Arc<[PathBuf]>>,
    shared: DashMap<PathBuf, Arc<str>>,
    /// Paths with all links resolved; `None` if nothing exists there.
    without_links: DashMap<PathBuf, Option<PathBuf>>,
}

impl<F> Once<F> {
    /// Creates an empty cache; listings and shared files are read at most once.
    pub fn new(files: F) -> Once<F> {
        Once {
            files,
            folders: DashMap::new(),
            globs: DashMap::new(),
            below: DashMap::new(),
            shared: DashMap::new(),
            without_links: DashMap::new(),
        }
    }
}

impl<F: Files> Files for Once<F> {
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.files.read(path)
    }

    fn read_named(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.files.read_named(path)
    }

    fn read_shared(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        if let Some(text) = self.shared.get(path) {
            return Ok(text.clone());
        }
        let text = self.files.read(path)?;
        self.shared.insert(path.to_owned(), text.clone());
        Ok(text)
    }

    fn list(&self, folder: &Path) -> Arc<[String]> {
        if let Some(names) = self.folders.get(folder) {
            return names.clone();
        }
        let names = self.files.list(folder);
        self.folders.insert(folder.to_owned(), names.clone());
        names
    }

    fn is_there(&self, path: &Path) -> bool {
        self.files.is_there(path)
    }

    fn is_link(&self, path: &Path) -> bool {
        self.files.is_link(path)
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        // The parent of a folder that is no link is already resolved: resolving each folder from
        // the root would cost the square of the depth. Not recursive: there may be thousands of
        // nested folders.
        let mut below: Vec<&Path> = Vec::new();
        let mut real = None;
        for path in path.ancestors() {
            if let Some(known) = self.without_links.get(path) {
                real = known.clone();
                break;
            }
            below.push(path);
        }
        for path in below.into_iter().rev() {
            real = match (&real, path.file_name()) {
                (Some(parent), Some(name)) if !self.files.is_link(path) => {
                    self.files.is_there(path).then(|| parent.join(name))
                }
                // Nothing exists in a missing folder.
                (None, Some(_)) if path.is_absolute() => None,
                _ => self.files.without_links(path),
            };
            self.without_links.insert(path.to_owned(), real.clone());
        }
        real
    }

    fn uses(&self, path: &Path) -> Option<Arc<[Demand]>> {
        self.files.uses(path)
    }

    fn app(&self, path: &Path) -> Option<Arc<AppNames>> {
        self.files.app(path)
    }

    fn holds_prompts(&self, path: &Path) -> Option<bool> {
        self.files.holds_prompts(path)
    }

    fn walk(&self, folder: &Path) -> Vec<PathBuf> {
        self.files.walk(folder)
    }

    fn walk_looking(&self, folder: &Path, look: &(dyn Fn(Listed) + Sync)) {
        self.files.walk_looking(folder, look);
    }

    fn read_listed(&self, file: &Listed, most: u64) -> Result<Arc<str>, ReadError> {
        self.files.read_listed(file, most)
    }

    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        let key = (folder.to_owned(), glob.to_owned());
        if let Some(files) = self.globs.get(&key) {
            return files.clone();
        }
        let below = |start: &Path| {
            if let Some(files) = self.below.get(start) {
                return files.clone();
            }
            let files = by_name(self.files.walk(start));
            self.below.insert(start.to_owned(), files.clone());
            files
        };
        let files: Arc<[PathBuf]> = expand(self, folder, glob, below).into();
        self.globs.insert(key, files.clone());
        files
    }
}
