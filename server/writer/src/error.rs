//! Why a file was not written.

use std::io;
use std::path::PathBuf;

/// Why a file was not written. It is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Another program has saved it.
    #[error("it has changed since it was read; run the command again")]
    Changed,
    /// There is a file where a new one was to be made.
    #[error("a file of this name exists by now, and stays unchanged")]
    Exists,
    /// It is read-only.
    #[error("it is read-only")]
    ReadOnly,
    /// It has other names.
    #[error("it has {0} hard links")]
    HardLinks(u64),
    /// A link leads out of the project that it lies in.
    #[error("the link {} leads out of {}", link.display(), root.display())]
    LeadsOut {
        /// The link.
        link: PathBuf,
        /// The top folder of the project.
        root: PathBuf,
    },
    /// A link leads into the folder of a version control system.
    #[error("the link {} leads into a folder of version control", .0.display())]
    VersionControl(PathBuf),
    /// A link leads to nothing.
    #[error("the link {} leads to nothing; remove it first", .0.display())]
    Dangling(PathBuf),
    /// A folder is where the file would be.
    #[error("it is a folder")]
    IsFolder,
    /// The folder of the file does not exist.
    #[error("its folder is not there")]
    NoFolder,
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl WriteError {
    /// Whether [`Writer::force`](crate::Writer::force) writes the file.
    pub fn can_be_forced(&self) -> bool {
        matches!(self, WriteError::ReadOnly | WriteError::HardLinks(_))
    }
}
