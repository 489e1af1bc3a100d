//! Reading of files, from disk or from an open editor.
//!
//! Prompts, sidecars, configs and `$file` texts are read only through [`Files`]: direct access to
//! the disk would miss unsaved editor text and commits. Writing, sockets and git's own folder are
//! out of scope. A test in `tests/tests/structure` lists which other modules may access the disk,
//! and why.

pub mod address;
pub mod chosen;
pub mod globs;
pub mod layer;
pub mod listing;
pub mod path_map;
pub mod paths;
pub mod regular_file;
pub mod sources;
pub mod with_texts;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use dashmap::DashMap;

use self::globs::{by_name, expand};
use self::layer::Layer;
use self::listing::Listing;
use self::path_map::PathMap;
use self::paths::{file_name, folder_of};
use self::regular_file::max_file_bytes;
use super::config::CONFIG_NAME;
use super::read_error::ReadError;
use super::sidecars::naming::sidecar;
use super::walking::walker::{WalkedFile, Walking, each_file};

/// The way in which a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// That of any regular file: its text is not kept.
    Plain,
    /// That of a file that many prompts share; short-lived implementations cache it.
    Shared,
    /// That of a file that the user named for this one call: it may be a pipe.
    Named,
    /// Of a file that was found just before.
    Listed {
        /// `true` if it was a regular file. Otherwise it may be anything but a folder.
        is_regular: bool,
        /// The maximum size on disk, in bytes; a larger file is an error.
        most: u64,
    },
}

/// What a path leads to, without following a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A link, even a dangling one.
    Link,
    /// A regular file, which is not a link.
    Regular,
    /// A folder, a device, or nothing.
    Other,
}

/// The source of texts: a disk, an editor, a commit, or a cache of one.
///
/// Paths are absolute. Any other path is the address of a virtual document, which is in no folder
/// of this machine. Only implementations for an editor that has it open can read it.
///
/// There are no default methods, so that no implementation returns a part of its texts from another
/// source by mistake. An implementation that changes only a few answers of another one is a
/// [`Layer`].
pub trait Files: Sync {
    /// The text of a file.
    fn read_as(&self, path: &Path, reading: Reading) -> Result<Arc<str>, ReadError>;

    /// The names of the files in a folder, sorted; empty if it cannot be read. A folder that is
    /// named like a config or a sidecar is included: reading it returns the reason why it cannot be
    /// one.
    fn list(&self, folder: &Path) -> Arc<Listing>;

    /// `true` if a file or a folder exists at a path.
    fn is_there(&self, path: &Path) -> bool;

    /// What a path leads to.
    fn entry(&self, path: &Path) -> Entry;

    /// The path with all links resolved; `None` if nothing exists there.
    fn without_links(&self, path: &Path) -> Option<PathBuf>;

    /// Calls `look` for each file below a folder, except those that git ignores: in no order, from
    /// several threads at once and, where possible, during the walk. With `places`, which are
    /// sorted, only for files at or below one of these.
    fn visit(
        &self,
        folder: &Path,
        places: Option<Vec<PathBuf>>,
        look: &(dyn Fn(WalkedFile) + Sync),
    );

    /// The files that a glob relative to a folder matches, sorted. Most implementations return
    /// [`expanded`].
    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]>;
}

/// What follows from the methods of every implementation.
impl dyn Files + '_ {
    /// `true` if a path is a link, even a dangling one.
    pub fn is_link(&self, path: &Path) -> bool {
        self.entry(path) == Entry::Link
    }

    /// [`Files::read_as`] for any regular file.
    pub fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read_as(path, Reading::Plain)
    }

    /// [`Files::read_as`] for a file that many prompts share.
    pub fn read_shared(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read_as(path, Reading::Shared)
    }

    /// [`Files::read_as`] for a file that the user named for this one call.
    pub fn read_named(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read_as(path, Reading::Named)
    }

    /// [`Files::read_as`] for a file that a walk has just found; fails if it has more than `most`
    /// bytes on disk.
    pub fn read_listed(&self, file: &WalkedFile, most: u64) -> Result<Arc<str>, ReadError> {
        self.read_as(&file.path, Reading::Listed { is_regular: file.is_regular, most })
    }

    /// The files that [`Files::visit`] finds below a folder, in no order.
    pub fn walk(&self, folder: &Path) -> Vec<PathBuf> {
        self.walk_to(folder, None)
    }

    /// The same, at or below some places; all files if `places` is `None`.
    pub fn walk_to(&self, folder: &Path, places: Option<Vec<PathBuf>>) -> Vec<PathBuf> {
        let found = Mutex::new(Vec::new());
        self.visit(folder, places, &|file| {
            found.lock().unwrap_or_else(PoisonError::into_inner).push(file.path);
        });
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The files that a glob relative to a folder matches, sorted, by walking and listing.
pub fn expanded(files: &dyn Files, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
    expand(|folder| files.list(folder), folder, glob, |start| by_name(files.walk(start))).into()
}

/// The remaining text of an open reader; `path` is its name in errors.
pub fn read_text(source: impl io::Read, path: &Path) -> Result<Arc<str>, ReadError> {
    text(&regular_file::read_all(source, 0, path, max_file_bytes())?, path)
}

/// The text of some bytes; `path` is their name in errors.
pub fn text(bytes: &[u8], path: &Path) -> Result<Arc<str>, ReadError> {
    simdutf8::compat::from_utf8(bytes).map(Arc::from).map_err(|error| {
        let offset = error.valid_up_to();
        let (byte, readable) = (bytes[offset], readable(bytes).into());
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

/// [`Disk`], for the methods that all files have.
pub const DISK: &dyn Files = &Disk;

/// Metadata of a file or folder on disk. It differs after the file was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stamp {
    /// The length in bytes, as the system reports it.
    pub len: u64,
    /// The time of the last write, if the system provides it.
    pub modified: Option<SystemTime>,
    /// `true` for a folder or a link to one.
    pub is_folder: bool,
    /// `true` for a regular file or a link to one.
    pub is_regular: bool,
}

impl Disk {
    /// The metadata of a file or folder.
    pub fn stamp(&self, path: &Path) -> Result<Stamp, ReadError> {
        let metadata = path.metadata().map_err(|source| ReadError::io(path, source))?;
        let modified = metadata.modified().ok();
        let (is_folder, is_regular) = (metadata.is_dir(), metadata.is_file());
        Ok(Stamp { len: metadata.len(), modified, is_folder, is_regular })
    }

    /// Like [`Files::read`] for a file up to a size; a larger one is not read.
    pub fn read_at_most(&self, path: &Path, bytes: u64) -> Result<Arc<str>, ReadError> {
        text(&regular_file::read(path, bytes)?, path)
    }

    /// `true` if a path is a folder.
    pub fn is_folder(&self, path: &Path) -> bool {
        self.stamp(path).is_ok_and(|stamp| stamp.is_folder)
    }
}

/// `true` if a folder of this name stands in place of a config or a sidecar: Docker creates one for
/// a bind mount whose file does not exist.
fn stands_for_a_file(name: &str) -> bool {
    name == CONFIG_NAME || sidecar(name).is_some()
}

impl Files for Disk {
    fn read_as(&self, path: &Path, reading: Reading) -> Result<Arc<str>, ReadError> {
        let bytes = match reading {
            Reading::Plain | Reading::Shared => regular_file::read(path, max_file_bytes())?,
            Reading::Named => regular_file::read_any(path, max_file_bytes())?,
            Reading::Listed { is_regular, most } => {
                let most = most.min(max_file_bytes());
                let read = if is_regular { regular_file::read_listed } else { regular_file::read };
                read(path, most)?
            }
        };
        text(&bytes, path)
    }

    fn list(&self, folder: &Path) -> Arc<Listing> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Arc::default() };
        let (mut names, mut others) = (Vec::new(), Vec::new());
        for entry in entries.flatten() {
            let kind = entry.file_type().ok();
            let name = entry.file_name().into_string();
            let name = name.unwrap_or_else(|name| name.to_string_lossy().into_owned());
            if kind.is_some_and(|kind| kind.is_dir()) && !stands_for_a_file(&name) {
                continue;
            }
            if !kind.is_some_and(|kind| kind.is_file()) {
                others.push(name.clone());
            }
            names.push(name);
        }
        Arc::new(Listing::new(names, others))
    }

    fn is_there(&self, path: &Path) -> bool {
        path.exists()
    }

    fn entry(&self, path: &Path) -> Entry {
        match path.symlink_metadata() {
            Ok(found) if found.is_symlink() => Entry::Link,
            Ok(found) if found.is_file() => Entry::Regular,
            _ => Entry::Other,
        }
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }

    fn visit(
        &self,
        folder: &Path,
        places: Option<Vec<PathBuf>>,
        look: &(dyn Fn(WalkedFile) + Sync),
    ) {
        each_file(folder, &Walking { places, ..Walking::default() }, look);
    }

    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        expanded(self, folder, glob)
    }
}

/// No files: the base of layers that are in memory only.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read_as(&self, path: &Path, _: Reading) -> Result<Arc<str>, ReadError> {
        Err(ReadError::missing(path))
    }

    fn list(&self, _: &Path) -> Arc<Listing> {
        Arc::default()
    }

    fn is_there(&self, _: &Path) -> bool {
        false
    }

    fn entry(&self, _: &Path) -> Entry {
        Entry::Other
    }

    /// Nothing is a link, so each path is resolved.
    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        Some(path.to_owned())
    }

    fn visit(&self, _: &Path, _: Option<Vec<PathBuf>>, _: &(dyn Fn(WalkedFile) + Sync)) {}

    fn glob(&self, _: &Path, _: &str) -> Arc<[PathBuf]> {
        Arc::default()
    }
}

/// A snapshot of files: each folder is listed and walked through once, what it lists is not looked at
/// again, and shared files and those that the user named are read once: a pipe has its text only
/// once. For short-lived programs that read many files.
#[derive(Debug, Default)]
pub struct Once<F> {
    files: F,
    folders: PathMap<Arc<Listing>>,
    /// The files that globs match, by folder and glob.
    globs: DashMap<(PathBuf, String), Arc<[PathBuf]>>,
    /// All files below folders, sorted by file name.
    below: PathMap<Arc<[PathBuf]>>,
    shared: PathMap<Arc<str>>,
    /// Mostly none, so that other reads need not look for their path.
    named: OnceLock<PathMap<Arc<str>>>,
    /// Paths with all links resolved; `None` if nothing exists there.
    without_links: PathMap<Option<PathBuf>>,
}

impl<F> Once<F> {
    /// Creates an empty cache; listings and shared files are read at most once.
    pub fn new(files: F) -> Once<F> {
        Once {
            files,
            folders: PathMap::default(),
            globs: DashMap::new(),
            below: PathMap::default(),
            shared: PathMap::default(),
            named: OnceLock::new(),
            without_links: PathMap::default(),
        }
    }
}

impl<F: Files> Layer for Once<F> {
    fn below(&self) -> &dyn Files {
        &self.files
    }

    fn read_as(&self, path: &Path, reading: Reading) -> Result<Arc<str>, ReadError> {
        if let Some(text) = self.named.get().and_then(|named| named.get(path)) {
            return Ok(text.clone());
        }
        let kept = match reading {
            Reading::Plain | Reading::Listed { .. } => return self.files.read_as(path, reading),
            Reading::Shared => &self.shared,
            Reading::Named => self.named.get_or_init(PathMap::default),
        };
        if let Some(text) = kept.get(path) {
            return Ok(text.clone());
        }
        let text = self.files.read_as(path, reading)?;
        kept.insert(path.to_owned(), text.clone());
        Ok(text)
    }

    fn list(&self, folder: &Path) -> Arc<Listing> {
        if let Some(names) = self.folders.get(folder) {
            return names.clone();
        }
        let names = self.files.list(folder);
        self.folders.insert(folder.to_owned(), names.clone());
        names
    }

    fn entry(&self, path: &Path) -> Entry {
        let is_regular = |name: &str| {
            self.folders.get(folder_of(path)).is_some_and(|listing| listing.is_regular(name))
        };
        match file_name(path).is_some_and(is_regular) {
            true => Entry::Regular,
            false => self.files.entry(path),
        }
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
                (Some(parent), Some(name)) if self.files.entry(path) != Entry::Link => {
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

    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        let key = (folder.to_owned(), glob.to_owned());
        if let Some(files) = self.globs.get(&key) {
            return files.clone();
        }
        let below = |start: &Path| {
            if let Some(files) = self.below.get(start) {
                return files.clone();
            }
            let files = by_name((&self.files as &dyn Files).walk(start));
            self.below.insert(start.to_owned(), files.clone());
            files
        };
        let files: Arc<[PathBuf]> =
            expand(|folder| Layer::list(self, folder), folder, glob, below).into();
        self.globs.insert(key, files.clone());
        files
    }
}
