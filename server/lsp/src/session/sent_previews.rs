//! The previews that clients have, from which the changes of the next response are computed.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use promptls_protocol::PreviewText;
use ropey::Rope;

/// The maximum number of stored previews: one for each client, and there are few clients at a time.
const KEPT: usize = 8;

/// A preview, and the document that it refers to.
#[derive(Clone, Debug)]
pub struct StoredPreview {
    /// The preview that was sent to the client.
    pub shown: Arc<PreviewText>,
    /// The document that its ranges refer to.
    pub document: Rope,
}

/// The previews of clients, newest last.
#[derive(Debug, Default)]
pub struct SentPreviews(Mutex<VecDeque<(String, StoredPreview)>>);

impl SentPreviews {
    /// Stores a new preview in place of the previous one. Returns the id of the new one, and the
    /// previous one if it is still stored.
    pub fn replace(&self, old: &str, new: StoredPreview) -> (String, Option<StoredPreview>) {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        // A page may switch to another server, so the id includes the process.
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let id = format!("{}-{number}", std::process::id());
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(id, _)| id == old);
        let old = at.and_then(|at| kept.remove(at)).map(|(_, kept)| kept);
        kept.push_back((id.clone(), new));
        if kept.len() > KEPT {
            kept.pop_front();
        }
        (id, old)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_preview_is_kept_per_client_and_the_oldest_are_dropped() {
        let kept = SentPreviews::default();
        let shown = Arc::new(PreviewText { text: "a".to_owned(), map: Vec::new() });
        let preview = || StoredPreview { shown: shown.clone(), document: "a".into() };
        let (mine, none) = kept.replace("", preview());
        assert!(none.is_none());
        let (next, old) = kept.replace(&mine, preview());
        assert!(old.is_some());
        assert!(kept.replace(&mine, preview()).1.is_none());
        for _ in 0..KEPT {
            kept.replace("", preview());
        }
        assert!(kept.replace(&next, preview()).1.is_none());
        assert_eq!(kept.0.lock().unwrap().len(), KEPT);
    }
}
