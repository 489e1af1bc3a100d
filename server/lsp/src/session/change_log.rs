//! Records file changes for the thread that follows the whole workspace. Nothing is recorded while
//! no thread does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use promptls_workspace::Change;

/// More changes than this are replaced by a single one: everything may have changed.
const MANY_CHANGES: usize = 10_000;

/// The changes since the last [`take`](Self::take); empty while they are not followed.
#[derive(Debug, Default)]
pub struct ChangeLog {
    is_followed: AtomicBool,
    is_reporting: AtomicBool,
    state: Mutex<State>,
    came: Condvar,
}

#[derive(Debug, Default)]
struct State {
    folders: Vec<PathBuf>,
    changes: Changes,
    /// The total number of changes.
    count: u64,
    is_closed: bool,
}

/// Some changes, with one entry per file.
#[derive(Debug, Default)]
pub struct Changes {
    /// The kind of change of each file or folder.
    pub paths: BTreeMap<PathBuf, Change>,
    /// The folders of the workspace, if everything in them may have changed.
    pub all: Option<Vec<PathBuf>>,
    /// The total number of changes so far.
    pub count: u64,
}

impl ChangeLog {
    /// Sets the folders of the workspace, which are absolute.
    pub fn set_folders(&self, folders: Vec<PathBuf>) {
        self.state().folders = folders;
        self.note_all();
    }

    /// The folders of the workspace.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.state().folders.clone()
    }

    /// Starts recording; `false` if it was started already.
    pub fn follow(&self) -> bool {
        let is_new = !self.is_followed.swap(true, Ordering::SeqCst);
        if is_new {
            self.note_all();
        }
        is_new
    }

    /// The workspace check reports problems from now on; `false` if it does already.
    pub fn start_reporting(&self) -> bool {
        !self.is_reporting.swap(true, Ordering::SeqCst)
    }

    /// The workspace check no longer reports problems.
    pub fn stop_reporting(&self) {
        self.is_reporting.store(false, Ordering::SeqCst);
    }

    /// Returns whether the workspace check reports the problems of a file.
    pub fn reports(&self, path: &Path) -> bool {
        self.is_reporting.load(Ordering::SeqCst)
            && self.state().folders.iter().any(|folder| path.starts_with(folder))
    }

    /// Records that a file or folder may have changed.
    pub fn note(&self, path: &Path, change: Change) {
        self.change(|state| {
            let known = state.changes.paths.entry(path.to_owned()).or_insert(change);
            *known = change.max(*known);
            if state.changes.paths.len() > MANY_CHANGES {
                state.changes.all = Some(state.folders.clone());
            }
        });
    }

    /// Records that everything may have changed.
    pub fn note_all(&self) {
        self.change(|state| state.changes.all = Some(state.folders.clone()));
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        if !self.is_followed.load(Ordering::SeqCst) {
            return;
        }
        let mut state = self.state();
        change(&mut state);
        if state.changes.all.is_some() {
            state.changes.paths.clear();
        }
        state.count += 1;
        self.came.notify_all();
    }

    /// The total number of changes.
    pub fn count(&self) -> u64 {
        self.state().count
    }

    /// Returns whether there are changes to take, or the log is closed.
    pub fn has_news(&self) -> bool {
        let state = self.state();
        state.is_closed || !state.changes.is_empty()
    }

    /// Takes the changes; if `wait` is set, waits for some. `None` once the log is closed.
    pub fn take(&self, wait: bool) -> Option<Changes> {
        let mut state = self.state();
        while wait && state.changes.is_empty() && !state.is_closed {
            state = self.came.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let count = state.count;
        let changes = Changes { count, ..std::mem::take(&mut state.changes) };
        (!state.is_closed).then_some(changes)
    }

    /// Stops recording, and ends the thread that waits for changes.
    pub fn close(&self) {
        self.is_followed.store(false, Ordering::SeqCst);
        self.state().is_closed = true;
        self.came.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Changes {
    fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.all.is_none()
    }
}
