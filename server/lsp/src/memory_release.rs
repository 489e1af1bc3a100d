//! Returns the memory of closed documents, and of large messages and answers, to the system.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

/// The bytes of closed documents above which memory is returned. Code takes up to a hundred times
/// its size: 7 KB with 95 prompts take 550 KB.
const MAX_CLOSED_BYTES: usize = 256 * 1024;

/// The bytes of texts in messages above which memory is returned: those of the message, of the text in
/// it, and of intermediate results take several times as much.
const MAX_RECEIVED_BYTES: usize = 1024 * 1024;

/// The number of files in answers above which memory is returned. Several answers add up.
const MAX_ANSWERED_FILES: usize = 1_000;

/// The delay after the last closed document or large message. Requests that still use a document have ended by then.
/// Closing a window is one event for the user, but many for the server.
const REST: Duration = Duration::from_secs(1);

/// Counts memory that could be returned.
#[derive(Debug, Default)]
pub struct MemoryRelease {
    is_due: Notify,
    /// The bytes of documents that were closed since the limit was last reached.
    closed_bytes: AtomicUsize,
    /// The bytes of texts in messages since the limit was last reached.
    received_bytes: AtomicUsize,
    /// The number of files in answers since the limit was last reached.
    answered_files: AtomicUsize,
}

impl MemoryRelease {
    /// Counts a closed document, by its size in bytes.
    pub fn closed(&self, bytes: usize) {
        self.count(&self.closed_bytes, bytes, MAX_CLOSED_BYTES);
    }

    /// Counts the text of a document or of a change, by its size in bytes.
    pub fn received(&self, bytes: usize) {
        self.count(&self.received_bytes, bytes, MAX_RECEIVED_BYTES);
    }

    /// Counts the files in an answer to the editor.
    pub fn answered(&self, files: usize) {
        self.count(&self.answered_files, files, MAX_ANSWERED_FILES);
    }

    /// Adds to a sum. Above its limit, it is reset and memory is returned.
    fn count(&self, sum: &AtomicUsize, more: usize, limit: usize) {
        if sum.fetch_add(more, Ordering::Relaxed) + more > limit {
            sum.store(0, Ordering::Relaxed);
            self.is_due.notify_one();
        }
    }

    /// Returns free memory to the system until the server ends.
    pub async fn run(self: Arc<MemoryRelease>) {
        loop {
            self.is_due.notified().await;
            while tokio::time::timeout(REST, self.is_due.notified()).await.is_ok() {}
            // A panic in that thread loses only one attempt.
            let _ = tokio::task::spawn_blocking(promptls_memory::give_back).await;
        }
    }
}
