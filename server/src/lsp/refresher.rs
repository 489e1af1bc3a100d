//! Tells the editor to ask again for what it asks for by itself only after edits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;
use tower_lsp::Client;

use super::abilities::Refreshes;

/// How long the editor may take to answer before it is told again.
const PATIENCE: Duration = Duration::from_secs(10);

/// Requests to ask again, at most one of each kind under way.
#[derive(Debug, Default)]
pub struct Refresher {
    diagnostics: AtomicBool,
    display: AtomicBool,
    wanted: Notify,
}

impl Refresher {
    /// The problems of an open document changed, but not because of an edit of it.
    pub fn diagnostics(&self) {
        self.diagnostics.store(true, Ordering::Relaxed);
        self.wanted.notify_one();
    }

    /// The same for what is drawn into the text: hints, lenses, tokens.
    pub fn display(&self) {
        self.display.store(true, Ordering::Relaxed);
        self.wanted.notify_one();
    }

    /// Tells the editor for as long as the server lives.
    pub async fn run(self: Arc<Self>, client: Client, refreshes: Refreshes) {
        loop {
            self.wanted.notified().await;
            // An editor that never answers is told again all the same. Errors are its own affair.
            if self.diagnostics.swap(false, Ordering::Relaxed) && refreshes.diagnostics {
                let _ = timeout(PATIENCE, client.workspace_diagnostic_refresh()).await;
            }
            if self.display.swap(false, Ordering::Relaxed) {
                let hints = async {
                    if refreshes.inlay_hints {
                        let _ = client.inlay_hint_refresh().await;
                    }
                };
                let lenses = async {
                    if refreshes.code_lenses {
                        let _ = client.code_lens_refresh().await;
                    }
                };
                let tokens = async {
                    if refreshes.semantic_tokens {
                        let _ = client.semantic_tokens_refresh().await;
                    }
                };
                let all = async { tokio::join!(hints, lenses, tokens) };
                let _ = timeout(PATIENCE, all).await;
            }
        }
    }
}
