//! Files that are meant by globs as in `.gitignore`: those that match, and all in folders that do.

use std::iter;
use std::path::{Path, PathBuf};

use crate::config::rule_globs::RuleGlobs;
use crate::files::address::relative;

/// Globs that are relative to a folder.
#[derive(Clone, Debug)]
pub struct FileGlobs {
    folder: PathBuf,
    globs: RuleGlobs,
}

impl FileGlobs {
    /// The files below a folder that some globs mean; `folder` is absolute. Fails with a sentence
    /// about a glob that is none.
    pub fn parse(folder: &Path, patterns: &[String]) -> Result<FileGlobs, String> {
        let (globs, errors) = RuleGlobs::new(patterns.to_vec());
        match errors.into_iter().next() {
            Some(reason) => Err(reason),
            None => Ok(FileGlobs { folder: folder.to_owned(), globs }),
        }
    }

    /// Whether a file or folder is meant, or one that it is in.
    pub fn mean(&self, path: &Path, is_folder: bool) -> bool {
        let Some(path) = relative(&self.folder, path) else { return false };
        // What is written about a path counts before what is about a folder above it; the folder
        // of the globs itself has no name in it.
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
