//! Noticing that files change on disk.
//!
//! Folders are watched, not files: then a file that appears counts too, and one that
//! an editor saves by renaming a new one. Changes are gathered for a moment, because a
//! save is several of them, the first of which may leave the file empty.

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

/// How long changes are gathered. Less than anybody sees, more than most saves take.
const GATHERED: Duration = Duration::from_millis(15);

/// How often the disk is looked at where the system does not tell of changes.
const INTERVAL: Duration = Duration::from_secs(1);

/// The changes of the files that concern somebody.
pub struct Changes {
    watcher: Option<Box<dyn Watcher + Send>>,
    is_polling: bool,
    seen: Arc<Seen>,
    /// Folders that are watched besides those of the files.
    besides: BTreeSet<PathBuf>,
    /// What the system calls files and folders, and what we do, where that differs: for links.
    ours: BTreeMap<PathBuf, PathBuf>,
    /// When what was gathered is told.
    due: Option<Instant>,
}

/// What the watcher's thread and we share.
#[derive(Default)]
struct Seen {
    folders: Mutex<BTreeMap<PathBuf, Concern>>,
    changed: Mutex<BTreeSet<PathBuf>>,
    news: Notify,
    own_output: OwnOutput,
}

/// Which files of a folder concern us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Concern {
    /// A folder above the prompt: only its config.
    Config,
    /// All of them: any may be a sidecar.
    All,
}

impl Changes {
    /// Nothing is watched yet.
    pub fn new() -> Changes {
        let seen = Arc::<Seen>::default();
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
                tracing::warn!(%error, "the system does not tell of changed files");
                changes.poll();
            }
        }
        changes
    }

    /// Looks at the folders once in a while from now on.
    fn poll(&mut self) {
        let config = notify::Config::default().with_poll_interval(INTERVAL);
        let watcher = PollWatcher::new(self.seen.clone().taker(), config);
        self.watcher = watcher.ok().map(|watcher| Box::new(watcher) as Box<dyn Watcher + Send>);
        self.is_polling = true;
    }

    /// Watches these files from now on, and what may appear beside them; and the configs that may
    /// count for them. Not any more what was watched before.
    pub fn follow<'p>(&mut self, files: impl IntoIterator<Item = &'p PathBuf>) {
        let mut wanted: BTreeMap<PathBuf, Concern> = BTreeMap::new();
        self.ours.clear();
        for file in files {
            // A link is watched where it is, and where what it leads to is.
            if let Some(target) = self.called(file)
                && let Some(folder) = target.parent()
            {
                wanted.insert(folder.to_owned(), Concern::All);
            }
            for (level, folder) in file.ancestors().skip(1).enumerate() {
                let concern = if level == 0 { Concern::All } else { Concern::Config };
                for folder in [Some(folder.to_owned()), self.called(folder)].into_iter().flatten() {
                    let known = wanted.entry(folder).or_insert(concern);
                    *known = concern.max(*known);
                }
            }
        }
        wanted.extend(self.besides.iter().map(|folder| (folder.clone(), Concern::All)));
        self.watch(wanted);
    }

    /// Watches a folder besides, whatever is followed, for all that happens in it.
    pub fn follow_folder(&mut self, folder: &Path) {
        let mut wanted = self.seen.folders().clone();
        self.besides.insert(folder.to_owned());
        wanted.insert(folder.to_owned(), Concern::All);
        self.watch(wanted);
    }

    /// What the system calls a file or folder, if that is not what we do.
    fn called(&mut self, path: &Path) -> Option<PathBuf> {
        let called = Disk.without_links(path).filter(|called| called != path)?;
        self.ours.insert(called.clone(), path.to_owned());
        Some(called)
    }

    /// What we call what the system says: a file, or one in a folder.
    fn ours(&self, path: &Path) -> Option<PathBuf> {
        let in_folder = || Some(self.ours.get(path.parent()?)?.join(path.file_name()?));
        self.ours.get(path).cloned().or_else(in_folder)
    }

    fn watch(&mut self, wanted: BTreeMap<PathBuf, Concern>) {
        let watched = std::mem::replace(&mut *self.seen.folders(), wanted.clone());
        let Some(watcher) = &mut self.watcher else { return };
        for folder in watched.keys().filter(|folder| !wanted.contains_key(*folder)) {
            // It fails for a folder that is gone.
            let _ = watcher.unwatch(folder);
        }
        let mut is_full = false;
        for folder in wanted.keys() {
            // Those that are watched already, too: one that was removed and made again is another.
            if let Err(error) = watcher.watch(folder, RecursiveMode::NonRecursive) {
                is_full |= matches!(error.kind, notify::ErrorKind::MaxFilesWatch);
                tracing::debug!(%error, "a folder cannot be watched");
            }
        }
        if is_full && !self.is_polling {
            tracing::warn!("too many folders are watched on this machine");
            self.poll();
            self.watch(wanted);
        }
    }

    /// Waits for changes: the files that may have changed, appeared or gone. May be given up while
    /// it waits.
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

impl Seen {
    fn folders(&self) -> std::sync::MutexGuard<'_, BTreeMap<PathBuf, Concern>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) -> std::sync::MutexGuard<'_, BTreeSet<PathBuf>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what a watcher says.
    fn taker(self: Arc<Self>) -> impl FnMut(notify::Result<notify::Event>) + Send + 'static {
        move |event| {
            // An error is about events that were lost: then anything may have changed.
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
                // Each run prints, and would start the next one.
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

/// Whether something may be another now. To look at a file is an event as well.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

fn concerns(path: &Path, folders: &BTreeMap<PathBuf, Concern>) -> bool {
    // The folder itself may have come back.
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
    async fn changes_of_what_is_followed_are_told_and_no_others() {
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

        // Reading tells nothing; a save by renaming does, and so does a new file.
        fs::read(&prompt).unwrap();
        fs::write(inner.join("new"), "b").unwrap();
        fs::rename(inner.join("new"), &prompt).unwrap();
        assert!(next(&mut changes).await.contains(&prompt));
        fs::write(inner.join("a.inputs.json"), "{}").unwrap();
        assert!(next(&mut changes).await.contains(&inner.join("a.inputs.json")));
    }

    async fn next(changes: &mut Changes) -> BTreeSet<PathBuf> {
        let limit = Duration::from_secs(20);
        tokio::time::timeout(limit, changes.next()).await.expect("it is told of a change")
    }
}
