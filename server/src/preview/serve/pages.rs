//! All pages that show the prompt.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::extract::ws::Utf8Bytes;
use serde_json::{Value, json};

use promptls_lsp::followers::outbox::Outbox;

/// The connected pages; closed ones are removed at the next notification.
#[derive(Debug, Default)]
pub struct Pages {
    outboxes: Mutex<Vec<Weak<Outbox<Utf8Bytes>>>>,
}

impl Pages {
    /// Adds a page. It receives all notifications until the returned outbox is dropped.
    pub fn join(&self) -> Arc<Outbox<Utf8Bytes>> {
        let outbox = Arc::<Outbox<Utf8Bytes>>::default();
        self.outboxes.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&outbox));
        outbox
    }

    /// Sends a notification to all pages, without waiting.
    pub fn notify(&self, method: &'static str, params: &Value) {
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
