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
        let has_config = |folder: &&Path| files.is_there(&folder.join(CONFIG_NAME));
        let root = match (repository(files, folder), folder.ancestors().filter(has_config).last()) {
            (Some(repository), _) => (repository.to_owned(), Within::Repository),
            (None, Some(outermost)) => (outermost.to_owned(), Within::OutermostConfig),
            (None, None) => (folder.to_owned(), Within::Folder),
        };
        let root = Arc::new(root);
        self.roots.insert(folder.to_owned(), root.clone());
        root
    }
}

/// The top folder of the repository that a folder is in.
pub fn repository<'p>(files: &dyn Files, folder: &'p Path) -> Option<&'p Path> {
    // A work tree has a file there, a plain repository a folder.
    let is_repository = |folder: &&Path| files.is_there(&folder.join(".git"));
    folder.ancestors().find(is_repository)
}
