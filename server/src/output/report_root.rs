//! The folder that file names in a report are relative to.
//!
//! CI services, code scanning and review tools resolve names from the root of the repository,
//! wherever the command ran. Human-readable output has names relative to the current folder.

use std::path::{Path, PathBuf};

use pathdiff::diff_paths;
use promptls_workspace::{Disk, absolute, repository};

use crate::errors::CommandError;
use crate::paths::Paths;

/// An absolute folder; names relative to it are separated by `/` on every system.
#[derive(Clone, Debug)]
pub struct ReportRoot(PathBuf);

impl ReportRoot {
    /// The root of the repository that contains the current folder; without one, the current
    /// folder.
    pub fn of_repository(paths: &Paths) -> ReportRoot {
        let current = paths.current();
        ReportRoot(repository(&Disk, current).unwrap_or(current).to_owned())
    }

    /// The folder of the command line; fails if there is none.
    pub fn folder(paths: &Paths, folder: &Path) -> Result<ReportRoot, CommandError> {
        match Disk.stamp(folder)?.is_folder {
            true => Ok(ReportRoot(absolute(paths.current(), folder))),
            false => Err(CommandError::RelativeToFile(folder.display().to_string())),
        }
    }

    /// The absolute path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The name of a file; absolute if there is no relative path, as from another drive.
    pub fn name(&self, path: &Path) -> String {
        let relative = diff_paths(path, &self.0).unwrap_or_else(|| path.to_owned());
        slashed(&relative)
    }
}

/// A path with `/` as its separator.
pub fn slashed(path: &Path) -> String {
    match cfg!(windows) {
        true => path.to_string_lossy().replace('\\', "/"),
        false => path.to_string_lossy().into_owned(),
    }
}
