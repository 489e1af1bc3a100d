//! Paths as the user would write them.

use std::env;
use std::path::{Path, PathBuf};

use crate::errors::CommandError;
use promptls_workspace::{Disk, absolute};

/// Converts paths into absolute ones and back into displayed ones.
#[derive(Clone, Debug)]
pub struct Paths {
    current: PathBuf,
    /// Absolute folders, each with its form on the command line.
    written: Vec<(PathBuf, PathBuf)>,
}

impl Paths {
    /// Paths relative to the current folder.
    pub fn new() -> Result<Paths, CommandError> {
        let current = env::current_dir().map_err(CommandError::CurrentFolder)?;
        Ok(Paths { current, written: Vec::new() })
    }

    /// The absolute path of the current folder, as of [`Paths::new`].
    pub fn current(&self) -> &Path {
        &self.current
    }

    /// The absolute path of one on the command line. Other paths in the same folder are displayed
    /// in the same form.
    pub fn absolute(&mut self, written: &Path) -> PathBuf {
        let path = absolute(&self.current, written);
        if !path.starts_with(&self.current) {
            let folders = if Disk.is_folder(&path) {
                (Some(&*path), Some(written))
            } else {
                (path.parent(), written.parent())
            };
            if let (Some(folder), Some(written)) = folders {
                self.written.push((folder.to_owned(), written.to_owned()));
            }
        }
        path
    }

    /// A path relative to the current folder, or in the form of the command line, or unchanged.
    pub fn shown(&self, path: &Path) -> String {
        if let Ok(relative) = path.strip_prefix(&self.current) {
            return if relative.as_os_str().is_empty() {
                ".".to_owned()
            } else {
                relative.display().to_string()
            };
        }
        for (folder, written) in &self.written {
            if let Ok(rest) = path.strip_prefix(folder) {
                return written.join(rest).display().to_string();
            }
        }
        path.display().to_string()
    }
}
