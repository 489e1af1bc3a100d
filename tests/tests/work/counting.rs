//! The disk, with counts of its accesses.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use promptls_workspace::{Configs, DiskOnce, Files, Layer, Listing, Project, ReadError, Reading};

/// A disk that counts its accesses.
#[derive(Default)]
pub struct Counting {
    disk: DiskOnce,
    read: AtomicU64,
    listed: AtomicU64,
    shared: Mutex<BTreeSet<PathBuf>>,
}

impl Counting {
    /// This disk and the programs on it, with configs.
    pub fn project<'p>(&'p self, configs: &'p Configs) -> Project<'p> {
        Project { files: self, configs, program: &self.disk }
    }

    /// The number of files read. Each file that several prompts share counts once.
    pub fn files_read(&self) -> u64 {
        let shared = self.shared.lock().expect("no thread panicked").len() as u64;
        self.read.load(Ordering::Relaxed) + shared
    }

    /// The number of folder listings.
    pub fn folders_listed(&self) -> u64 {
        self.listed.load(Ordering::Relaxed)
    }
}

impl Layer for Counting {
    fn below(&self) -> &dyn Files {
        &self.disk
    }

    fn read_as(&self, path: &Path, reading: Reading) -> Result<Arc<str>, ReadError> {
        match reading {
            Reading::Shared => {
                self.shared.lock().expect("no thread panicked").insert(path.to_owned());
            }
            _ => _ = self.read.fetch_add(1, Ordering::Relaxed),
        }
        self.below().read_as(path, reading)
    }

    fn list(&self, folder: &Path) -> Arc<Listing> {
        self.listed.fetch_add(1, Ordering::Relaxed);
        self.below().list(folder)
    }
}
