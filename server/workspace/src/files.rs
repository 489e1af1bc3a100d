//! Reading files, from disk or from an open editor.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use dashmap::DashMap;
use globset::GlobBuilder;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refused.
    #[error("cannot read {}: {}", path.display(), in_words(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
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
    /// What is wrong, to be put behind a name of the file.
    pub fn reason(&self) -> String {
        match self {
            ReadError::Io { source, .. } => format!("cannot be read: {}", in_words(source)),
            ReadError::NotUtf8 { byte, offset, .. } => format!("is {}", not_utf8(*byte, *offset)),
        }
    }
}

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
pub trait Files: Sync {
    /// The text of a file.
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError>;

    /// The names of the files in a folder, sorted; none if it cannot be read.
    fn list(&self, folder: &Path) -> Arc<[String]>;

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

/// Reads a file from disk.
pub fn read_from_disk(path: &Path) -> Result<String, ReadError> {
    let bytes =
        std::fs::read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    text(bytes, path)
}

/// The text of some bytes that `path` names.
pub fn text(bytes: Vec<u8>, path: &Path) -> Result<String, ReadError> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[offset];
        ReadError::NotUtf8 { path: path.to_owned(), byte, offset }
    })
}

/// The names of the files in a folder on disk, sorted.
pub fn list_on_disk(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
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
    names
}

/// Files on disk, each folder listed once: for a program that runs once.
#[derive(Debug, Default)]
pub struct Disk {
    folders: DashMap<PathBuf, Arc<[String]>>,
    /// What globs mean, by folder and glob.
    globs: DashMap<(PathBuf, String), Arc<[PathBuf]>>,
}

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        read_from_disk(path).map(Arc::from)
    }

    fn list(&self, folder: &Path) -> Arc<[String]> {
        if let Some(names) = self.folders.get(folder) {
            return names.clone();
        }
        let names: Arc<[String]> = list_on_disk(folder).into();
        self.folders.insert(folder.to_owned(), names.clone());
        names
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
