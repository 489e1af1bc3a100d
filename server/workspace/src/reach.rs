//! How far a file may reach: what is read because a config, a value or a link says so.
//!
//! Prompts come from others, and so does what they name. Nothing outside of a [`root`](Reach::root)
//! is read for them. What a person names is no matter of it; and a person may allow more, in ways
//! that no file of a project has.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;

use super::config::CONFIG_NAME;
use super::files::Files;
use super::read_error::{ReadError, Within};

/// Folders in which everything may be named.
static ALLOWED: OnceLock<Vec<PathBuf>> = OnceLock::new();

/// Lets files name everything in some folders. The first call of a process counts.
pub fn allow_reading(folders: Vec<PathBuf>) {
    // A second one has nothing to say.
    let _ = ALLOWED.set(folders);
}

/// Says what may be read.
#[derive(Debug, Default)]
pub struct Reach {
    is_untrusted: AtomicBool,
    /// By the folder of the file that names something.
    roots: DashMap<PathBuf, Arc<(PathBuf, Within)>>,
    /// By folder.
    around: DashMap<PathBuf, Around>,
}

impl Reach {
    /// From now on, files name only what lies in their own folder.
    pub fn distrust(&self) {
        self.is_untrusted.store(true, Ordering::Relaxed);
        self.forget();
    }

    /// Whether files name only what lies in their own folder.
    pub fn is_untrusted(&self) -> bool {
        self.is_untrusted.load(Ordering::Relaxed)
    }

    /// The same for files of another time.
    pub fn afresh(&self) -> Reach {
        let is_untrusted = self.is_untrusted().into();
        Reach { is_untrusted, ..Reach::default() }
    }

    /// Forgets the roots: a repository or a config may have come or gone.
    pub fn forget(&self) {
        self.roots.clear();
        self.around.clear();
    }

    /// Fails if a file in `folder` may not name a path: neither that nor what links make of it may
    /// lie outside of the root. Both paths are absolute.
    ///
    /// Cost: the links of three paths.
    pub fn check(&self, files: &dyn Files, folder: &Path, path: &Path) -> Result<(), ReadError> {
        let root = self.root(files, folder);
        let (root, within) = (root.0.as_path(), root.1);
        let real = files.without_links(path);
        let is_in = |limit: &Path| match (&real, files.without_links(limit)) {
            (Some(real), Some(limit)) => real.starts_with(limit),
            // What is on no disk has no links.
            _ => path.starts_with(limit),
        };
        let allowed = ALLOWED.get().filter(|_| within != Within::UntrustedFolder);
        // The folder itself may be known by a link that leads there from the root.
        let is_fine = is_in(root)
            || root != folder && is_in(folder)
            || allowed.into_iter().flatten().any(|allowed| is_in(allowed));
        match is_fine {
            true => Ok(()),
            false => Err(ReadError::Outside { path: path.to_owned(), within }),
        }
    }

    /// The folder that files in `folder` may name things in: the repository, else the folder of the
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

    /// What is around a folder. Each folder further up is looked at once.
    fn around(&self, files: &dyn Files, folder: &Path) -> Around {
        let unknown: Vec<&Path> =
            folder.ancestors().take_while(|folder| !self.around.contains_key(*folder)).collect();
        let known = folder.ancestors().nth(unknown.len());
        let known = known.and_then(|known| self.around.get(known));
        let mut around = known.map(|around| around.clone()).unwrap_or_default();
        for folder in unknown.into_iter().rev() {
            // A work tree has a file there, a plain repository a folder.
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

/// What there is in a folder or further up.
#[derive(Clone, Debug, Default)]
struct Around {
    /// The nearest folder that is a repository.
    repository: Option<Arc<Path>>,
    /// The outermost folder with a config.
    outermost_config: Option<Arc<Path>>,
}

/// What a repository has.
const REPOSITORY: &str = ".git";

/// The top folder of the repository that a folder is in.
pub fn repository<'p>(files: &dyn Files, folder: &'p Path) -> Option<&'p Path> {
    let is_repository = |folder: &&Path| files.is_there(&folder.join(REPOSITORY));
    folder.ancestors().find(is_repository)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Notes what it is asked for; there is nothing but one config.
    #[derive(Default)]
    struct Noted(Mutex<Vec<PathBuf>>);

    impl Files for Noted {
        fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
            Err(ReadError::missing(path))
        }

        fn list(&self, _: &Path) -> Arc<[String]> {
            Arc::default()
        }

        fn is_there(&self, path: &Path) -> bool {
            self.0.lock().expect("nobody panicked").push(path.to_owned());
            path == Path::new("/a/promptls.toml")
        }

        fn is_link(&self, _: &Path) -> bool {
            false
        }

        fn without_links(&self, path: &Path) -> Option<PathBuf> {
            Some(path.to_owned())
        }
    }

    #[test]
    fn each_folder_is_looked_at_once() {
        let (reach, files) = (Reach::default(), Noted::default());
        let folders = ["/a/b/c/d", "/a/b", "/a/b/c/e", "/a/b/c"];
        for folder in folders {
            let root = reach.root(&files, Path::new(folder));
            assert_eq!(*root, (PathBuf::from("/a"), Within::OutermostConfig));
        }
        let mut asked = files.0.into_inner().expect("nobody panicked");
        let all = asked.len();
        asked.sort();
        asked.dedup();
        assert_eq!(all, asked.len(), "{asked:?}");
    }
}
