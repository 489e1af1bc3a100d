//! The disk, with counts of its accesses.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use promptls_workspace::{DiskOnce, Files, ReadError};

/// A disk that counts its accesses.
#[derive(Default)]
pub struct Counting {
    disk: DiskOnce,
    read: AtomicU64,
    listed: AtomicU64,
    shared: Mutex<BTreeSet<PathBuf>>,
}

impl Counting {
    /// The number of files read. Each file that several prompts share counts once.
    pub fn files_read(&self) -> u64 {
        let shared = self.shared.lock().expect("nobody panics").len() as u64;
        self.read.load(Ordering::Relaxed) + shared
    }

    /// The number of folder listings.
    pub fn folders_listed(&self) -> u64 {
        self.listed.load(Ordering::Relaxed)
    }
}

impl Files for Counting {
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read.fetch_add(1, Ordering::Relaxed);
        self.disk.read(path)
    }

    fn read_shared(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.shared.lock().expect("nobody panics").insert(path.to_owned());
        self.disk.read_shared(path)
    }

    fn list(&self, folder: &Path) -> Arc<[String]> {
        self.listed.fetch_add(1, Ordering::Relaxed);
        self.disk.list(folder)
    }

    fn is_there(&self, path: &Path) -> bool {
        self.disk.is_there(path)
    }

    fn is_link(&self, path: &Path) -> bool {
        self.disk.is_link(path)
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        self.disk.without_links(path)
    }

    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        self.disk.glob(folder, glob)
    }
}
