//! Large files: they are read in the background, and then cached.
//!
//! The first answer about a prompt must not wait for 100 MB of inputs. Until such a file is read,
//! [`ReadError::Reading`] is reported where it is needed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use dashmap::DashMap;
use promptls_workspace::{DISK, Disk, ReadError, Stamp, max_file_bytes};
use tokio::sync::Notify;

/// Files above this size in bytes are read in the background.
const READ_AT_ONCE: u64 = 1 << 20;

/// The files that were read in the background, and those to be read.
#[derive(Debug, Default)]
pub struct LargeFiles {
    read: DashMap<PathBuf, LargeFile>,
    requested: Mutex<BTreeSet<PathBuf>>,
    is_wanted: Notify,
}

/// A file at the time when it was read.
#[derive(Debug)]
struct LargeFile {
    stamp: Stamp,
    text: Result<Arc<str>, ReadError>,
}

impl LargeFiles {
    /// The text of a file on disk. A large file that is not cached is scheduled, and the result is
    /// an error.
    pub fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read_or(path, || {
            self.requested.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
            self.is_wanted.notify_one();
            Err(ReadError::Reading { path: path.to_owned() })
        })
    }

    /// The same for callers that can wait: a large file is read now.
    pub fn read_now(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.read_or(path, || {
            let stamp = Disk.stamp(path)?;
            let text = DISK.read(path);
            self.read.insert(path.to_owned(), LargeFile { stamp, text: text.clone() });
            text
        })
    }

    /// The text of a small or cached file; otherwise the result of `large`.
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

    /// Waits until there is a file to read.
    pub async fn requested(&self) {
        self.is_wanted.notified().await;
    }

    /// Reads the scheduled files and returns their paths.
    pub fn read_requested(&self) -> BTreeSet<PathBuf> {
        let requested =
            std::mem::take(&mut *self.requested.lock().unwrap_or_else(PoisonError::into_inner));
        for path in &requested {
            // Errors are cached, and reported where the file is used.
            let _ = self.read_now(path);
        }
        requested
    }

    /// Drops the texts of files that are no longer needed.
    pub fn retain(&self, is_needed: impl Fn(&Path) -> bool) {
        self.read.retain(|path, _| is_needed(path));
    }
}
