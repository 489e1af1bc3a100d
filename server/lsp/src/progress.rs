//! Shows progress of long work to the user, with the option to cancel it.
//!
//! The work is done even if the editor does not support progress.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;
use tower_lsp::Client;
use tower_lsp::ls_types as lsp;

use crate::errors::{self, Error};
use crate::session::Session;
use crate::workspace::Done;

/// The notification that an editor sends when the user cancels; tower-lsp has no name for it.
pub const CANCEL: &str = "window/workDoneProgress/cancel";

/// The time an editor has to create a progress indicator.
const PATIENCE: Duration = Duration::from_secs(2);

/// Work that takes longer than this is shown.
const LONG: Duration = Duration::from_millis(500);

/// The work that is running.
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

    /// Cancels the work with this token, if it is still running.
    pub fn cancel(&self, token: &lsp::ProgressToken) {
        if let Some(cancel) = self.state().cancels.remove(token) {
            // The work may have ended in between.
            let _ = cancel.send(());
        }
    }
}

/// A progress indicator in the editor. It ends when this is dropped, for example because the editor
/// cancels the request.
struct ProgressIndicator {
    client: Client,
    running: Arc<Running>,
    token: lsp::ProgressToken,
}

impl Drop for ProgressIndicator {
    fn drop(&mut self) {
        self.running.state().cancels.remove(&self.token);
        let (client, token) = (self.client.clone(), self.token.clone());
        tokio::spawn(async move {
            let end = lsp::WorkDoneProgress::End(lsp::WorkDoneProgressEnd::default());
            let value = lsp::ProgressParamsValue::WorkDone(end);
            let params = lsp::ProgressParams { token, value };
            client.send_notification::<lsp::notification::Progress>(params).await;
        });
    }
}

impl Session {
    /// Does some work under a title. The token comes from the editor; without one, an indicator is
    /// created. Cancelled work is dropped at its next await.
    pub async fn with_progress<T, E: From<Error>>(
        &self,
        token: Option<lsp::ProgressToken>,
        title: String,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let token = match token {
            Some(token) => Some(token),
            None => self.new_progress().await,
        };
        let Some(token) = token else { return work.await };
        let (cancel, cancelled) = oneshot::channel();
        let (client, running) = (self.client.clone(), self.running.clone());
        running.state().cancels.insert(token.clone(), cancel);
        let _shown = ProgressIndicator { client, running, token: token.clone() };
        let _ = self.client.progress(token, title).with_cancel_button().begin().await;
        tokio::select! {
            done = work => done,
            Ok(()) = cancelled => Err(errors::cancelled().into()),
        }
    }

    /// The same for work that is usually short: an indicator is created only if it takes longer.
    pub async fn with_progress_if_long<T, E: From<Error>>(
        &self,
        token: Option<lsp::ProgressToken>,
        title: impl Into<String>,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let mut work = pin!(work);
        match timeout(LONG, &mut work).await {
            Ok(done) => done,
            Err(_) => self.with_progress(token, title.into(), work).await,
        }
    }

    /// Shows the progress of the workspace check until it is done, if that takes long. It cannot be
    /// cancelled, but everything that waits for it can.
    pub async fn show_workspace(&self, token: Option<lsp::ProgressToken>) {
        let mut settling = self.workspace.settling();
        let done = pin!(self.workspace.settle());
        if timeout(LONG, done).await.is_ok() {
            return;
        }
        let token = match token {
            Some(token) => Some(token),
            None => self.new_progress().await,
        };
        let Some(token) = token else { return };
        let (client, running) = (self.client.clone(), self.running.clone());
        let _shown = ProgressIndicator { client, running, token: token.clone() };
        let progress = self.client.progress(token, "Checking the prompts of the workspace");
        let progress = progress.begin().await;
        let mut steps = self.workspace.steps();
        loop {
            let done = *steps.borrow_and_update();
            if settling.has_results(&done) {
                return;
            }
            let Done { prompts, of, .. } = done;
            progress.report(format!("{prompts}/{of}")).await;
            if steps.changed().await.is_err() {
                return;
            }
        }
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
