//! Tells the editor to ask again for what it asks for by itself only after edits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;
use tower_lsp::Client;
use tower_lsp::jsonrpc::Request;
use tower_service::Service;

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
            if self.diagnostics.swap(false, Ordering::Relaxed) {
                let diagnostics =
                    ask(&client, "workspace/diagnostic/refresh", refreshes.diagnostics);
                let _ = timeout(PATIENCE, diagnostics).await;
            }
            if self.display.swap(false, Ordering::Relaxed) {
                let hints = ask(&client, "workspace/inlayHint/refresh", refreshes.inlay_hints);
                let lenses = ask(&client, "workspace/codeLens/refresh", refreshes.code_lenses);
                let tokens =
                    ask(&client, "workspace/semanticTokens/refresh", refreshes.semantic_tokens);
                let all = async { tokio::join!(hints, lenses, tokens) };
                let _ = timeout(PATIENCE, all).await;
            }
        }
    }
}

/// Has the editor ask again, if it can. The request has no `params`; those of tower-lsp have
/// `null`, which the protocol does not allow.
async fn ask(client: &Client, method: &'static str, is_supported: bool) {
    if is_supported {
        let request = Request::build(method).id(client.next_request_id()).finish();
        // What it answers is its own affair.
        let _ = client.clone().call(request).await;
    }
}
