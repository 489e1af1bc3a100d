//! Files that are meant by globs as in `.gitignore`: those that match, and all in folders that do.

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::files::address::relative;

/// Globs that are relative to a folder.
#[derive(Clone, Debug)]
pub struct FileGlobs {
    folder: PathBuf,
    globs: Gitignore,
}

impl FileGlobs {
    /// The files below a folder that some globs mean; `folder` is absolute. Fails with a sentence
    /// about a glob that is none.
    pub fn parse(folder: &Path, patterns: &[String]) -> Result<FileGlobs, String> {
        let mut builder = GitignoreBuilder::new("");
        for pattern in patterns {
            let added = builder.add_line(None, pattern);
            added.map_err(|error| format!("`{pattern}` is not a valid glob: {error}"))?;
        }
        let globs = builder.build().map_err(|error| error.to_string())?;
        Ok(FileGlobs { folder: folder.to_owned(), globs })
    }

    /// Whether a file or folder is meant, or one that it is in.
    pub fn mean(&self, path: &Path, is_folder: bool) -> bool {
        let path = relative(&self.folder, path);
        // The folder itself has no name in it.
        let path = path.filter(|path| !path.as_os_str().is_empty());
        path.is_some_and(|path| self.globs.matched_path_or_any_parents(path, is_folder).is_ignore())
    }
}
