//! Errors of reading files, with messages for users.

use std::fmt::{self, Display};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The reason why a file could not be read.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ReadError {
    /// The system reported an error.
    #[error("cannot read {}: {}", path.display(), in_words(source))]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        source: Arc<io::Error>,
    },
    /// A virtual document that no editor has open.
    #[error("cannot read {}: {}", path.display(), NOT_OPEN)]
    NotOpen {
        /// The address of the document.
        path: PathBuf,
    },
    /// The file is large, and being read in the background.
    #[error("{} is still being read", path.display())]
    Reading {
        /// The path of the file.
        path: PathBuf,
    },
    /// The path is a pipe, a device or a socket.
    #[error("cannot read {}: {}", path.display(), no_file(what))]
    NoFile {
        /// The path that was to be read.
        path: PathBuf,
        /// The kind of file, as a phrase: `a pipe`, `a socket`.
        what: &'static str,
    },
    /// The file exceeds the maximum size.
    #[error("cannot read {}: {}", path.display(), too_large(*max))]
    TooLarge {
        /// The path of the file.
        path: PathBuf,
        /// The maximum size, in bytes.
        max: u64,
    },
    /// A file refers to it without permission. See [`Reach`](super::reach::Reach).
    #[error("cannot read {}: {}", path.display(), outside(within))]
    Outside {
        /// The path of the file.
        path: PathBuf,
        /// The folder that would have to contain it.
        within: Within,
    },
    /// The file is not text in a supported encoding.
    #[error("{} is {}", path.display(), not_utf8(*byte, *offset))]
    NotUtf8 {
        /// The path of the file.
        path: PathBuf,
        /// The value of the first byte that is not UTF-8.
        byte: u8,
        /// The offset of that byte.
        offset: usize,
        /// The start of the file, with U+FFFD for invalid bytes.
        readable: Arc<str>,
    },
}

impl ReadError {
    /// The error for an I/O error on a file.
    pub fn io(path: &Path, source: io::Error) -> ReadError {
        ReadError::Io { path: path.to_owned(), source: Arc::new(source) }
    }

    /// The error for a missing file.
    pub fn missing(path: &Path) -> ReadError {
        ReadError::io(path, io::ErrorKind::NotFound.into())
    }

    /// `true` if nothing exists at the path.
    pub fn is_missing(&self) -> bool {
        matches!(self, ReadError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// `true` if the path is not a file: a folder, a pipe, a device or a socket.
    pub fn is_no_file(&self) -> bool {
        match self {
            ReadError::NoFile { .. } => true,
            ReadError::Io { source, .. } => source.kind() == io::ErrorKind::IsADirectory,
            _ => false,
        }
    }

    /// The readable part of the text; `None` if nothing was read.
    pub fn readable(&self) -> Option<&Arc<str>> {
        match self {
            ReadError::NotUtf8 { readable, .. } => Some(readable),
            _ => None,
        }
    }

    /// The offset at which reading ended, in [`readable`](Self::readable).
    pub fn offset(&self) -> usize {
        match self {
            ReadError::NotUtf8 { offset, readable, .. } if *offset < readable.len() => *offset,
            _ => 0,
        }
    }

    /// The reason, as a suffix for the name of the file.
    pub fn reason(&self) -> String {
        match self {
            ReadError::Io { source, .. } => format!("cannot be read: {}", in_words(source)),
            ReadError::Reading { .. } => "is still being read".to_owned(),
            ReadError::NotOpen { .. } => format!("cannot be read: {NOT_OPEN}"),
            ReadError::NoFile { what, .. } => format!("cannot be read: {}", no_file(what)),
            ReadError::TooLarge { max, .. } => format!("cannot be read: {}", too_large(*max)),
            ReadError::Outside { within, .. } => format!("is not read: {}", outside(within)),
            ReadError::NotUtf8 { byte, offset, .. } => format!("is {}", not_utf8(*byte, *offset)),
        }
    }
}

const NOT_OPEN: &str = "it is not on this machine; open it in the editor";

fn no_file(what: &str) -> String {
    format!("it is {what}, and only regular files are read")
}

fn too_large(max: u64) -> String {
    let size = match max % (1 << 20) {
        0 => format!("{} MiB", max >> 20),
        _ => format!("{max} bytes"),
    };
    format!("it is larger than {size}, the maximum (`--max-file-size`)")
}

fn outside(within: &Within) -> String {
    format!("it leads outside of {within}; {}", within.how_to_allow())
}

fn not_utf8(byte: u8, offset: usize) -> String {
    format!(
        "not UTF-8: the byte {byte:#04x} at offset {offset} is not part of a character; save it as UTF-8"
    )
}

/// The message of the system, without its error numbers.
fn in_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is not a folder".to_owned(),
        _ => error.to_string().split(" (os error").next().unwrap_or_default().to_owned(),
    }
}

/// The folder that must contain files which another file refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// The repository of the referring file.
    Repository,
    /// The folder of the outermost config, without a repository.
    OutermostConfig,
    /// The folder of the referring file, without repository and config.
    Folder,
    /// The same folder, because the workspace is not trusted.
    UntrustedFolder,
}

impl Within {
    /// Instructions for a user to allow access.
    pub fn how_to_allow(self) -> &'static str {
        match self {
            Within::UntrustedFolder => "trust the workspace to allow more files",
            _ => "allow a folder with `--allow-read` or PROMPTLS_ALLOW_READ",
        }
    }
}

impl Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Within::Repository => "the repository",
            Within::OutermostConfig => "the folder of the outermost promptls.toml",
            Within::Folder | Within::UntrustedFolder => "the folder of the file that refers to it",
        })
    }
}
