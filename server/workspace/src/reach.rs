//! Limits on the files that a config, a value or a link may refer to.
//!
//! Prompts may come from third parties, and so may the files that they name. Nothing outside of a
//! [`root`](Reach::root) is read for them. Paths that the user names are not restricted; the user
//! can also allow more, in ways that no project file can.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use super::config::CONFIG_NAME;
use super::files::Files;
use super::files::path_map::PathMap;
use super::files::paths::folder_of;
use super::read_error::{ReadError, Within};

/// Folders that any file may refer to.
static ALLOWED: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// Allows files to refer to everything in some folders. Only the first call of a process has an
/// effect.
pub fn allow_reading(folders: Vec<PathBuf>) {
    // A second call has no effect.
    let _ = ALLOWED.set(folders);
}

/// Decides which files may be read.
#[derive(Debug, Default)]
pub struct Reach {
    is_untrusted: AtomicBool,
    /// Roots, by the folder of the referring file.
    roots: PathMap<Arc<(PathBuf, Within)>>,
    /// The repository and config around each folder, cached until a config changes.
    around: PathMap<Around>,
}

impl Reach {
    /// From now on, files may refer only to files in their own folder.
    pub fn distrust(&self) {
        self.is_untrusted.store(true, Ordering::Relaxed);
        self.forget();
    }

    /// `true` if files may refer only to files in their own folder.
    pub fn is_untrusted(&self) -> bool {
        self.is_untrusted.load(Ordering::Relaxed)
    }

    /// The same settings for another version of the files, with nothing cached.
    pub fn afresh(&self) -> Reach {
        let is_untrusted = self.is_untrusted().into();
        Reach { is_untrusted, ..Reach::default() }
    }

    /// Clears the cached roots: a repository or a config may have been added or removed.
    pub fn forget(&self) {
        self.roots.clear();
        self.around.clear();
    }

    /// Fails if a file in `folder` may not refer to a path. Neither the path nor its resolved form
    /// may be outside of the root. Both paths are absolute.
    ///
    /// Cost: resolving the links of three paths.
    pub fn check(&self, files: &dyn Files, folder: &Path, path: &Path) -> Result<(), ReadError> {
        let root = self.root(files, folder);
        let (root, within) = (root.0.as_path(), root.1);
        let real = files.without_links(path);
        let is_in = |limit: &Path| match (&real, files.without_links(limit)) {
            (Some(real), Some(limit)) => real.starts_with(limit),
            // Virtual documents have no links.
            _ => path.starts_with(limit),
        };
        let allowed = ALLOWED.get().filter(|_| within != Within::UntrustedFolder);
        // The folder itself may be reached by a link inside the root.
        let is_fine = is_in(root)
            || root != folder && is_in(folder)
            || allowed.into_iter().flatten().any(|allowed| is_in(allowed));
        match is_fine {
            true => Ok(()),
            false => Err(ReadError::Outside { path: path.to_owned(), within }),
        }
    }

    /// The folder that files in `folder` may refer to: the repository, else the folder of the
    /// outermost config, else `folder` itself.
    pub fn root(&self, files: &dyn Files, folder: &Path) -> Arc<(PathBuf, Within)> {
        if self.is_untrusted() {
            return Arc::new((folder.to_owned(), Within::UntrustedFolder));
        }
        if let Some(known) = self.roots.get(folder) {
            return known.clone();
        }
        let around = self.around(files, folder);
        let root = match (&around.repository, &around.outermost_config) {
            (Some(repository), _) => (repository.to_path_buf(), Within::Repository),
            (None, Some(outermost)) => (outermost.to_path_buf(), Within::OutermostConfig),
            (None, None) => (folder.to_owned(), Within::Folder),
        };
        let root = Arc::new(root);
        self.roots.insert(folder.to_owned(), root.clone());
        root
    }

    /// The surroundings of a folder. Each ancestor is checked once.
    fn around(&self, files: &dyn Files, folder: &Path) -> Around {
        let unknown: Vec<&Path> =
            folder.ancestors().take_while(|folder| !self.around.contains_key(*folder)).collect();
        let known = folder.ancestors().nth(unknown.len());
        let known = known.and_then(|known| self.around.get(known));
        let mut around = known.map(|around| around.clone()).unwrap_or_default();
        for folder in unknown.into_iter().rev() {
            // A work tree has a file of this name, a plain repository a folder.
            if files.is_there(&folder.join(REPOSITORY)) {
                around.repository = Some(folder.into());
            }
            if around.outermost_config.is_none() && files.is_there(&folder.join(CONFIG_NAME)) {
                around.outermost_config = Some(folder.into());
            }
            self.around.insert(folder.to_owned(), around.clone());
        }
        around
    }
}

/// The repository and the config of a folder and its ancestors.
#[derive(Clone, Debug, Default)]
struct Around {
    /// The nearest folder that is a repository.
    repository: Option<Arc<Path>>,
    /// The outermost folder with a config.
    outermost_config: Option<Arc<Path>>,
}

/// The name that marks a repository.
const REPOSITORY: &str = ".git";

/// The top folder of the repository that contains a folder.
pub fn repository<'p>(files: &dyn Files, folder: &'p Path) -> Option<&'p Path> {
    let is_repository = |folder: &&Path| files.is_there(&folder.join(REPOSITORY));
    folder.ancestors().find(is_repository)
}

/// The top of the repository around a file, else its own folder.
pub fn repository_or_folder<'p>(files: &dyn Files, path: &'p Path) -> &'p Path {
    let folder = folder_of(path);
    repository(files, folder).unwrap_or(folder)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::files::NoFiles;
    use crate::files::layer::Layer;

    /// Records requested paths; only one config exists.
    #[derive(Default)]
    struct PathRecorder(Mutex<Vec<PathBuf>>);

    impl Layer for PathRecorder {
        fn below(&self) -> &dyn Files {
            &NoFiles
        }

        fn is_there(&self, path: &Path) -> bool {
            self.0.lock().expect("no thread panicked").push(path.to_owned());
            path == Path::new("/a/promptls.toml")
        }
    }

    #[test]
    fn each_folder_is_examined_once() {
        let (reach, files) = (Reach::default(), PathRecorder::default());
        let folders = ["/a/b/c/d", "/a/b", "/a/b/c/e", "/a/b/c"];
        for folder in folders {
            let root = reach.root(&files, Path::new(folder));
            assert_eq!(*root, (PathBuf::from("/a"), Within::OutermostConfig));
        }
        let mut requested = files.0.into_inner().expect("no thread panicked");
        let all = requested.len();
        requested.sort();
        requested.dedup();
        assert_eq!(all, requested.len(), "{requested:?}");
    }
}
