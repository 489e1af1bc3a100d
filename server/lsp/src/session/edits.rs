//! Edits that the editor is asked to make for a command.
//!
//! An edit is about a text, so one is made after the other: the next one is thought of when the
//! editor has made the one before and has told of it, which some do only later. Should the editor
//! refuse because its text is another by then, the edit is thought of once more.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use ropey::Rope;
use tokio::sync::{Mutex, Semaphore};
use tokio::time::timeout;
use tower_lsp::jsonrpc::Result;

use super::Session;
use super::documents::Documents;
use crate::convert;
use crate::errors::{changed_meanwhile, refused};
use crate::worker::work;
use crate::workspace_edits::WorkspaceEdits;

/// How many commands may wait for the editor. Who waits keeps a place among the requests that are
/// answered, and there must always be one for the editor's own.
const MAX_WAITING: usize = 32;

/// How often an edit is thought of.
const TRIES: usize = 8;

/// How long the editor may take to make an edit.
const MADE: Duration = Duration::from_secs(10);

/// How long it may then take to tell of it. Of a file that the server is not told of, it never does.
const TOLD: Duration = Duration::from_secs(2);

/// What is to be edited as the files are now, and what to answer when that is done.
pub struct Planned<T> {
    /// Nothing, where the files say it already.
    pub edits: WorkspaceEdits,
    /// The answer.
    pub answer: T,
}

/// What a file said before an edit; `None` for one that was not there.
type Before = BTreeMap<PathBuf, Option<Rope>>;

/// Edits, one after the other.
pub struct Edits {
    places: Semaphore,
    /// Whose turn it is knows what the last edit was about.
    turn: Mutex<Before>,
}

impl Default for Edits {
    fn default() -> Self {
        Edits { places: Semaphore::new(MAX_WAITING), turn: Mutex::default() }
    }
}

impl Session {
    /// Has the editor make what is planned, and answers when it has. `on_worker` says whether
    /// planning may take long.
    ///
    /// Refused with the reason of the plan or the editor, also if that does not answer.
    pub async fn edit<T: Send + 'static>(
        &self,
        on_worker: bool,
        plan: impl Fn() -> Result<Planned<T>> + Clone + Send + 'static,
    ) -> Result<T> {
        let busy = || refused("the editor still has other edits to make; try again");
        let _place = self.edits.places.try_acquire().map_err(|_| busy())?;
        let mut last = self.edits.turn.lock().await;
        let _ = timeout(TOLD, self.documents.other_than(&last)).await;
        let mut tries = 0;
        loop {
            tries += 1;
            let (plan, documents) = (plan.clone(), self.documents.clone());
            let generation = documents.generation();
            let planned = move || {
                let planned = plan()?;
                let before = documents.before(&planned.edits);
                Ok((planned, before))
            };
            let (Planned { edits, answer }, before) = work(on_worker, planned).await?;
            if edits.is_empty() {
                return Ok(answer);
            }
            // What was typed meanwhile is in no text that the edit was made for.
            if self.documents.generation() != generation {
                match tries {
                    TRIES => return Err(changed_meanwhile()),
                    _ => continue,
                }
            }
            *last = before;
            let Err(reason) = self.make(edits).await else { return Ok(answer) };
            // Only another text makes another edit.
            let told = timeout(TOLD, self.documents.other_than(&last)).await;
            if told.is_err() || tries == TRIES {
                last.clear();
                return Err(reason);
            }
        }
    }

    async fn make(&self, edits: WorkspaceEdits) -> Result<()> {
        let edit = edits.finish(&self.documents, self.client_capabilities());
        let made = timeout(MADE, self.client.apply_edit(edit)).await;
        match made.map_err(|_| refused("the editor has not made the edit"))?? {
            answer if answer.applied => Ok(()),
            answer => Err(refused(match answer.failure_reason {
                Some(reason) if !reason.is_empty() => reason,
                _ => "the editor did not make the edit".to_owned(),
            })),
        }
    }
}

impl Documents {
    /// What the files say that are to be edited.
    fn before(&self, edits: &WorkspaceEdits) -> Before {
        let paths = edits.uris().map(convert::path);
        paths.map(|path| (path.clone(), self.text(&path).ok())).collect()
    }

    /// Waits until all of them say something else.
    async fn other_than(&self, before: &Before) {
        let mut changes = self.changes();
        let is_other =
            |(path, text): (&PathBuf, &Option<Rope>)| !self.still_says(path, text.as_ref());
        while !before.iter().all(is_other) {
            if changes.changed().await.is_err() {
                return;
            }
        }
    }
}
