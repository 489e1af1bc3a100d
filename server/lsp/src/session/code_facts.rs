//! How code uses prompts of other files, collected in the background: which prompts other code uses,
//! and which of their names an application sets.
//!
//! No request waits for it. Until it is collected, results are those for a file that no code uses, in
//! an application of which nothing is known. It starts with the first file of code that is opened in
//! the workspace.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use promptls_workspace::{
    App, AppNames, Configs, Demand, Extent, Files, Manifests, NameObstacle, ProgramFacts, Use,
    Uses, at_or_below, folder_of, is_home, is_manifest, language_of_names, may_be_read_by_code,
    may_be_used_by_code, outermost, whole_texts, workspace_around,
};
use tokio::sync::Notify;

use crate::watched_files::is_watched;

/// The results, and the queue of what has to be read again.
#[derive(Debug, Default)]
pub struct CodeFacts {
    queue: Mutex<CodeQueue>,
    is_queued: Notify,
    collected: Mutex<CollectedCode>,
    /// The uses of each file by others, by folder of the workspace.
    uses: RwLock<BTreeMap<PathBuf, UsesByFile>>,
    /// The uses of others by each file.
    users: RwLock<BTreeMap<PathBuf, Arc<[Use]>>>,
    /// The files with texts that the prompts of each file include.
    parts: RwLock<BTreeMap<PathBuf, Vec<PathBuf>>>,
    apps: RwLock<Apps>,
    /// `true` while results are collected and passed on.
    is_collecting: AtomicBool,
    /// The number of collections that were started.
    collections: AtomicU64,
}

/// The uses of each file by others.
type UsesByFile = BTreeMap<PathBuf, Arc<[Demand]>>;

/// What remains to be read.
#[derive(Debug, Default)]
struct CodeQueue {
    /// Files that were created, changed or deleted.
    files: BTreeSet<PathBuf>,
    /// Folders that were created or deleted: editors do not report the files in them.
    folders: BTreeSet<PathBuf>,
    /// Files of code in a workspace whose uses have not been collected.
    workspaces: BTreeSet<PathBuf>,
    /// Hosts in an application that has not been read.
    apps: BTreeSet<PathBuf>,
}

impl CodeQueue {
    fn is_empty(&self) -> bool {
        let CodeQueue { files, folders, workspaces, apps } = self;
        [files, folders, workspaces, apps].iter().all(|paths| paths.is_empty())
    }
}

/// The files whose results changed, once everything is collected.
#[derive(Debug, Default)]
pub struct ChangedHosts {
    /// The files that may have other prompts.
    pub prompts: BTreeSet<PathBuf>,
    /// The files whose prompts may have other diagnostics or definitions.
    pub names: BTreeSet<PathBuf>,
}

/// The state of what was read, kept to update it after changes.
#[derive(Debug, Default)]
struct CollectedCode {
    uses: BTreeMap<PathBuf, Uses>,
    apps: BTreeMap<PathBuf, App>,
    manifests: Manifests,
}

impl CollectedCode {
    /// The files below some folders that have a result.
    fn below(&self, folders: &[PathBuf]) -> BTreeSet<PathBuf> {
        let users = self.uses.values().flat_map(|uses| uses.users().keys());
        let all = users.chain(self.apps.values().flat_map(App::files));
        all.filter(|path| folders.iter().any(|it| path.starts_with(it))).cloned().collect()
    }

    /// The folders of an application in a workspace, with those that run with it.
    fn folders_of(&self, app: &Path, root: &Path, files: &dyn Files) -> BTreeSet<PathBuf> {
        let uses = self.uses.get(root);
        let folders = uses.map(|uses| uses.running_with(app, &self.manifests, files));
        folders.unwrap_or_else(|| [app.to_owned()].into())
    }

    /// Reads again what changed files decide about the applications: their names, and the packages
    /// that run with them. Returns the applications that differ.
    fn follow(
        &mut self,
        changed: &BTreeSet<PathBuf>,
        mut workspace: impl FnMut(&Path) -> PathBuf,
        files: &dyn Files,
    ) -> BTreeSet<PathBuf> {
        let mut different = BTreeSet::new();
        for app in self.apps.keys().cloned().collect::<Vec<_>>() {
            let folders = self.folders_of(&app, &workspace(&app.join("file")), files);
            let Some(known) = self.apps.get_mut(&app) else { continue };
            let mut is_different = folders != *known.folders();
            if is_different {
                *known = App::below(folders, files);
            }
            for path in changed {
                is_different |= known.has(path) && known.look_again(path, files);
            }
            different.extend(is_different.then_some(app));
        }
        different
    }
}

/// The applications that have been read.
#[derive(Debug, Default)]
struct Apps {
    /// The applications, by their absolute folders.
    names: BTreeMap<PathBuf, Arc<AppNames>>,
    /// The application of each folder that was queried.
    by_folder: BTreeMap<PathBuf, PathBuf>,
    /// The hosts that queried each application: their prompts depend on it.
    dependents: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

/// As far as they have been collected.
impl ProgramFacts for CodeFacts {
    fn uses(&self, path: &Path) -> Arc<[Demand]> {
        if !may_be_used_by_code(path) {
            return Arc::default();
        }
        let known = self.uses.read().unwrap_or_else(PoisonError::into_inner);
        let found = path.ancestors().find_map(|folder| known.get(folder));
        match found {
            Some(used) => used.get(path).cloned().unwrap_or_default(),
            None => {
                self.enqueue(|queue| queue.workspaces.insert(path.to_owned()));
                Arc::default()
            }
        }
    }

    fn used_by(&self, path: &Path) -> Arc<[Use]> {
        let users = self.users.read().unwrap_or_else(PoisonError::into_inner);
        users.get(path).cloned().unwrap_or_default()
    }

    fn parts_of(&self, path: &Path) -> Vec<PathBuf> {
        let parts = self.parts.read().unwrap_or_else(PoisonError::into_inner);
        parts.get(path).cloned().unwrap_or_default()
    }

    fn texts_used(&self, path: &Path) -> Vec<PathBuf> {
        let mut texts = {
            let users = self.users.read().unwrap_or_else(PoisonError::into_inner);
            whole_texts(&users, path)
        };
        let parts = self.parts.read().unwrap_or_else(PoisonError::into_inner);
        let parts = at_or_below(&parts, path).flat_map(|(_, parts)| parts);
        texts.extend(parts.filter(|part| !part.starts_with(path)).cloned());
        texts.into_iter().collect()
    }

    fn names(&self, host: &Path) -> Option<Arc<AppNames>> {
        let folder = host.parent()?;
        let known = self.apps.read().unwrap_or_else(PoisonError::into_inner);
        let app = known.by_folder.get(folder);
        let Some((names, dependents)) =
            app.and_then(|app| Some((known.names.get(app)?, known.dependents.get(app)?)))
        else {
            self.enqueue(|queue| queue.apps.insert(host.to_owned()));
            return None;
        };
        let names = names.clone();
        if !dependents.contains(host) {
            let app = app.cloned();
            drop(known);
            let mut known = self.apps.write().unwrap_or_else(PoisonError::into_inner);
            known.dependents.entry(app?).or_default().insert(host.to_owned());
        }
        Some(names)
    }

    /// Not known: the texts that were read are not kept.
    fn holds_prompts(&self, _: &Path) -> Option<bool> {
        None
    }

    fn note_searched(&self, _: &[PathBuf], _: Extent) {}
}

impl CodeFacts {
    /// Records that a file was created, changed or deleted, or a folder created or deleted.
    pub fn changed(&self, path: &Path) {
        let has_names = language_of_names(path).is_some() || is_manifest(path);
        // Code may read a text file that appears.
        let is_known = has_names || is_watched(path) && may_be_read_by_code(path);
        if !is_known && is_watched(path) {
            return;
        }
        // A running job may have read the old text of the file, so a job that holds the lock counts as
        // collected state.
        let collected = self.collected.try_lock();
        if collected.is_ok_and(|it| it.uses.is_empty() && it.apps.is_empty()) {
            return;
        }
        self.enqueue(|queue| {
            let paths = if is_known { &mut queue.files } else { &mut queue.folders };
            paths.insert(path.to_owned())
        });
    }

    fn enqueue(&self, add: impl FnOnce(&mut CodeQueue) -> bool) {
        add(&mut self.queue.lock().unwrap_or_else(PoisonError::into_inner));
        self.is_queued.notify_one();
    }

    /// Discards everything after a change of rules or of the workspace; the next query collects it again.
    pub fn forget(&self) {
        *self.collected.lock().unwrap_or_else(PoisonError::into_inner) = CollectedCode::default();
        self.uses.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.users.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.parts.write().unwrap_or_else(PoisonError::into_inner).clear();
        *self.apps.write().unwrap_or_else(PoisonError::into_inner) = Apps::default();
    }

    /// Returns whether some results are not collected yet, or not passed on.
    pub fn is_pending(&self) -> bool {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        !queue.is_empty() || self.is_collecting.load(Ordering::SeqCst)
    }

    /// The number of collections so far; an answer computed across two numbers may be incomplete.
    pub fn collections(&self) -> u64 {
        self.collections.load(Ordering::SeqCst)
    }

    /// Records the start or the end of a collection, including the notes about its results.
    pub fn set_collecting(&self, is_collecting: bool) {
        self.collections.fetch_add(u64::from(is_collecting), Ordering::SeqCst);
        self.is_collecting.store(is_collecting, Ordering::SeqCst);
    }

    /// Waits until there is something to collect.
    pub async fn queued(&self) {
        self.is_queued.notified().await;
    }

    /// Returns the places in the application around a host that prevent a rename of a name. `None`
    /// until the application has been read.
    pub fn obstacles(
        &self,
        host: &Path,
        name: &str,
        files: &dyn Files,
    ) -> Option<Vec<NameObstacle>> {
        let (app, known) = (self.app_of(host)?, self.names(host)?);
        let collected = self.collected.lock().unwrap_or_else(PoisonError::into_inner);
        Some(collected.apps.get(&app)?.obstacles(name, &known, files))
    }

    /// Returns the files of an application that may contain prompts, as far as code or earlier
    /// queries show.
    pub fn hosts_of_app(&self, app: &Path) -> BTreeSet<PathBuf> {
        let collected = self.collected.lock().unwrap_or_else(PoisonError::into_inner);
        let used = collected.uses.values().flat_map(|uses| uses.hosts().keys());
        let app_files = collected.apps.get(app);
        let used = used.filter(|path| app_files.is_some_and(|it| it.is_below(path)));
        let mut hosts: BTreeSet<PathBuf> = used.cloned().collect();
        hosts.extend(app_files.into_iter().flat_map(App::hosts).cloned());
        // A rule may name any file.
        let apps = self.apps.read().unwrap_or_else(PoisonError::into_inner);
        hosts.extend(apps.dependents.get(app).into_iter().flatten().cloned());
        hosts
    }

    /// Returns the files whose prompts get a value under a name from calls of a file.
    ///
    /// Cost: the uses of files by others.
    pub fn supplied_with(&self, path: &Path, name: &str) -> Vec<PathBuf> {
        let collected = self.collected.lock().unwrap_or_else(PoisonError::into_inner);
        collected.uses.values().flat_map(|uses| uses.supplied_with(path, name)).cloned().collect()
    }

    /// Returns the facts about names in the application of a folder if some files had other texts,
    /// which `files` have.
    pub fn app_with(
        &self,
        app: &Path,
        texts: &HashMap<PathBuf, Arc<str>>,
        files: &dyn Files,
    ) -> Option<Arc<AppNames>> {
        let collected = self.collected.lock().unwrap_or_else(PoisonError::into_inner);
        Some(collected.apps.get(app)?.names_with(texts, files).into())
    }

    /// Returns the folder of the application around a host, if it has been read.
    pub fn app_of(&self, host: &Path) -> Option<PathBuf> {
        let apps = self.apps.read().unwrap_or_else(PoisonError::into_inner);
        apps.by_folder.get(host.parent()?).cloned()
    }

    /// Makes the uses between files available to queries.
    fn publish(&self, uses: &BTreeMap<PathBuf, Uses>) {
        let parts_of = |uses: &Uses, user: &PathBuf| (user.clone(), uses.parts_of(user));
        let parts = uses
            .values()
            .flat_map(|uses| uses.users().keys().map(move |user| parts_of(uses, user)));
        let parts = parts.filter(|(_, parts)| !parts.is_empty()).collect();
        *self.parts.write().unwrap_or_else(PoisonError::into_inner) = parts;
        let users = uses.values().flat_map(|uses| uses.users().clone()).collect();
        *self.users.write().unwrap_or_else(PoisonError::into_inner) = users;
        let known = uses.iter().map(|(folder, uses)| (folder.clone(), uses.hosts().clone()));
        *self.uses.write().unwrap_or_else(PoisonError::into_inner) = known.collect();
    }

    /// Reads what remains, as a background job. `folders` are those that the editor has open. Code
    /// around them counts as it does for a command that runs there.
    pub fn collect(
        &self,
        folders: &[PathBuf],
        files: &dyn Files,
        configs: &Configs,
    ) -> ChangedHosts {
        let folders: BTreeSet<&Path> = folders.iter().map(PathBuf::as_path).collect();
        // The outermost folders contain the nested ones.
        let folders = outermost(folders);
        let mut collected = self.collected.lock().unwrap_or_else(PoisonError::into_inner);
        let mut queue =
            std::mem::take(&mut *self.queue.lock().unwrap_or_else(PoisonError::into_inner));
        if collected.uses.is_empty() && collected.apps.is_empty() {
            // All files are about to be read in their current state.
            queue.files.clear();
            queue.folders.clear();
        }
        for folder in &folders {
            let below = queue.folders.iter().filter(|it| it.starts_with(folder));
            let below: Vec<PathBuf> = below.cloned().collect();
            queue.files.extend(collected.below(&below));
            if !below.is_empty() {
                queue.files.extend(files.walk_to(folder, Some(below)));
            }
        }
        let mut known = HashMap::new();
        let mut workspace = |path: &Path| -> PathBuf {
            let folder = folder_of(path);
            let open = folders.iter().map(|it| &**it);
            let find = || workspace_around(folder, open, configs.reach(), files);
            known.entry(folder.to_owned()).or_insert_with(find).clone()
        };
        let ChangedHosts { mut prompts, mut names } = ChangedHosts::default();
        for path in queue.workspaces.iter().chain(&queue.apps) {
            let folder = workspace(path);
            if !is_home(&folder) && !collected.uses.contains_key(&folder) {
                let uses = Uses::below(&folder, files, configs);
                prompts.extend(uses.hosts().keys().cloned());
                collected.uses.insert(folder, uses);
            }
        }
        for path in &queue.files {
            let Some(uses) = collected.uses.get_mut(&workspace(path)) else { continue };
            prompts.extend(uses.follow(path, files, configs));
            // The calls there may be at other places.
            names.extend(uses.supplied_by(path).cloned());
        }
        self.publish(&collected.uses);

        let mut manifests = queue.files.iter().filter(|path| is_manifest(path));
        if manifests.any(|path| collected.manifests.are_old(folder_of(path), files)) {
            collected.manifests = Manifests::default();
            collected.apps.clear();
            let mut apps = self.apps.write().unwrap_or_else(PoisonError::into_inner);
            queue.apps.extend(std::mem::take(&mut *apps).dependents.into_values().flatten());
        }
        let mut changed = collected.follow(&queue.files, &mut workspace, files);
        let mut requested: Vec<(PathBuf, PathBuf)> = Vec::new();
        for host in queue.apps {
            let root = workspace(&host);
            let app = collected.manifests.nearest(folder_of(&host), &root, files);
            if app.is_none() && is_home(&root) {
                continue;
            }
            let app = app.unwrap_or_else(|| root.clone());
            if !collected.apps.contains_key(&app) {
                let folders = collected.folders_of(&app, &root, files);
                collected.apps.insert(app.clone(), App::below(folders, files));
                changed.insert(app.clone());
            }
            requested.push((host, app));
        }
        let mut apps = self.apps.write().unwrap_or_else(PoisonError::into_inner);
        for (host, app) in requested {
            apps.by_folder.insert(folder_of(&host).to_owned(), app.clone());
            apps.dependents.entry(app).or_default().insert(host.clone());
            // The result so far was that nothing is known.
            names.insert(host);
        }
        for folder in changed {
            let Some(app) = collected.apps.get(&folder) else { continue };
            apps.names.insert(folder.clone(), app.names(files).into());
            names.extend(apps.dependents.get(&folder).into_iter().flatten().cloned());
        }
        ChangedHosts { prompts, names }
    }
}
