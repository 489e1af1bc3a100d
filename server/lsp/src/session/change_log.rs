//! What has changed since somebody looked, for whoever follows the whole workspace from a thread of
//! his own. While nobody does, nothing is written down.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use promptls_workspace::Change;

/// More changes than this are one: that everything may be another.
const MANY_CHANGES: usize = 10_000;

/// See the module.
#[derive(Debug, Default)]
pub struct ChangeLog {
    is_followed: AtomicBool,
    speaks: AtomicBool,
    state: Mutex<State>,
    came: Condvar,
}

#[derive(Debug, Default)]
struct State {
    folders: Vec<PathBuf>,
    changes: Changes,
    /// How many changes there were.
    count: u64,
    is_closed: bool,
}

/// Some changes, each file once.
#[derive(Debug, Default)]
pub struct Changes {
    /// What may have become of files and folders.
    pub paths: BTreeMap<PathBuf, Change>,
    /// The folders of the workspace, where everything may be another.
    pub all: Option<Vec<PathBuf>>,
    /// How many there were up to here.
    pub count: u64,
}

impl ChangeLog {
    /// The workspace has these folders, which are absolute.
    pub fn set_folders(&self, folders: Vec<PathBuf>) {
        self.state().folders = folders;
        self.note_all();
    }

    /// The folders of the workspace.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.state().folders.clone()
    }

    /// From now on somebody looks; `false` if somebody does already.
    pub fn follow(&self) -> bool {
        let is_new = !self.is_followed.swap(true, Ordering::SeqCst);
        if is_new {
            self.note_all();
        }
        is_new
    }

    /// Whoever looks says what is wrong from now on; `false` if that is known.
    pub fn set_speaks(&self) -> bool {
        !self.speaks.swap(true, Ordering::SeqCst)
    }

    /// He does not say it any more.
    pub fn set_silent(&self) {
        self.speaks.store(false, Ordering::SeqCst);
    }

    /// Whether somebody follows the workspace that a file is in, and says what is wrong there.
    pub fn speaks_of(&self, path: &Path) -> bool {
        self.speaks.load(Ordering::SeqCst)
            && self.state().folders.iter().any(|folder| path.starts_with(folder))
    }

    /// A file or folder may be another.
    pub fn note(&self, path: &Path, change: Change) {
        self.change(|state| {
            let known = state.changes.paths.entry(path.to_owned()).or_insert(change);
            *known = change.max(*known);
            if state.changes.paths.len() > MANY_CHANGES {
                state.changes.all = Some(state.folders.clone());
            }
        });
    }

    /// Everything may be another.
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

    /// How many changes there were.
    pub fn count(&self) -> u64 {
        self.state().count
    }

    /// Whether there are some that nobody has taken.
    pub fn has_news(&self) -> bool {
        let state = self.state();
        state.is_closed || !state.changes.is_empty()
    }

    /// Takes the changes; waits for some if it is to. `None` after the end.
    pub fn take(&self, wait: bool) -> Option<Changes> {
        let mut state = self.state();
        while wait && state.changes.is_empty() && !state.is_closed {
            state = self.came.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let count = state.count;
        let changes = Changes { count, ..std::mem::take(&mut state.changes) };
        (!state.is_closed).then_some(changes)
    }

    /// Nobody looks any more.
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
