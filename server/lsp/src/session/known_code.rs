//! Facts about prompts from code in other files, collected in the background: which prompts other
//! code uses, and which of their names an application sets.
//!
//! No request waits for them. Until they are known, a file counts as unused, and nothing is known
//! about its application. Collecting starts when the first code file of the workspace is loaded.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use promptls_workspace::{
    App, AppNames, Configs, Demand, Files, Manifests, Uses, is_code, is_manifest,
    language_of_names, outermost,
};
use tokio::sync::Notify;

use crate::watched::is_watched;

/// See the module.
#[derive(Debug, Default)]
pub struct KnownCode {
    wanted: Mutex<Wanted>,
    is_wanted: Notify,
    gathered: Mutex<Gathered>,
    /// The uses of each file by other files, by the folders of the workspace.
    uses: RwLock<BTreeMap<PathBuf, Used>>,
    apps: RwLock<Apps>,
}

/// The uses of each file by other files.
type Used = BTreeMap<PathBuf, Arc<[Demand]>>;

/// The files and folders to process.
#[derive(Debug, Default)]
struct Wanted {
    /// Files that appeared, changed or disappeared.
    files: BTreeSet<PathBuf>,
    /// Folders that appeared or disappeared. Editors do not report the files in them.
    folders: BTreeSet<PathBuf>,
    /// Code files in a workspace that has not been read yet.
    workspaces: BTreeSet<PathBuf>,
    /// Hosts in an application that has not been read yet.
    apps: BTreeSet<PathBuf>,
}

/// The files that are affected by new results.
#[derive(Debug, Default)]
pub struct Touched {
    /// The files whose prompts may have changed.
    pub prompts: BTreeSet<PathBuf>,
    /// The files whose names may have another meaning or definition.
    pub names: BTreeSet<PathBuf>,
}

/// The results of reading, as they are needed to follow changes.
#[derive(Debug, Default)]
struct Gathered {
    uses: BTreeMap<PathBuf, Uses>,
    apps: BTreeMap<PathBuf, App>,
    manifests: Manifests,
}

impl Gathered {
    /// The files below some folders that contributed results.
    fn below(&self, folders: &[PathBuf]) -> BTreeSet<PathBuf> {
        let users = self.uses.values().flat_map(Uses::users);
        let all = users.chain(self.apps.values().flat_map(App::files));
        all.filter(|path| folders.iter().any(|it| path.starts_with(it))).cloned().collect()
    }
}

/// The names that applications set.
#[derive(Debug, Default)]
struct Apps {
    /// By the folders of applications.
    names: BTreeMap<PathBuf, Arc<AppNames>>,
    /// The application of each folder that was requested.
    by_folder: BTreeMap<PathBuf, PathBuf>,
    /// The hosts that requested each application. The meaning of their prompts depends on the
    /// result.
    askers: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

impl KnownCode {
    /// The uses of a file by other files, as far as they are known.
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

    /// The names that the application around a host sets; `None` while they are unknown.
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

    /// Handles a file that changed, appeared or disappeared, or a folder that appeared or
    /// disappeared.
    pub fn changed(&self, path: &Path) {
        let may_say = language_of_names(path).is_some() || is_manifest(path);
        if !may_say && is_watched(path) {
            return;
        }
        // Needed even before anything is known: a running job may have read the old file.
        self.want(|wanted| {
            let paths = if may_say { &mut wanted.files } else { &mut wanted.folders };
            paths.insert(path.to_owned())
        });
    }

    fn want(&self, note: impl FnOnce(&mut Wanted) -> bool) {
        note(&mut self.wanted.lock().unwrap_or_else(PoisonError::into_inner));
        self.is_wanted.notify_one();
    }

    /// Drops all results, because rules or workspace folders changed. They are collected again on
    /// request.
    pub fn forget(&self) {
        *self.gathered.lock().unwrap_or_else(PoisonError::into_inner) = Gathered::default();
        self.uses.write().unwrap_or_else(PoisonError::into_inner).clear();
        *self.apps.write().unwrap_or_else(PoisonError::into_inner) = Apps::default();
    }

    /// Waits until there is something to collect.
    pub async fn wanted(&self) {
        self.is_wanted.notified().await;
    }

    /// Places in the surrounding application where a name is a whole string of uncertain meaning.
    /// Each has the path and text of its file. `None` while the application is unknown.
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

    /// The files of the surrounding application that may contain prompts.
    pub fn hosts_of_app(&self, host: &Path) -> BTreeSet<PathBuf> {
        let Some(app) = self.app_of(host) else { return BTreeSet::new() };
        let gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        let used = gathered.uses.values().flat_map(|uses| uses.hosts().keys());
        let used = used.filter(|path| path.starts_with(&app));
        let mut hosts: BTreeSet<PathBuf> = used.cloned().collect();
        hosts.extend(gathered.apps.get(&app).into_iter().flat_map(App::hosts).cloned());
        // Rules may name any file.
        let apps = self.apps.read().unwrap_or_else(PoisonError::into_inner);
        hosts.extend(apps.askers.get(&app).into_iter().flatten().cloned());
        hosts
    }

    /// The names that the application in a folder would set if some files had other texts.
    pub fn app_with(
        &self,
        app: &Path,
        texts: &HashMap<PathBuf, Arc<str>>,
    ) -> Option<Arc<AppNames>> {
        let gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        Some(gathered.apps.get(app)?.names_with(texts).into())
    }

    /// The folder of the application around a host; `None` while it is unknown.
    pub fn app_of(&self, host: &Path) -> Option<PathBuf> {
        let apps = self.apps.read().unwrap_or_else(PoisonError::into_inner);
        apps.by_folder.get(host.parent()?).cloned()
    }

    /// Processes the requested files as a background job. `folders` are those of the workspace;
    /// files elsewhere are ignored.
    pub fn gather(&self, folders: &[PathBuf], files: &dyn Files, configs: &Configs) -> Touched {
        let folders: BTreeSet<&Path> = folders.iter().map(PathBuf::as_path).collect();
        // The results of a folder include those of its subfolders.
        let folders = outermost(folders);
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wanted =
            std::mem::take(&mut *self.wanted.lock().unwrap_or_else(PoisonError::into_inner));
        if gathered.uses.is_empty() && gathered.apps.is_empty() {
            // All files will be read in their present state.
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
            // The previous answer was that nothing is known.
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
