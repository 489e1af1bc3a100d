//! The reason why a file was not written.

use std::io;
use std::path::PathBuf;

/// The reason why a file was not written. The file is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Another program has saved the file.
    #[error("it has changed since it was read; run the command again")]
    Changed,
    /// The path of a new file already exists.
    #[error("a file of this name exists already, and is not changed")]
    Exists,
    /// The file is read-only; [`Writer::force`](crate::Writer::force) replaces it.
    #[error("it is read-only")]
    ReadOnly,
    /// The file has other hard links.
    #[error("it has {0} hard links")]
    HardLinks(u64),
    /// A link leads out of its project.
    #[error("the link {} leads out of {}", link.display(), root.display())]
    LeadsOut {
        /// The path of the link.
        link: PathBuf,
        /// The top folder of the project.
        root: PathBuf,
    },
    /// A link leads into the folder of a version control system.
    #[error("the link {} leads into a folder of version control", .0.display())]
    VersionControl(PathBuf),
    /// A link leads to nothing.
    #[error("the link {} is broken; remove it first", .0.display())]
    Dangling(PathBuf),
    /// The path is a folder.
    #[error("it is a folder")]
    IsFolder,
    /// The folder of the file does not exist.
    #[error("its folder does not exist")]
    NoFolder,
    /// The system reported an error.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl WriteError {
    /// `true` if [`Writer::force`](crate::Writer::force) writes the file.
    pub fn can_be_forced(&self) -> bool {
        matches!(self, WriteError::ReadOnly | WriteError::HardLinks(_))
    }
}
