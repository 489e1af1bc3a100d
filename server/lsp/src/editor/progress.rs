//! Shows progress of long work to the user, with the option to cancel it.
//!
//! The work is done even if the editor does not support progress.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::convert::ProgressToken;
use crate::editor::Editor;
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
    cancels: HashMap<ProgressToken, oneshot::Sender<()>>,
}

impl Running {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn new_token(&self) -> ProgressToken {
        let mut state = self.state();
        state.count += 1;
        format!("promptls {}", state.count).into()
    }

    /// Cancels the work with this token, if it is still running.
    pub fn cancel(&self, token: &ProgressToken) {
        if let Some(cancel) = self.state().cancels.remove(token) {
            // The work may have ended in between.
            let _ = cancel.send(());
        }
    }
}

/// A progress indicator in the editor. It ends when this is dropped, for example because the editor
/// cancels the request.
struct ProgressIndicator {
    editor: Editor,
    running: Arc<Running>,
    token: ProgressToken,
}

impl Drop for ProgressIndicator {
    fn drop(&mut self) {
        self.running.state().cancels.remove(&self.token);
        let (editor, token) = (self.editor.clone(), self.token.clone());
        tokio::spawn(async move { editor.end_progress(&token).await });
    }
}

impl Session {
    /// Does some work under a title. The token comes from the editor; without one, an indicator is
    /// created. Cancelled work is dropped at its next await.
    pub async fn with_progress<T, E: From<Error>>(
        &self,
        token: Option<ProgressToken>,
        title: String,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let token = match token {
            Some(token) => Some(token),
            None => self.new_progress().await,
        };
        let Some(token) = token else { return work.await };
        let (cancel, cancelled) = oneshot::channel();
        let (editor, running) = (self.editor.clone(), self.running.clone());
        running.state().cancels.insert(token.clone(), cancel);
        let _shown = ProgressIndicator { editor, running, token: token.clone() };
        self.editor.begin_progress(&token, title, true).await;
        tokio::select! {
            done = work => done,
            Ok(()) = cancelled => Err(errors::cancelled().into()),
        }
    }

    /// The same for work that is usually short: an indicator is created only if it takes longer.
    pub async fn with_progress_if_long<T, E: From<Error>>(
        &self,
        token: Option<ProgressToken>,
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
    pub async fn show_workspace(&self, token: Option<ProgressToken>) {
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
        let (editor, running) = (self.editor.clone(), self.running.clone());
        let _shown = ProgressIndicator { editor, running, token: token.clone() };
        let title = "Checking the prompts of the workspace".to_owned();
        self.editor.begin_progress(&token, title, false).await;
        let mut steps = self.workspace.steps();
        loop {
            let done = *steps.borrow_and_update();
            if settling.has_results(&done) {
                return;
            }
            let Done { prompts, of, .. } = done;
            self.editor.report_progress(&token, format!("{prompts}/{of}")).await;
            if steps.changed().await.is_err() {
                return;
            }
        }
    }

    async fn new_progress(&self) -> Option<ProgressToken> {
        if !self.client_capabilities().shows_progress {
            return None;
        }
        let token = self.running.new_token();
        let created = timeout(PATIENCE, self.editor.create_progress(&token)).await;
        created.unwrap_or(false).then_some(token)
    }
}
