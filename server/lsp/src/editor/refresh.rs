//! Sends refresh requests, for data that the editor otherwise requests only after edits.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

use crate::client_capabilities::Refreshes;
use crate::convert::Uri;
use crate::editor::Editor;

/// The time the editor has to answer before the next request is sent.
const PATIENCE: Duration = Duration::from_secs(10);

/// Pending refresh requests; at most one of each kind is in flight.
#[derive(Debug, Default)]
pub struct Refresh {
    diagnostics: AtomicBool,
    display: AtomicBool,
    /// The virtual documents that the editor has requested, by prompt.
    requested_contents: Mutex<HashMap<Uri, BTreeSet<String>>>,
    /// The URIs of those that are stale.
    contents: Mutex<BTreeSet<String>>,
    pending: Notify,
}

impl Refresh {
    /// Requests new diagnostics: those of an open document changed without an edit of it.
    pub fn diagnostics(&self) {
        self.diagnostics.store(true, Ordering::Relaxed);
        self.pending.notify_one();
    }

    /// The same for displays in the text: hints, lenses and tokens.
    pub fn display(&self) {
        self.display.store(true, Ordering::Relaxed);
        self.pending.notify_one();
    }

    /// Notes that the editor requested the resolved text of a prompt at this URI.
    pub fn content_requested(&self, prompt: Uri, address: String) {
        let mut requested = self.requested_contents.lock().unwrap_or_else(PoisonError::into_inner);
        requested.entry(prompt).or_default().insert(address);
    }

    /// Marks the resolved texts of a changed prompt as stale. An editor that still shows one
    /// requests it again.
    pub fn contents_of(&self, prompt: &Uri) {
        let mut requested = self.requested_contents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(addresses) = requested.remove(prompt) {
            self.contents.lock().unwrap_or_else(PoisonError::into_inner).extend(addresses);
            self.pending.notify_one();
        }
    }

    /// Sends refresh requests until the server ends.
    pub async fn run(self: Arc<Self>, editor: Editor, refreshes: Refreshes) {
        loop {
            self.pending.notified().await;
            // The wait for an answer is limited, and errors in it are ignored.
            if self.diagnostics.swap(false, Ordering::Relaxed) {
                let diagnostics =
                    request(&editor, "workspace/diagnostic/refresh", refreshes.diagnostics);
                let _ = timeout(PATIENCE, diagnostics).await;
            }
            if self.display.swap(false, Ordering::Relaxed) {
                let hints = request(&editor, "workspace/inlayHint/refresh", refreshes.inlay_hints);
                let lenses = request(&editor, "workspace/codeLens/refresh", refreshes.code_lenses);
                let tokens =
                    request(&editor, "workspace/semanticTokens/refresh", refreshes.semantic_tokens);
                let all = async { tokio::join!(hints, lenses, tokens) };
                let _ = timeout(PATIENCE, all).await;
            }
            let contents = {
                let mut old = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
                std::mem::take(&mut *old)
            };
            for uri in contents.into_iter().filter(|_| refreshes.contents) {
                let _ = timeout(PATIENCE, editor.refresh_content(uri)).await;
            }
        }
    }
}

/// Sends a refresh request, if the editor supports it.
async fn request(editor: &Editor, method: &'static str, is_supported: bool) {
    if is_supported {
        editor.refresh(method).await;
    }
}
