//! The files that a command has read, which its output must not replace.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use promptls_workspace::{Disk, DiskOnce, Files, PromptFile};

use crate::errors::CommandError;
use crate::output::write;

/// The files that a command has read: prompts, their sidecars, configs and tables.
///
/// Several threads may add to it.
#[derive(Debug, Default)]
pub struct FilesRead(Mutex<BTreeSet<PathBuf>>);

impl FilesRead {
    /// Adds files by their paths.
    pub fn add<P: Into<PathBuf>>(&self, paths: impl IntoIterator<Item = P>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(paths.into_iter().map(Into::into));
    }

    /// Adds a file of prompts with its sidecars, `$file` texts and configs.
    pub fn add_prompts(&self, file: &PromptFile) {
        self.add(file.all_files());
        let configs = file.config().into_iter().flat_map(|config| config.and_outer());
        self.add(configs.map(|config| &config.path));
    }

    /// Fails if an output would replace one of these files, through any path or link. `shown` is
    /// the displayed name of the output.
    ///
    /// Cost: nothing for a new file, else a comparison with the path of each file.
    pub fn keep_from(&self, output: &Path, shown: impl Display) -> Result<(), CommandError> {
        let Some(output_file) = Disk.without_links(output) else { return Ok(()) };
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let files = DiskOnce::default();
        let is_output = |path: &PathBuf| files.without_links(path).as_ref() == Some(&output_file);
        match all.iter().any(is_output) {
            true => {
                let reason = io::Error::other("this command reads it; name another file");
                Err(write::failed(shown)(reason.into()))
            }
            false => Ok(()),
        }
    }
}
