//! Files that take long to read: they are read in the background, and then kept.
//!
//! The first answer about a prompt must not wait for 100 MB of inputs. Until such a file is read,
//! [`ReadError::Reading`] says so where the file is needed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use dashmap::DashMap;
use promptls_workspace::{Disk, Files, ReadError, Stamp, max_file_bytes};
use tokio::sync::Notify;

/// Files above this size are read in the background, in bytes.
const READ_AT_ONCE: u64 = 1 << 20;

/// What was read in the background, and what is to be.
#[derive(Debug, Default)]
pub struct LargeFiles {
    read: DashMap<PathBuf, LargeFile>,
    wanted: Mutex<BTreeSet<PathBuf>>,
    is_wanted: Notify,
}

/// A file as it was when it was read.
#[derive(Debug)]
struct LargeFile {
    stamp: Stamp,
    text: Result<Arc<str>, ReadError>,
}

impl LargeFiles {
    /// The text of a file on disk. One that is large and not read yet will be.
    pub fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read_or(path, || {
            self.wanted.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
            self.is_wanted.notify_one();
            Err(ReadError::Reading { path: path.to_owned() })
        })
    }

    /// The same for who can wait.
    pub fn read_now(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read_or(path, || {
            let stamp = Disk.stamp(path)?;
            let text = Disk.read(path);
            self.read.insert(path.to_owned(), LargeFile { stamp, text: text.clone() });
            text
        })
    }

    /// The text of a file that is small, or known; else what is made of it.
    fn read_or(
        &self,
        path: &Path,
        large: impl FnOnce() -> Result<Arc<str>, ReadError>,
    ) -> Result<Arc<str>, ReadError> {
        match Disk.read_at_most(path, READ_AT_ONCE.min(max_file_bytes())) {
            Err(ReadError::TooLarge { .. }) => {
                self.known(path, Disk.stamp(path)?).unwrap_or_else(large)
            }
            read => read,
        }
    }

    fn known(&self, path: &Path, stamp: Stamp) -> Option<Result<Arc<str>, ReadError>> {
        let known = self.read.get(path)?;
        (known.stamp == stamp).then(|| known.text.clone())
    }

    /// Waits until a file is to be read.
    pub async fn wanted(&self) {
        self.is_wanted.notified().await;
    }

    /// Reads what is to be read, and says which files these were.
    pub fn read_wanted(&self) -> BTreeSet<PathBuf> {
        let wanted =
            std::mem::take(&mut *self.wanted.lock().unwrap_or_else(PoisonError::into_inner));
        for path in &wanted {
            // What goes wrong is said to whoever needs the file.
            let _ = self.read_now(path);
        }
        wanted
    }

    /// Forgets the texts of files that nobody needs any more.
    pub fn retain(&self, is_needed: impl Fn(&Path) -> bool) {
        self.read.retain(|path, _| is_needed(path));
    }
}
