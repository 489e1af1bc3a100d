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
use super::uses::Uses;
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
    /// The files without anything that could make a prompt, sorted.
    passed_over: Vec<PathBuf>,
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
        if !is_code(path) {
            return None;
        }
        let workspace = self.workspace(path.parent().unwrap_or(Path::new("/")));
        let mut known = self.by_workspace.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.entry(workspace).or_insert_with_key(|folder| {
            let (uses, passed_over) = Uses::below(folder, &self.files, &self.configs);
            Known { uses, passed_over }
        });
        Some(question(known))
    }
}

impl<F: Files> Files for WithUses<F> {
    fn uses(&self, path: &Path) -> Option<Arc<[Demand]>> {
        self.ask(path, |known| known.uses.of(path))
    }

    fn is_passed_over(&self, path: &Path) -> bool {
        let is_among = |known: &Known| known.passed_over.binary_search_by(|it| by_bytes(it, path));
        self.ask(path, |known| is_among(known).is_ok() && known.uses.of(path).is_empty())
            .unwrap_or(false)
    }

    fn app(&self, path: &Path) -> Option<Arc<AppNames>> {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let workspace = self.workspace(folder);
        let app = with_manifest(folder, &workspace, &self.files).unwrap_or(workspace);
        let mut known = self.by_app.lock().unwrap_or_else(PoisonError::into_inner);
        let names = known.entry(app);
        let names = names.or_insert_with_key(|folder| names_below(folder, &self.files).into());
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
