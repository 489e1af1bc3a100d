//! All pages that look at the prompt.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::extract::ws::Utf8Bytes;
use serde_json::{Value, json};

use promptls_lsp::followers::outbox::Outbox;

/// All pages.
#[derive(Debug, Default)]
pub struct Pages {
    outboxes: Mutex<Vec<Weak<Outbox<Utf8Bytes>>>>,
}

impl Pages {
    /// A page more; it is told everything from now on, for as long as somebody holds it.
    pub fn join(&self) -> Arc<Outbox<Utf8Bytes>> {
        let outbox = Arc::<Outbox<Utf8Bytes>>::default();
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
