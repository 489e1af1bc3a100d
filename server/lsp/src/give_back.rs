//! Gives back the memory of large documents when they are closed, and of large answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Notify;

/// Documents above this size are worth it, in bytes.
const LARGE: usize = 1024 * 1024;

/// Answers about more files than these are worth it, be it one or many.
const MANY: usize = 1_000;

/// How long after the last closing: whoever still works on a document has given it up by then, and
/// closing a window is one event for the user, and many for us.
const REST: Duration = Duration::from_secs(1);

/// Whether there is something to give back.
#[derive(Debug, Default)]
pub struct GiveBack {
    closed: Notify,
    /// Of how many files the editor was told since.
    told: AtomicUsize,
}

impl GiveBack {
    /// A document of so many bytes was closed.
    pub fn closed(&self, bytes: usize) {
        if bytes > LARGE {
            self.closed.notify_one();
        }
    }

    /// Problems of so many files are on their way to the editor.
    pub fn told(&self, files: usize) {
        if self.told.fetch_add(files, Ordering::Relaxed) + files > MANY {
            self.told.store(0, Ordering::Relaxed);
            self.closed.notify_one();
        }
    }

    /// Gives back what is free, for as long as the server lives.
    pub async fn run(self: Arc<GiveBack>) {
        loop {
            self.closed.notified().await;
            while tokio::time::timeout(REST, self.closed.notified()).await.is_ok() {}
            // If that thread panics, the next one may do better.
            let _ = tokio::task::spawn_blocking(promptls_memory::give_back).await;
        }
    }
}
