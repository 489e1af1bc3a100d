//! Reading files, from disk or from an open editor.
//!
//! [`Files`] is the only way to prompts, sidecars, configs and `$file` texts: who asks the disk
//! itself goes past open editors and commits. Writing, sockets and git's own folder are no matter
//! of it; a test of `tests/tests/structure` lists who else may ask the disk, and why.

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

/// Where texts come from.
///
/// A path is absolute. One that is not is the address of a document that is in no folder of this
/// machine, which only those know who have it open.
pub trait Files: Sync {
    /// The text of a file.
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError>;

    /// The same for a file that many prompts have: whoever does not live long keeps it.
    fn read_shared(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read(path)
    }

    /// The same for a file that a person named for this one call: it may be a pipe.
    fn read_named(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read(path)
    }

    /// The names of the files in a folder, sorted; none if it cannot be read. A folder that is named
    /// as a config or a sidecar is listed as well: reading it returns why it cannot be one.
    fn list(&self, folder: &Path) -> Arc<[String]>;

    /// Whether there is a file or a folder.
    fn is_there(&self, path: &Path) -> bool;

    /// Whether it is a link, wherever that leads.
    fn is_link(&self, path: &Path) -> bool;

    /// The same place by a path without links; `None` if there is nothing.
    fn without_links(&self, path: &Path) -> Option<PathBuf>;

    /// Which prompts of a file of code others use, as far as that is known by now; `None` where
    /// nobody keeps it.
    fn uses(&self, _path: &Path) -> Option<Arc<[Demand]>> {
        None
    }

    /// What the code of the application around a file says of names; `None` while that is not known,
    /// and where nobody keeps it.
    fn app(&self, _path: &Path) -> Option<Arc<AppNames>> {
        None
    }

    /// Whether a file of code holds prompts, where that was looked at before, so that nobody has to
    /// read it again; `None` where nobody knows.
    fn holds_prompts(&self, _path: &Path) -> Option<bool> {
        None
    }

    /// All files below a folder, but for those that git ignores.
    fn walk(&self, folder: &Path) -> Vec<PathBuf> {
        self.walk_to(folder, None)
    }

    /// Those of them that are at or below some places, sorted; all without any.
    fn walk_to(&self, folder: &Path, places: Option<Vec<PathBuf>>) -> Vec<PathBuf> {
        let walking = Walking { places, ..Walking::default() };
        let found = Mutex::new(Vec::new());
        each_file(folder, &walking, &|file| {
            found.lock().unwrap_or_else(PoisonError::into_inner).push(file.path);
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that all prompts below some folders are searched for: facts about code may be shared by
    /// all of them.
    fn note_searched(&self, _folders: &[PathBuf]) {}

    /// Looks at each of them, in no order: from several threads at once, and where that is possible
    /// while the walk goes on.
    fn walk_looking(&self, folder: &Path, look: &(dyn Fn(Listed) + Sync)) {
        let listed = |path: &PathBuf| Listed { path: path.clone(), is_regular: false };
        in_parallel(&self.walk(folder), |path| look(listed(path)));
    }

    /// [`Files::read`] a file that a walk has just come upon, unless that would be more than `most`
    /// bytes on disk.
    fn read_listed(&self, file: &Listed, _most: u64) -> Result<Arc<str>, ReadError> {
        self.read(&file.path)
    }

    /// The files that a glob means, sorted; it is relative to a folder.
    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        expand(self, folder, glob, |start| by_name(self.walk(start))).into()
    }
}

/// The text that is left of something that is open, and that `path` names.
pub fn read_text(source: impl io::Read, path: &Path) -> Result<String, ReadError> {
    text(regular_file::read_all(source, 0, path, max_file_bytes())?, path)
}

/// The text of some bytes that `path` names.
pub fn text(bytes: Vec<u8>, path: &Path) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[offset];
        let readable = readable(error.as_bytes()).into();
        ReadError::NotUtf8 { path: path.to_owned(), byte, offset, readable }
    })
}

/// As much of a file as is text in UTF-16, if it says so, or else in UTF-8.
fn readable(bytes: &[u8]) -> String {
    /// Nothing that is longer holds prompts.
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

/// Files on disk, as they are at each question.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

/// What a file or folder on disk looks like from outside. A file that was written since looks
/// different.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// In bytes.
    pub len: u64,
    /// When it was written, where the system knows.
    pub modified: Option<SystemTime>,
    /// Whether it is a folder.
    pub is_folder: bool,
}

impl Disk {
    /// Looks at a file or folder from outside.
    pub fn stamp(&self, path: &Path) -> Result<Stamp, ReadError> {
        let metadata = path.metadata().map_err(|source| ReadError::io(path, source))?;
        let modified = metadata.modified().ok();
        Ok(Stamp { len: metadata.len(), modified, is_folder: metadata.is_dir() })
    }

    /// [`Files::read`] a file that is small; a larger one is left alone.
    pub fn read_at_most(&self, path: &Path, bytes: u64) -> Result<Arc<str>, ReadError> {
        text(regular_file::read(path, bytes)?, path).map(Arc::from)
    }

    /// Whether a path is that of a folder.
    pub fn is_folder(&self, path: &Path) -> bool {
        self.stamp(path).is_ok_and(|stamp| stamp.is_folder)
    }
}

/// Whether a folder of this name is in the place of a config or a sidecar: Docker makes one for a
/// bind mount whose file does not exist.
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

/// Files as they are at one time: each folder is listed and walked through once, and what many
/// prompts share is read once. For who looks at many of them and is done soon.
#[derive(Debug, Default)]
pub struct Once<F> {
    files: F,
    folders: DashMap<PathBuf, Arc<[String]>>,
    /// What globs mean, by folder and glob.
    globs: DashMap<(PathBuf, String), Arc<[PathBuf]>>,
    /// All files below folders, by their names.
    below: DashMap<PathBuf, Arc<[PathBuf]>>,
    shared: DashMap<PathBuf, Arc<str>>,
    /// Where links lead.
    without_links: DashMap<PathBuf, Option<PathBuf>>,
}

impl<F> Once<F> {
    /// Nothing is listed yet.
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
        // A folder that is no link is where its parent is: asking for each one's whole way would
        // take the square of how deep it is. Not by recursion: that may be thousands.
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
                // In a folder that is not there, nothing is.
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
