//! What somebody slow is to be told, without anybody waiting for them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

/// Messages for one listener. Of several of one kind only the last is kept, so it never holds more
/// than there are kinds.
#[derive(Debug)]
pub struct Outbox<T> {
    waiting: Mutex<BTreeMap<&'static str, T>>,
    arrived: Notify,
}

impl<T> Default for Outbox<T> {
    fn default() -> Self {
        Outbox { waiting: Mutex::default(), arrived: Notify::new() }
    }
}

impl<T> Outbox<T> {
    /// Puts a message in, in place of an older one of its kind. Never waits.
    pub fn put(&self, kind: &'static str, message: T) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(kind, message);
        self.arrived.notify_one();
    }

    /// Waits until there is something, and takes all of it, in the order of the kinds. May be given
    /// up while it waits.
    pub async fn take(&self) -> Vec<T> {
        loop {
            let waiting =
                std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
            if !waiting.is_empty() {
                return waiting.into_values().collect();
            }
            self.arrived.notified().await;
        }
    }
}
