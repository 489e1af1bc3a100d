//! All pages that look at the prompt, and what they do not know yet.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::extract::ws::Utf8Bytes;
use serde_json::{Value, json};
use tokio::sync::Notify;

/// All pages.
#[derive(Debug, Default)]
pub struct Pages {
    outboxes: Mutex<Vec<Weak<Outbox>>>,
}

/// What a page is to be told. A slow one hears only the last of several messages of one kind.
#[derive(Debug, Default)]
pub struct Outbox {
    waiting: Mutex<BTreeMap<&'static str, Utf8Bytes>>,
    arrived: Notify,
}

impl Pages {
    /// A page more; it is told everything from now on, for as long as somebody holds it.
    pub fn join(&self) -> Arc<Outbox> {
        let outbox = Arc::<Outbox>::default();
        self.outboxes.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&outbox));
        outbox
    }

    /// Tells all pages something; never waits for one.
    pub fn tell(&self, method: &'static str, params: &Value) {
        let text: Utf8Bytes = json!({ "method": method, "params": params }).to_string().into();
        let mut outboxes = self.outboxes.lock().unwrap_or_else(PoisonError::into_inner);
        outboxes.retain(|outbox| match outbox.upgrade() {
            Some(outbox) => {
                outbox.put(method, text.clone());
                true
            }
            None => false,
        });
    }
}

impl Outbox {
    fn put(&self, method: &'static str, text: Utf8Bytes) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(method, text);
        self.arrived.notify_one();
    }

    /// Waits until there is something, and takes all of it.
    pub async fn take(&self) -> Vec<Utf8Bytes> {
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
