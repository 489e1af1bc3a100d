//! Notifications of file changes on disk.
//!
//! Folders are watched, not files. This covers new files, and files that an editor saves by
//! renaming a temporary one. Changes are collected briefly, because a save produces several events,
//! the first of which may leave the file empty.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use promptls_workspace::{CONFIG_NAME, Disk, Files};

use super::own_output::OwnOutput;

/// The collection period: too short to be noticed, longer than most saves.
const GATHERED: Duration = Duration::from_millis(15);

/// The polling interval if the system does not report changes.
const INTERVAL: Duration = Duration::from_secs(1);

/// The changes of the followed files.
pub struct Changes {
    watcher: Option<Box<dyn Watcher + Send>>,
    is_polling: bool,
    seen: Arc<WatcherState>,
    /// Folders that are watched in addition to those of the files.
    besides: BTreeSet<PathBuf>,
    /// Maps the system's paths to the caller's paths, where links make them differ.
    ours: BTreeMap<PathBuf, PathBuf>,
    /// When the collected changes are returned.
    due: Option<Instant>,
}

/// State shared with the watcher's thread.
#[derive(Default)]
struct WatcherState {
    folders: Mutex<BTreeMap<PathBuf, Concern>>,
    changed: Mutex<BTreeSet<PathBuf>>,
    news: Notify,
    own_output: OwnOutput,
}

/// The relevant files of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Concern {
    /// A folder above the prompt: only its config.
    Config,
    /// All files: any may be a sidecar.
    All,
}

impl Changes {
    /// A watcher without any files.
    pub fn new() -> Changes {
        let seen = Arc::<WatcherState>::default();
        let watcher = RecommendedWatcher::new(seen.clone().taker(), notify::Config::default());
        let mut changes = Changes {
            watcher: None,
            is_polling: false,
            seen,
            besides: BTreeSet::new(),
            ours: BTreeMap::new(),
            due: None,
        };
        match watcher {
            Ok(watcher) => changes.watcher = Some(Box::new(watcher)),
            Err(error) => {
                tracing::warn!(%error, "the system does not report file changes");
                changes.poll();
            }
        }
        changes
    }

    /// Replaces the watcher by one that polls once a second.
    fn poll(&mut self) {
        let config = notify::Config::default().with_poll_interval(INTERVAL);
        let watcher = PollWatcher::new(self.seen.clone().taker(), config);
        self.watcher = watcher.ok().map(|watcher| Box::new(watcher) as Box<dyn Watcher + Send>);
        self.is_polling = true;
    }

    /// Watches these files, new files in their folders, and the configs that may apply to them.
    /// Files of previous calls are no longer watched.
    pub fn follow<'p>(&mut self, files: impl IntoIterator<Item = &'p PathBuf>) {
        let mut folders: BTreeMap<PathBuf, Concern> = BTreeMap::new();
        self.ours.clear();
        for file in files {
            // A link is watched at its own path and at the path of its target.
            if let Some(target) = self.called(file)
                && let Some(folder) = target.parent()
            {
                folders.insert(folder.to_owned(), Concern::All);
            }
            for (level, folder) in file.ancestors().skip(1).enumerate() {
                let concern = if level == 0 { Concern::All } else { Concern::Config };
                for folder in [Some(folder.to_owned()), self.called(folder)].into_iter().flatten() {
                    let known = folders.entry(folder).or_insert(concern);
                    *known = concern.max(*known);
                }
            }
        }
        folders.extend(self.besides.iter().map(|folder| (folder.clone(), Concern::All)));
        self.watch(folders);
    }

    /// Also watches all changes in a folder, whatever files are followed.
    pub fn follow_folder(&mut self, folder: &Path) {
        let mut folders = self.seen.folders().clone();
        self.besides.insert(folder.to_owned());
        folders.insert(folder.to_owned(), Concern::All);
        self.watch(folders);
    }

    /// The system's path of a file or folder; `None` if it is the same.
    fn called(&mut self, path: &Path) -> Option<PathBuf> {
        let called = Disk.without_links(path).filter(|called| called != path)?;
        self.ours.insert(called.clone(), path.to_owned());
        Some(called)
    }

    /// The caller's path for a path of the system: a file, or its folder.
    fn ours(&self, path: &Path) -> Option<PathBuf> {
        let in_folder = || Some(self.ours.get(path.parent()?)?.join(path.file_name()?));
        self.ours.get(path).cloned().or_else(in_folder)
    }

    fn watch(&mut self, folders: BTreeMap<PathBuf, Concern>) {
        let watched = std::mem::replace(&mut *self.seen.folders(), folders.clone());
        let Some(watcher) = &mut self.watcher else { return };
        for folder in watched.keys().filter(|folder| !folders.contains_key(*folder)) {
            // This fails for a deleted folder.
            let _ = watcher.unwatch(folder);
        }
        let mut is_full = false;
        for folder in folders.keys() {
            // Also folders that are already watched: a folder may have been deleted and created
            // again.
            if let Err(error) = watcher.watch(folder, RecursiveMode::NonRecursive) {
                is_full |= matches!(error.kind, notify::ErrorKind::MaxFilesWatch);
                tracing::debug!(%error, "a folder cannot be watched");
            }
        }
        if is_full && !self.is_polling {
            tracing::warn!("too many folders are watched on this machine");
            self.poll();
            self.watch(folders);
        }
    }

    /// Waits for changes; returns the files that may have been changed, created or deleted.
    /// Cancel-safe.
    pub async fn next(&mut self) -> BTreeSet<PathBuf> {
        loop {
            if !self.seen.changed().is_empty() {
                let due = *self.due.get_or_insert_with(|| Instant::now() + GATHERED);
                sleep_until(due).await;
                self.due = None;
                let mut changed = std::mem::take(&mut *self.seen.changed());
                let ours: Vec<PathBuf> =
                    changed.iter().filter_map(|path| self.ours(path)).collect();
                changed.extend(ours);
                return changed;
            }
            self.seen.news.notified().await;
        }
    }
}

impl WatcherState {
    fn folders(&self) -> std::sync::MutexGuard<'_, BTreeMap<PathBuf, Concern>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) -> std::sync::MutexGuard<'_, BTreeSet<PathBuf>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The event handler of a watcher.
    fn taker(self: Arc<Self>) -> impl FnMut(notify::Result<notify::Event>) + Send + 'static {
        move |event| {
            // An error means lost events, so any file may have changed.
            let (paths, is_lost) = match event {
                Ok(event) if event.need_rescan() => (Vec::new(), true),
                Ok(event) if is_change(event.kind) => (event.paths, false),
                Ok(_) => return,
                Err(_) => (Vec::new(), true),
            };
            let concerned: Vec<PathBuf> = {
                let folders = self.folders();
                let lost = folders.keys().filter(|_| is_lost).cloned();
                let paths = paths.into_iter().filter(|path| concerns(path, &folders));
                // Each run prints, which would start the next run.
                let paths = paths.filter(|path| !self.own_output.is(path));
                lost.chain(paths).collect()
            };
            if !concerned.is_empty() {
                self.changed().extend(concerned);
                self.news.notify_one();
            }
        }
    }
}

/// Whether an event may change content. Reading a file is an event as well.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

fn concerns(path: &Path, folders: &BTreeMap<PathBuf, Concern>) -> bool {
    // The folder itself may have been created again.
    let is_folder = folders.contains_key(path);
    let beside = path.parent().and_then(|folder| folders.get(folder));
    is_folder
        || match beside {
            Some(Concern::All) => true,
            Some(Concern::Config) => path.file_name().is_some_and(|name| name == CONFIG_NAME),
            None => false,
        }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[tokio::test]
    async fn only_changes_of_followed_files_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let inner = root.join("prompts");
        fs::create_dir(&inner).unwrap();
        let prompt = inner.join("a.prompt");
        fs::write(&prompt, "a").unwrap();
        let mut changes = Changes::new();
        changes.follow([&prompt]);

        fs::write(root.join("other.txt"), "x").unwrap();
        fs::write(root.join(CONFIG_NAME), "").unwrap();
        assert_eq!(next(&mut changes).await, [root.join(CONFIG_NAME)].into());

        // Reading is no change; saving by renaming is, and so is a new file.
        fs::read(&prompt).unwrap();
        fs::write(inner.join("new"), "b").unwrap();
        fs::rename(inner.join("new"), &prompt).unwrap();
        assert!(next(&mut changes).await.contains(&prompt));
        fs::write(inner.join("a.inputs.json"), "{}").unwrap();
        assert!(next(&mut changes).await.contains(&inner.join("a.inputs.json")));
    }

    async fn next(changes: &mut Changes) -> BTreeSet<PathBuf> {
        let limit = Duration::from_secs(20);
        tokio::time::timeout(limit, changes.next()).await.expect("the change is reported")
    }
}
