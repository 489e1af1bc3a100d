//! A bounded queue of messages for a slow receiver. Senders never wait.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

/// Messages for one receiver. Only the last message of each kind is kept, so the size is limited by
/// the number of kinds.
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
    /// Adds a message in place of an older one of its kind. Never waits.
    pub fn put(&self, kind: &'static str, message: T) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(kind, message);
        self.arrived.notify_one();
    }

    /// Waits for messages and takes all of them, in the order of the kinds. Cancel safe.
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
