//! Reading files, from disk or from an open editor.
//!
//! [`Files`] is the only way to prompts, sidecars, configs and `$file` texts: who asks the disk
//! itself goes past open editors and commits. Writing, sockets and git's own folder are no matter
//! of it; a test of `tests/tests/structure` lists who else may ask the disk, and why.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use dashmap::DashMap;
use globset::GlobBuilder;

/// Why a file could not be read.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refused.
    #[error("cannot read {}: {}", path.display(), in_words(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: Arc<io::Error>,
    },
    /// It is on no disk, and no editor has it open.
    #[error("cannot read {}: {}", path.display(), NOT_OPEN)]
    NotOpen {
        /// Its address.
        path: PathBuf,
    },
    /// It is large, and being read in the background.
    #[error("{} is still being read", path.display())]
    Reading {
        /// The file.
        path: PathBuf,
    },
    /// It is not text as we know it.
    #[error("{} is {}", path.display(), not_utf8(*byte, *offset))]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The first byte that is wrong.
        byte: u8,
        /// Where it is.
        offset: usize,
    },
}

impl ReadError {
    /// What the system said about a file.
    pub fn io(path: &Path, source: io::Error) -> ReadError {
        ReadError::Io { path: path.to_owned(), source: Arc::new(source) }
    }

    /// There is no such file.
    pub fn missing(path: &Path) -> ReadError {
        ReadError::io(path, io::ErrorKind::NotFound.into())
    }

    /// Whether there is nothing at all to be read.
    pub fn is_missing(&self) -> bool {
        matches!(self, ReadError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// What is wrong, to be put behind a name of the file.
    pub fn reason(&self) -> String {
        match self {
            ReadError::Io { source, .. } => format!("cannot be read: {}", in_words(source)),
            ReadError::Reading { .. } => "is still being read".to_owned(),
            ReadError::NotOpen { .. } => format!("cannot be read: {NOT_OPEN}"),
            ReadError::NotUtf8 { byte, offset, .. } => format!("is {}", not_utf8(*byte, *offset)),
        }
    }
}

const NOT_OPEN: &str = "it is not on this machine; open it, then it counts";

fn not_utf8(byte: u8, offset: usize) -> String {
    format!(
        "not UTF-8: the byte {byte:#04x} at offset {offset} is not part of a character; save it as UTF-8"
    )
}

/// What the system said, without its numbers.
fn in_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is no folder".to_owned(),
        _ => error.to_string().split(" (os error").next().unwrap_or_default().to_owned(),
    }
}

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

    /// The names of the files in a folder, sorted; none if it cannot be read.
    fn list(&self, folder: &Path) -> Arc<[String]>;

    /// Whether there is a file or a folder.
    fn is_there(&self, path: &Path) -> bool;

    /// The same place by a path without links; `None` if there is nothing.
    fn without_links(&self, path: &Path) -> Option<PathBuf>;

    /// All files below a folder, but for those that git ignores.
    fn walk(&self, folder: &Path) -> Vec<PathBuf> {
        let entries = ignore::WalkBuilder::new(folder).build().flatten();
        entries.map(ignore::DirEntry::into_path).filter(|path| path.is_file()).collect()
    }

    /// The files that a glob means, sorted; it is relative to a folder.
    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        expand(self, folder, glob).into()
    }
}

/// See [`Files::glob`]. Folders are walked only where a folder in the glob has stars.
fn expand<F: Files + ?Sized>(files: &F, folder: &Path, glob: &str) -> Vec<PathBuf> {
    const STARS: [char; 4] = ['*', '?', '[', '{'];
    if !glob.contains(STARS) {
        return vec![normal(&folder.join(glob))];
    }
    let Ok(matcher) = GlobBuilder::new(glob).literal_separator(true).build() else {
        return Vec::new();
    };
    let matcher = matcher.compile_matcher();
    // The folders before the first star say where to look.
    let parts: Vec<&str> = glob.split('/').take_while(|part| !part.contains(STARS)).collect();
    let is_deep = glob.split('/').count() > parts.len() + 1;
    let start = normal(&folder.join(parts.iter().collect::<PathBuf>()));
    let mut matches = Vec::new();
    if is_deep {
        matches = files.walk(&start);
    } else {
        let names = files.list(&start);
        matches.extend(names.iter().map(|name| start.join(name)));
    }
    matches
        .retain(|path| path.strip_prefix(folder).is_ok_and(|relative| matcher.is_match(relative)));
    matches.sort();
    matches
}

/// The absolute path of one that is relative to a folder.
pub fn absolute(folder: &Path, path: &Path) -> PathBuf {
    normal(&folder.join(path))
}

/// The path without `.` and `..`, without asking the disk.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// The text of some bytes that `path` names.
pub fn text(bytes: Vec<u8>, path: &Path) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[offset];
        ReadError::NotUtf8 { path: path.to_owned(), byte, offset }
    })
}

/// Files on disk, as they are at each question.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

/// What a file or folder on disk looks like from outside. A file that was written since looks
/// different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

    /// Whether a path is that of a folder.
    pub fn is_folder(&self, path: &Path) -> bool {
        self.stamp(path).is_ok_and(|stamp| stamp.is_folder)
    }
}

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        let bytes = std::fs::read(path).map_err(|source| ReadError::io(path, source))?;
        text(bytes, path).map(Arc::from)
    }

    fn list(&self, folder: &Path) -> Arc<[String]> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Arc::default() };
        let mut names: Vec<String> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                (!is_folder).then(|| {
                    let name = entry.file_name().into_string();
                    name.unwrap_or_else(|name| name.to_string_lossy().into_owned())
                })
            })
            .collect();
        names.sort_unstable();
        names.into()
    }

    fn is_there(&self, path: &Path) -> bool {
        path.exists()
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        path.canonicalize().ok()
    }
}

/// Files on disk, each folder listed once: for a program that runs once.
#[derive(Debug, Default)]
pub struct DiskOnce {
    folders: DashMap<PathBuf, Arc<[String]>>,
    /// What globs mean, by folder and glob.
    globs: DashMap<(PathBuf, String), Arc<[PathBuf]>>,
    shared: DashMap<PathBuf, Arc<str>>,
}

impl Files for DiskOnce {
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        Disk.read(path)
    }

    fn read_shared(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        if let Some(text) = self.shared.get(path) {
            return Ok(text.clone());
        }
        let text = Disk.read(path)?;
        self.shared.insert(path.to_owned(), text.clone());
        Ok(text)
    }

    fn list(&self, folder: &Path) -> Arc<[String]> {
        if let Some(names) = self.folders.get(folder) {
            return names.clone();
        }
        let names = Disk.list(folder);
        self.folders.insert(folder.to_owned(), names.clone());
        names
    }

    fn is_there(&self, path: &Path) -> bool {
        Disk.is_there(path)
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        Disk.without_links(path)
    }

    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        let key = (folder.to_owned(), glob.to_owned());
        if let Some(files) = self.globs.get(&key) {
            return files.clone();
        }
        let files: Arc<[PathBuf]> = expand(self, folder, glob).into();
        self.globs.insert(key, files.clone());
        files
    }
}
