//! Files with what code in them uses of other code, found out when somebody first asks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use dashmap::DashMap;
use promptls_hosts::Demand;

use super::is_code::is_code;
use super::uses::Uses;
use crate::configs::Configs;
use crate::files::{Disk, Files, Once};
use crate::read_error::{ReadError, Within};

/// Files on disk, for a program that runs once.
pub type DiskOnce = WithUses<Once<Disk>>;

/// The files that say where an application starts.
const MANIFESTS: [&str; 8] = [
    "pyproject.toml",
    "setup.py",
    "requirements.txt",
    "package.json",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
];

/// A folder with this file is a part of the one above it, as Python has it.
const PACKAGE: &str = "__init__.py";

/// Files as they are at one time. The first question about a file of code goes through the whole
/// [workspace](WithUses::workspace) around it.
#[derive(Debug, Default)]
pub struct WithUses<F> {
    files: F,
    by_workspace: Mutex<BTreeMap<PathBuf, Uses>>,
    /// The workspaces that folders are in.
    workspaces: DashMap<PathBuf, PathBuf>,
    configs: Configs,
}

impl<F> WithUses<F> {
    /// Nothing is known yet.
    pub fn new(files: F) -> WithUses<F> {
        WithUses {
            files,
            by_workspace: Mutex::default(),
            workspaces: DashMap::new(),
            configs: Configs::default(),
        }
    }
}

impl<F: Files> WithUses<F> {
    /// The folder in which code may use what is in a folder: what the files there may
    /// [reach](crate::reach::Reach::root). Where neither a repository nor a config says that, the
    /// nearest folder with a manifest, or the one of the outermost package.
    fn workspace(&self, folder: &Path) -> PathBuf {
        if let Some(known) = self.workspaces.get(folder) {
            return known.clone();
        }
        let root = self.configs.reach().root(&self.files, folder);
        let has = |folder: &Path, name: &str| self.files.is_there(&folder.join(name));
        let workspace = match root.1 {
            Within::Folder => {
                let is_start = |folder: &&Path| MANIFESTS.iter().any(|name| has(folder, name));
                let package = || folder.ancestors().find(|folder| !has(folder, PACKAGE));
                // Somebody's home may have any file, and is no application.
                let home = std::env::home_dir();
                let mut folders = folder.ancestors().take_while(|it| Some(*it) != home.as_deref());
                folders.find(is_start).or_else(package).unwrap_or(folder).to_owned()
            }
            _ => root.0.clone(),
        };
        self.workspaces.insert(folder.to_owned(), workspace.clone());
        workspace
    }
}

impl<F: Files> Files for WithUses<F> {
    fn uses(&self, path: &Path) -> Option<Arc<[Demand]>> {
        if !is_code(path) {
            return None;
        }
        let workspace = self.workspace(path.parent().unwrap_or(Path::new("/")));
        let mut known = self.by_workspace.lock().unwrap_or_else(PoisonError::into_inner);
        let uses = known
            .entry(workspace)
            .or_insert_with_key(|folder| Uses::below(folder, &self.files, &self.configs));
        Some(uses.of(path))
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
