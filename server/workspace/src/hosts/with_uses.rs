//! Files with what code in them uses of other code, found out when somebody first asks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use promptls_hosts::Demand;

use super::uses::{Uses, is_code};
use crate::configs::Configs;
use crate::files::{Disk, Files, Once};
use crate::read_error::ReadError;

/// Files on disk, for a program that runs once.
pub type DiskOnce = WithUses<Once<Disk>>;

/// Files as they are at one time. The first question about a file of code goes through the whole
/// workspace around it: its repository, or what else its [`Reach`](crate::reach::Reach) is.
#[derive(Debug, Default)]
pub struct WithUses<F> {
    files: F,
    by_folder: Mutex<BTreeMap<PathBuf, Uses>>,
    configs: Configs,
}

impl<F> WithUses<F> {
    /// Nothing is known yet.
    pub fn new(files: F) -> WithUses<F> {
        WithUses { files, by_folder: Mutex::default(), configs: Configs::default() }
    }
}

impl<F: Files> Files for WithUses<F> {
    fn uses(&self, path: &Path) -> Option<Arc<[Demand]>> {
        if !is_code(path) {
            return None;
        }
        let mut known = self.by_folder.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(uses) = path.ancestors().find_map(|folder| known.get(folder)) {
            return Some(uses.of(path));
        }
        let folder = path.parent().unwrap_or(Path::new("/"));
        let root = self.configs.reach().root(&self.files, folder).0.clone();
        let uses = Uses::below(&root, &self.files, &self.configs);
        let found = uses.of(path);
        known.insert(root, uses);
        Some(found)
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
