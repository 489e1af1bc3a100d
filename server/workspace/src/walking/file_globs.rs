//! File patterns with `.gitignore` syntax: matching files, and all files in matching folders.

use std::iter;
use std::path::{Path, PathBuf};

use crate::config::rule_globs::RuleGlobs;
use crate::files::address::relative;

/// Globs relative to a folder.
#[derive(Clone, Debug)]
pub struct FileGlobs {
    folder: PathBuf,
    globs: RuleGlobs,
}

impl FileGlobs {
    /// Parses globs for files below a folder; `folder` is absolute. The error is a sentence about
    /// an invalid glob.
    pub fn parse(folder: &Path, patterns: &[String]) -> Result<FileGlobs, String> {
        let (globs, errors) = RuleGlobs::new(patterns.to_vec());
        match errors.into_iter().next() {
            Some(reason) => Err(reason),
            None => Ok(FileGlobs { folder: folder.to_owned(), globs }),
        }
    }

    /// `true` if the globs match a file or folder, or a folder that contains it.
    pub fn mean(&self, path: &Path, is_folder: bool) -> bool {
        let Some(path) = relative(&self.folder, path) else { return false };
        // A glob for a path takes precedence over one for an ancestor. The folder of the globs
        // itself has an empty relative path.
        let above = path.ancestors().skip(1).map(|above| (above, true));
        let all = iter::once((&*path, is_folder)).chain(above);
        let mut named = all.filter(|(path, _)| !path.as_os_str().is_empty());
        named.find_map(|(path, is_folder)| self.globs.decide(path, is_folder)).unwrap_or(false)
    }

    /// The globs, without their folder.
    pub(crate) fn globs(&self) -> &RuleGlobs {
        &self.globs
    }
}
