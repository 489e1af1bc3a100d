//! Tells the editor to ask again for what it asks for by itself only after edits.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;
use tokio::sync::Notify;
use tokio::time::timeout;
use tower_lsp::Client;
use tower_lsp::jsonrpc::Request;
use tower_lsp::ls_types as lsp;
use tower_service::Service;

use crate::client_capabilities::Refreshes;

/// How long the editor may take to answer before it is told again.
const PATIENCE: Duration = Duration::from_secs(10);

/// Requests to ask again, at most one of each kind under way.
#[derive(Debug, Default)]
pub struct Refresh {
    diagnostics: AtomicBool,
    display: AtomicBool,
    /// The contents that the editor has asked for, by prompt.
    asked_contents: Mutex<HashMap<lsp::Uri, BTreeSet<String>>>,
    /// Those of them that are old.
    contents: Mutex<BTreeSet<String>>,
    wanted: Notify,
}

impl Refresh {
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

    /// The editor asks for the resolved text of a prompt at an address.
    pub fn content_was_asked(&self, prompt: lsp::Uri, address: String) {
        let mut asked = self.asked_contents.lock().unwrap_or_else(PoisonError::into_inner);
        asked.entry(prompt).or_default().insert(address);
    }

    /// A prompt changed: so may what was asked for of it. Who still shows it asks again.
    pub fn contents_of(&self, prompt: &lsp::Uri) {
        let mut asked = self.asked_contents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(addresses) = asked.remove(prompt) {
            self.contents.lock().unwrap_or_else(PoisonError::into_inner).extend(addresses);
            self.wanted.notify_one();
        }
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
            let contents = {
                let mut old = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
                std::mem::take(&mut *old)
            };
            for uri in contents.into_iter().filter(|_| refreshes.contents) {
                let request = Request::build("workspace/textDocumentContent/refresh")
                    .params(json!({ "uri": uri }))
                    .id(client.next_request_id())
                    .finish();
                let _ = timeout(PATIENCE, client.clone().call(request)).await;
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
