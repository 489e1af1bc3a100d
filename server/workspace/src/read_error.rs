//! Why a file could not be read, in words for people.

use std::fmt::{self, Display};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// It is a pipe, a device or a socket.
    #[error("cannot read {}: {}", path.display(), no_file(what))]
    NoFile {
        /// What stands at the path.
        path: PathBuf,
        /// What it is.
        what: &'static str,
    },
    /// It is larger than what is read.
    #[error("cannot read {}: {}", path.display(), too_large(*max))]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most bytes that are read.
        max: u64,
    },
    /// Only a file names it, and may not. See [`Reach`](super::reach::Reach).
    #[error("cannot read {}: {}", path.display(), outside(within))]
    Outside {
        /// The file.
        path: PathBuf,
        /// What it would have to lie in.
        within: Within,
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
        /// The start of the file, with U+FFFD for what is no character.
        readable: Arc<str>,
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

    /// Whether something other than a file is there: a folder, a pipe, a device or a socket.
    pub fn is_no_file(&self) -> bool {
        match self {
            ReadError::NoFile { .. } => true,
            ReadError::Io { source, .. } => source.kind() == io::ErrorKind::IsADirectory,
            _ => false,
        }
    }

    /// As much of the text as is text; `None` where nothing was read.
    pub fn readable(&self) -> Option<&Arc<str>> {
        match self {
            ReadError::NotUtf8 { readable, .. } => Some(readable),
            _ => None,
        }
    }

    /// Where reading ends, in [`readable`](Self::readable).
    pub fn offset(&self) -> usize {
        match self {
            ReadError::NotUtf8 { offset, readable, .. } if *offset < readable.len() => *offset,
            _ => 0,
        }
    }

    /// What is wrong, to be put behind a name of the file.
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

const NOT_OPEN: &str = "it is not on this machine; open it, then it counts";

fn no_file(what: &str) -> String {
    format!("it is {what}, and only regular files are read")
}

fn too_large(max: u64) -> String {
    let size = match max % (1 << 20) {
        0 => format!("{} MiB", max >> 20),
        _ => format!("{max} bytes"),
    };
    format!("it is larger than {size}, the most that is read (`--max-file-size`)")
}

fn outside(within: &Within) -> String {
    format!("it leads outside of {within}; {}", within.how_to_allow())
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

/// What a file that another file names has to lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// The repository of the file that names it.
    Repository,
    /// The folder of the outermost config, where there is no repository.
    OutermostConfig,
    /// The folder of the file that names it, where there is neither.
    Folder,
    /// The same folder, because nobody trusts the workspace.
    UntrustedFolder,
}

impl Within {
    /// What a person can do about it.
    pub fn how_to_allow(self) -> &'static str {
        match self {
            Within::UntrustedFolder => "where the workspace is trusted, more may be named",
            _ => "`--allow-read` or PROMPTLS_ALLOW_READ allows a folder",
        }
    }
}

impl Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Within::Repository => "the repository",
            Within::OutermostConfig => "the folder of the outermost promptls.toml",
            Within::Folder | Within::UntrustedFolder => "the folder of the file that names it",
        })
    }
}
