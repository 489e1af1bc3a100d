//! Work that takes a while: the user sees it, and can cancel it.
//!
//! Where the editor shows no progress, or does not say that it does, the work is done all the same.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types as lsp;

use crate::session::Session;

/// What an editor sends when the user cancels something; tower-lsp has no name for it.
pub const CANCEL: &str = "window/workDoneProgress/cancel";

/// How long an editor may take to make place for a progress.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is under way.
#[derive(Debug, Default)]
pub struct Running(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    count: u32,
    cancels: HashMap<lsp::ProgressToken, oneshot::Sender<()>>,
}

impl Running {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn new_token(&self) -> lsp::ProgressToken {
        let mut state = self.state();
        state.count += 1;
        lsp::ProgressToken::String(format!("promptls {}", state.count))
    }

    /// Cancels what has this token, if it is still under way.
    pub fn cancel(&self, token: &lsp::ProgressToken) {
        if let Some(cancel) = self.state().cancels.remove(token) {
            // It may have ended in between.
            let _ = cancel.send(());
        }
    }
}

impl Session {
    /// Does some work under a title. A token is the editor's own; without one, it is asked to show
    /// ours. Work that is cancelled is dropped where it waits.
    pub async fn with_progress<T>(
        &self,
        token: Option<lsp::ProgressToken>,
        title: String,
        work: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let token = match token {
            Some(token) => Some(token),
            None => self.new_progress().await,
        };
        let Some(token) = token else { return work.await };
        let (cancel, cancelled) = oneshot::channel();
        self.running.state().cancels.insert(token.clone(), cancel);
        let progress = self.client.progress(token.clone(), title).with_cancel_button();
        let progress = progress.begin().await;
        let done = tokio::select! {
            done = work => done,
            Ok(()) = cancelled => Err(Error::request_cancelled()),
        };
        self.running.state().cancels.remove(&token);
        progress.finish().await;
        done
    }

    async fn new_progress(&self) -> Option<lsp::ProgressToken> {
        if !self.client_capabilities().shows_progress {
            return None;
        }
        let token = self.running.new_token();
        let params = lsp::WorkDoneProgressCreateParams { token: token.clone() };
        let created = self.client.send_request::<lsp::request::WorkDoneProgressCreate>(params);
        matches!(timeout(PATIENCE, created).await, Ok(Ok(()))).then_some(token)
    }
}
