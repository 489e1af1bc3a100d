//! Files with what code in them uses of other code, and says of names, found out when somebody first
//! asks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use dashmap::DashMap;
use promptls_hosts::Demand;

use super::app::{names_below, with_manifest, workspace_of};
use super::app_names::AppNames;
use super::is_code::is_code;
use super::uses::{PassedOver, Uses};
use crate::configs::Configs;
use crate::files::{Disk, Files, Once};
use crate::read_error::ReadError;
use crate::walking::walk::by_bytes;

/// Files on disk, for a program that runs once.
pub type DiskOnce = WithUses<Once<Disk>>;

/// Files as they are at one time. The first question about a file of code goes through the whole
/// [workspace](WithUses::workspace) around it.
#[derive(Debug, Default)]
pub struct WithUses<F> {
    files: F,
    by_workspace: Mutex<BTreeMap<PathBuf, Known>>,
    by_app: Mutex<BTreeMap<PathBuf, Arc<AppNames>>>,
    /// The workspaces that folders are in.
    workspaces: DashMap<PathBuf, PathBuf>,
    configs: Configs,
}

/// What is known of a workspace.
#[derive(Debug)]
struct Known {
    uses: Uses,
    passed_over: Arc<PassedOver>,
}

impl<F> WithUses<F> {
    /// Nothing is known yet.
    pub fn new(files: F) -> WithUses<F> {
        WithUses {
            files,
            by_workspace: Mutex::default(),
            by_app: Mutex::default(),
            workspaces: DashMap::new(),
            configs: Configs::default(),
        }
    }
}

impl<F: Files> WithUses<F> {
    /// See [`workspace_of`].
    fn workspace(&self, folder: &Path) -> PathBuf {
        if let Some(known) = self.workspaces.get(folder) {
            return known.clone();
        }
        let workspace = workspace_of(folder, self.configs.reach(), &self.files);
        self.workspaces.insert(folder.to_owned(), workspace.clone());
        workspace
    }

    /// What is known of the workspace of a file of code.
    fn ask<T>(&self, path: &Path, question: impl FnOnce(&Known) -> T) -> Option<T> {
        let folder = path.parent().unwrap_or(Path::new("/"));
        is_code(path).then(|| self.ask_of(self.workspace(folder), question))
    }

    fn ask_of<T>(&self, workspace: PathBuf, question: impl FnOnce(&Known) -> T) -> T {
        let mut known = self.by_workspace.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.entry(workspace).or_insert_with_key(|folder| {
            let (uses, passed_over) = Uses::below(folder, &self.files, &self.configs);
            Known { uses, passed_over: Arc::new(passed_over) }
        });
        question(known)
    }
}

/// Whether a path is one of some that are sorted [`by_bytes`].
fn is_in(paths: &[PathBuf], path: &Path) -> bool {
    paths.binary_search_by(|it| by_bytes(it, path)).is_ok()
}

impl<F: Files> Files for WithUses<F> {
    fn uses(&self, path: &Path) -> Option<Arc<[Demand]>> {
        self.ask(path, |known| known.uses.of(path))
    }

    fn is_passed_over(&self, path: &Path) -> bool {
        let is_among = |known: &Known| is_in(&known.passed_over.without_prompts, path);
        self.ask(path, |known| is_among(known) && known.uses.of(path).is_empty()).unwrap_or(false)
    }

    fn app(&self, path: &Path) -> Option<Arc<AppNames>> {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let workspace = self.workspace(folder);
        let app = with_manifest(folder, &workspace, &self.files);
        let passed_over = self.ask_of(workspace.clone(), |known| known.passed_over.clone());
        let is_silent = |path: &Path| is_in(&passed_over.without_state, path);
        let mut known = self.by_app.lock().unwrap_or_else(PoisonError::into_inner);
        let names = known.entry(app.unwrap_or(workspace));
        let names = names
            .or_insert_with_key(|folder| Arc::new(names_below(folder, &self.files, is_silent)));
        Some(names.clone())
    }

    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.files.read(path)
    }

    fn read_shared(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.files.read_shared(path)
    }

    fn read_named(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.files.read_named(path)
    }

    fn list(&self, folder: &Path) -> Arc<[String]> {
        self.files.list(folder)
    }

    fn is_there(&self, path: &Path) -> bool {
        self.files.is_there(path)
    }

    fn is_link(&self, path: &Path) -> bool {
        self.files.is_link(path)
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        self.files.without_links(path)
    }

    fn walk(&self, folder: &Path) -> Vec<PathBuf> {
        self.files.walk(folder)
    }

    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        self.files.glob(folder, glob)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files on disk, and the names of those that were read.
    #[derive(Default)]
    struct Noting(Mutex<Vec<String>>);

    impl Files for Noting {
        fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            self.0.lock().expect("nobody panics").push(name);
            Disk.read(path)
        }

        fn list(&self, folder: &Path) -> Arc<[String]> {
            Disk.list(folder)
        }

        fn is_there(&self, path: &Path) -> bool {
            Disk.is_there(path)
        }

        fn is_link(&self, path: &Path) -> bool {
            Disk.is_link(path)
        }

        fn without_links(&self, path: &Path) -> Option<PathBuf> {
            Disk.without_links(path)
        }
    }

    #[test]
    fn code_that_says_nothing_is_read_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for (name, text) in [
            ("pyproject.toml", ""),
            ("agent.py", "from google.adk.agents import Agent\nAgent(instruction='{x}')"),
            ("plain.py", "print('the state of things', output)"),
            ("state.py", "state['x'] = 1"),
        ] {
            std::fs::write(path(name), text).expect("it is written");
        }
        let files = WithUses::new(Noting::default());
        assert!(
            files.is_passed_over(&path("plain.py")) && !files.is_passed_over(&path("agent.py"))
        );
        let names = files.app(&path("agent.py")).expect("there is an application");
        assert_eq!(names.places("x").len(), 1);
        let mut read = files.files.0.into_inner().expect("nobody panics");
        read.sort_unstable();
        assert_eq!(read, ["agent.py", "plain.py", "pyproject.toml", "state.py", "state.py"]);
    }

    #[test]
    fn a_workspace_is_said_by_a_repository_or_a_manifest_or_packages() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        for name in [
            "git/.git/HEAD",
            "git/app/pyproject.toml",
            "git/app/a/x.py",
            "app/setup.py",
            "app/a/b/x.py",
            "pkg/a/__init__.py",
            "pkg/a/b/__init__.py",
            "plain/a/x.py",
        ] {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
            std::fs::write(path, "").expect("it is written");
        }
        let files = WithUses::new(Disk);
        for (of, expected) in
            [("git/app/a", "git"), ("app/a/b", "app"), ("pkg/a/b", "pkg"), ("plain/a", "plain/a")]
        {
            assert_eq!(files.workspace(&root.join(of)), root.join(expected));
        }
    }
}
