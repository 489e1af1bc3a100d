//! Gives back the memory of closed documents, and of large answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

/// Bytes of closed documents above which memory is given back. Code takes up to a hundred times its
/// size: 7 KB with 95 prompts take 550 KB.
const MAX_CLOSED_BYTES: usize = 256 * 1024;

/// Files in answers above which memory is given back, in one answer or in many.
const MAX_ANSWERED_FILES: usize = 1_000;

/// The delay after the last closing. Requests that still use a document have ended by then, and
/// closing a window is one event for the user, and many for the server.
const REST: Duration = Duration::from_secs(1);

/// What could be given back.
#[derive(Debug, Default)]
pub struct GiveBack {
    is_due: Notify,
    /// Bytes of documents that were closed since memory was last due.
    closed_bytes: AtomicUsize,
    /// Files in answers since memory was last due.
    answered_files: AtomicUsize,
}

impl GiveBack {
    /// Counts a closed document, by its size in bytes.
    pub fn closed(&self, bytes: usize) {
        self.count(&self.closed_bytes, bytes, MAX_CLOSED_BYTES);
    }

    /// Counts the files whose problems are on their way to the editor.
    pub fn answered(&self, files: usize) {
        self.count(&self.answered_files, files, MAX_ANSWERED_FILES);
    }

    /// Adds to a sum, which starts again above its limit.
    fn count(&self, sum: &AtomicUsize, more: usize, limit: usize) {
        if sum.fetch_add(more, Ordering::Relaxed) + more > limit {
            sum.store(0, Ordering::Relaxed);
            self.is_due.notify_one();
        }
    }

    /// Gives back what is free, for as long as the server lives.
    pub async fn run(self: Arc<GiveBack>) {
        loop {
            self.is_due.notified().await;
            while tokio::time::timeout(REST, self.is_due.notified()).await.is_ok() {}
            // If that thread panics, the next one may do better.
            let _ = tokio::task::spawn_blocking(promptls_memory::give_back).await;
        }
    }
}
