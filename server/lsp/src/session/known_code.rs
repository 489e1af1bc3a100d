//! How code uses prompts of other files, collected in the background: which prompts other code uses,
//! and which of their names an application sets.
//!
//! No request waits for it. Until it is collected, results are those for a file that no code uses, in
//! an application of which nothing is known. It starts with the first file of code that is opened in
//! the workspace.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use promptls_workspace::{
    App, AppNames, Configs, Demand, Files, Manifests, Uses, is_code, is_manifest,
    language_of_names, outermost,
};
use tokio::sync::Notify;

use crate::watched::is_watched;

/// The results, and the queue of what has to be read again.
#[derive(Debug, Default)]
pub struct KnownCode {
    wanted: Mutex<Wanted>,
    is_wanted: Notify,
    gathered: Mutex<Gathered>,
    /// The uses of each file by others, by folder of the workspace.
    uses: RwLock<BTreeMap<PathBuf, Used>>,
    apps: RwLock<Apps>,
}

/// The uses of each file by others.
type Used = BTreeMap<PathBuf, Arc<[Demand]>>;

/// What remains to be read.
#[derive(Debug, Default)]
struct Wanted {
    /// Files that were created, changed or deleted.
    files: BTreeSet<PathBuf>,
    /// Folders that were created or deleted: editors do not report the files in them.
    folders: BTreeSet<PathBuf>,
    /// Files of code in a workspace whose uses have not been collected.
    workspaces: BTreeSet<PathBuf>,
    /// Hosts in an application that has not been read.
    apps: BTreeSet<PathBuf>,
}

/// The files whose results changed, once everything is collected.
#[derive(Debug, Default)]
pub struct Touched {
    /// The files that may have other prompts.
    pub prompts: BTreeSet<PathBuf>,
    /// The files whose prompts may have other diagnostics or definitions.
    pub names: BTreeSet<PathBuf>,
}

/// The state of what was read, kept to update it after changes.
#[derive(Debug, Default)]
struct Gathered {
    uses: BTreeMap<PathBuf, Uses>,
    apps: BTreeMap<PathBuf, App>,
    manifests: Manifests,
}

impl Gathered {
    /// The files below some folders that have a result.
    fn below(&self, folders: &[PathBuf]) -> BTreeSet<PathBuf> {
        let users = self.uses.values().flat_map(Uses::users);
        let all = users.chain(self.apps.values().flat_map(App::files));
        all.filter(|path| folders.iter().any(|it| path.starts_with(it))).cloned().collect()
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
    askers: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

impl KnownCode {
    /// Returns how others use a file, as far as it has been collected.
    pub fn uses(&self, path: &Path) -> Arc<[Demand]> {
        if !is_code(path) {
            return Arc::default();
        }
        let known = self.uses.read().unwrap_or_else(PoisonError::into_inner);
        let found = path.ancestors().find_map(|folder| known.get(folder));
        match found {
            Some(used) => used.get(path).cloned().unwrap_or_default(),
            None => {
                self.want(|wanted| wanted.workspaces.insert(path.to_owned()));
                Arc::default()
            }
        }
    }

    /// Returns the facts about names in the application around a host, if it has been read.
    pub fn app(&self, host: &Path) -> Option<Arc<AppNames>> {
        let folder = host.parent()?;
        let known = self.apps.read().unwrap_or_else(PoisonError::into_inner);
        let app = known.by_folder.get(folder);
        let Some((names, askers)) =
            app.and_then(|app| Some((known.names.get(app)?, known.askers.get(app)?)))
        else {
            self.want(|wanted| wanted.apps.insert(host.to_owned()));
            return None;
        };
        let names = names.clone();
        if !askers.contains(host) {
            let app = app.cloned();
            drop(known);
            let mut known = self.apps.write().unwrap_or_else(PoisonError::into_inner);
            known.askers.entry(app?).or_default().insert(host.to_owned());
        }
        Some(names)
    }

    /// Records that a file was created, changed or deleted, or a folder created or deleted.
    pub fn changed(&self, path: &Path) {
        let may_say = language_of_names(path).is_some() || is_manifest(path);
        if !may_say && is_watched(path) {
            return;
        }
        // A running job may have read the old text of the file, so a job that holds the lock counts as
        // collected state.
        let gathered = self.gathered.try_lock();
        if gathered.is_ok_and(|it| it.uses.is_empty() && it.apps.is_empty()) {
            return;
        }
        self.want(|wanted| {
            let paths = if may_say { &mut wanted.files } else { &mut wanted.folders };
            paths.insert(path.to_owned())
        });
    }

    fn want(&self, note: impl FnOnce(&mut Wanted) -> bool) {
        note(&mut self.wanted.lock().unwrap_or_else(PoisonError::into_inner));
        self.is_wanted.notify_one();
    }

    /// Discards everything after a change of rules or of the workspace; the next query collects it again.
    pub fn forget(&self) {
        *self.gathered.lock().unwrap_or_else(PoisonError::into_inner) = Gathered::default();
        self.uses.write().unwrap_or_else(PoisonError::into_inner).clear();
        *self.apps.write().unwrap_or_else(PoisonError::into_inner) = Apps::default();
    }

    /// Waits until there is something to collect.
    pub async fn wanted(&self) {
        self.is_wanted.notified().await;
    }

    /// Returns the spans in the application around a host where a name is a whole string but its use is
    /// unknown, each with the path and text of its file. `None` until the application has been read.
    pub fn uncertain(
        &self,
        host: &Path,
        name: &str,
        files: &dyn Files,
    ) -> Option<Vec<(PathBuf, Arc<str>, usize)>> {
        let app = self.app_of(host)?;
        let gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        Some(gathered.apps.get(&app)?.uncertain(name, files))
    }

    /// Returns the files of the application around a host that may contain prompts.
    pub fn hosts_of_app(&self, host: &Path) -> BTreeSet<PathBuf> {
        let Some(app) = self.app_of(host) else { return BTreeSet::new() };
        let gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        let used = gathered.uses.values().flat_map(|uses| uses.hosts().keys());
        let used = used.filter(|path| path.starts_with(&app));
        let mut hosts: BTreeSet<PathBuf> = used.cloned().collect();
        hosts.extend(gathered.apps.get(&app).into_iter().flat_map(App::hosts).cloned());
        // A rule may name any file.
        let apps = self.apps.read().unwrap_or_else(PoisonError::into_inner);
        hosts.extend(apps.askers.get(&app).into_iter().flatten().cloned());
        hosts
    }

    /// Returns the facts about names in the application of a folder if some files had other texts.
    pub fn app_with(
        &self,
        app: &Path,
        texts: &HashMap<PathBuf, Arc<str>>,
    ) -> Option<Arc<AppNames>> {
        let gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        Some(gathered.apps.get(app)?.names_with(texts).into())
    }

    /// Returns the folder of the application around a host, if it has been read.
    pub fn app_of(&self, host: &Path) -> Option<PathBuf> {
        let apps = self.apps.read().unwrap_or_else(PoisonError::into_inner);
        apps.by_folder.get(host.parent()?).cloned()
    }

    /// Reads what remains, as a background job. `folders` are those of the workspace: files elsewhere
    /// have no results.
    pub fn gather(&self, folders: &[PathBuf], files: &dyn Files, configs: &Configs) -> Touched {
        let folders: BTreeSet<&Path> = folders.iter().map(PathBuf::as_path).collect();
        // The outermost folders contain the nested ones.
        let folders = outermost(folders);
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wanted =
            std::mem::take(&mut *self.wanted.lock().unwrap_or_else(PoisonError::into_inner));
        if gathered.uses.is_empty() && gathered.apps.is_empty() {
            // All files are about to be read in their current state.
            wanted.files.clear();
            wanted.folders.clear();
        }
        for folder in &folders {
            let below = wanted.folders.iter().filter(|it| it.starts_with(folder));
            let below: Vec<PathBuf> = below.cloned().collect();
            wanted.files.extend(gathered.below(&below));
            if !below.is_empty() {
                wanted.files.extend(files.walk_to(folder, Some(below)));
            }
        }
        let workspace = |path: &Path| folders.iter().find(|folder| path.starts_with(folder));
        let Touched { mut prompts, mut names } = Touched::default();
        for path in wanted.workspaces {
            let Some(&folder) = workspace(&path) else { continue };
            if !gathered.uses.contains_key(folder) {
                let uses = Uses::below(folder, files, configs);
                prompts.extend(uses.hosts().keys().cloned());
                gathered.uses.insert(folder.to_owned(), uses);
            }
        }
        for path in wanted.files.iter().filter(|path| is_code(path)) {
            let uses = workspace(path).and_then(|folder| gathered.uses.get_mut(*folder));
            prompts.extend(uses.into_iter().flat_map(|uses| uses.look_again(path, files, configs)));
        }
        let known = gathered.uses.iter();
        let known = known.map(|(folder, uses)| (folder.clone(), uses.hosts().clone()));
        *self.uses.write().unwrap_or_else(PoisonError::into_inner) = known.collect();

        let mut manifests = wanted.files.iter().filter(|path| is_manifest(path));
        if manifests.any(|path| gathered.manifests.are_old(folder_of(path), files)) {
            gathered.manifests = Manifests::default();
            gathered.apps.clear();
            let mut apps = self.apps.write().unwrap_or_else(PoisonError::into_inner);
            wanted.apps.extend(std::mem::take(&mut *apps).askers.into_values().flatten());
        }
        let mut changed: BTreeSet<PathBuf> = BTreeSet::new();
        let mut asked: Vec<(PathBuf, PathBuf)> = Vec::new();
        for host in wanted.apps {
            let Some(&root) = workspace(&host) else { continue };
            let app = gathered.manifests.nearest(folder_of(&host), root, files);
            let app = app.unwrap_or_else(|| root.to_owned());
            if !gathered.apps.contains_key(&app) {
                gathered.apps.insert(app.clone(), App::below(&app, files));
                changed.insert(app.clone());
            }
            asked.push((host, app));
        }
        for path in &wanted.files {
            for folder in path.ancestors() {
                if let Some(app) = gathered.apps.get_mut(folder)
                    && app.has(path)
                    && app.look_again(path, files)
                {
                    changed.insert(folder.to_owned());
                }
            }
        }
        let mut apps = self.apps.write().unwrap_or_else(PoisonError::into_inner);
        for (host, app) in asked {
            apps.by_folder.insert(folder_of(&host).to_owned(), app.clone());
            apps.askers.entry(app).or_default().insert(host.clone());
            // The result so far was that nothing is known.
            names.insert(host);
        }
        for folder in changed {
            let Some(app) = gathered.apps.get(&folder) else { continue };
            apps.names.insert(folder.clone(), app.names().into());
            names.extend(apps.askers.get(&folder).into_iter().flatten().cloned());
        }
        Touched { prompts, names }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}
