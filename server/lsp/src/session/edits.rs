//! Edits that a command applies through the editor.
//!
//! An edit depends on the text, so edits are applied one after the other. The next edit is planned
//! once the editor has applied the previous one and sent its changes, which may come later. If the
//! editor refuses an edit because the text has changed, it is planned again.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use ropey::Rope;
use tokio::sync::{Mutex, Semaphore};
use tokio::time::timeout;

use super::Session;
use super::documents::Documents;
use crate::convert;
use crate::errors::{Result, changed_meanwhile, refused};
use crate::worker::work;
use crate::workspace_edits::WorkspaceEdits;

/// The maximum number of commands that wait for the editor. Each occupies one of the concurrent
/// requests, and the editor's own requests must never be blocked.
const MAX_WAITING: usize = 32;

/// The maximum number of attempts to plan an edit.
const TRIES: usize = 8;

/// The time the editor has to apply an edit.
const MADE: Duration = Duration::from_secs(10);

/// The time the editor then has to send the changes. For a file that is not synchronized with the
/// server, it never does.
const REPORTED: Duration = Duration::from_secs(2);

/// The edits for the present state of the files, and the response once they are applied.
pub struct Planned<T> {
    /// Empty if the files have the intended contents already.
    pub edits: WorkspaceEdits,
    /// The response to the command that planned the edits.
    pub answer: T,
}

/// The text of each file before an edit; `None` for a missing file.
type Before = BTreeMap<PathBuf, Option<Rope>>;

/// A queue of edits, of which one at a time is applied.
pub struct Edits {
    places: Semaphore,
    /// The lock is held while an edit is applied. It contains the files of the last edit.
    turn: Mutex<Before>,
}

impl Default for Edits {
    fn default() -> Self {
        Edits { places: Semaphore::new(MAX_WAITING), turn: Mutex::default() }
    }
}

impl Session {
    /// Applies planned edits through the editor, then returns the response. With `on_worker`, the
    /// edits are planned on a worker.
    ///
    /// Fails with the reason of the plan or of the editor. Also fails if the editor does not
    /// respond, or if too many commands wait.
    pub async fn edit<T: Send + 'static>(
        &self,
        on_worker: bool,
        plan: impl Fn() -> Result<Planned<T>> + Clone + Send + 'static,
    ) -> Result<T> {
        let busy = || refused("the editor is still applying other edits; try again");
        let _place = self.edits.places.try_acquire().map_err(|_| busy())?;
        let mut last = self.edits.turn.lock().await;
        let _ = timeout(REPORTED, self.documents.other_than(&last)).await;
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
            // The edits do not cover text that was typed meanwhile.
            if self.documents.generation() != generation {
                match tries {
                    TRIES => return Err(changed_meanwhile()),
                    _ => continue,
                }
            }
            *last = before;
            let Err(reason) = self.make(edits).await else { return Ok(answer) };
            // Planning again leads to other edits only if the text has changed.
            let reported = timeout(REPORTED, self.documents.other_than(&last)).await;
            if reported.is_err() || tries == TRIES {
                last.clear();
                return Err(reason);
            }
        }
    }

    async fn make(&self, edits: WorkspaceEdits) -> Result<()> {
        let edits = edits.at_versions(&self.documents);
        let made = self.editor.apply(edits, self.client_capabilities());
        let made = timeout(MADE, made).await;
        made.map_err(|_| refused("the editor did not respond to the edit"))?
    }
}

impl Documents {
    /// The present texts of the files to edit.
    fn before(&self, edits: &WorkspaceEdits) -> Before {
        let paths = edits.uris().map(convert::path);
        paths.map(|path| (path.clone(), self.project().text(&path).ok())).collect()
    }

    /// Waits until all of them have changed.
    async fn other_than(&self, before: &Before) {
        let mut changes = self.changes();
        let is_other = |(path, text): (&PathBuf, &Option<Rope>)| {
            !self.project().still_has(path, text.as_ref())
        };
        while !before.iter().all(is_other) {
            if changes.changed().await.is_err() {
                return;
            }
        }
    }
}
