//! What code says of prompts elsewhere, gathered in the background: which of them other code uses,
//! and which of their names an application sets.
//!
//! Nobody waits for it: an answer before it is known is that of a file that nobody uses, in an
//! application of which nothing is known. It begins when somebody looks at the first file of code in
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

/// See the module.
#[derive(Debug, Default)]
pub struct KnownCode {
    wanted: Mutex<Wanted>,
    is_wanted: Notify,
    gathered: Mutex<Gathered>,
    /// What others use of each file, by the folders of the workspace.
    uses: RwLock<BTreeMap<PathBuf, Used>>,
    apps: RwLock<Apps>,
}

/// What others use of each file.
type Used = BTreeMap<PathBuf, Arc<[Demand]>>;

/// What is to be looked at.
#[derive(Debug, Default)]
struct Wanted {
    /// Files that came, changed or went.
    files: BTreeSet<PathBuf>,
    /// Folders that came or went: editors do not tell of what is in them.
    folders: BTreeSet<PathBuf>,
    /// Files of code in a workspace of which nothing is known.
    workspaces: BTreeSet<PathBuf>,
    /// Hosts in an application of which nothing is known.
    apps: BTreeSet<PathBuf>,
}

/// What is not as it was, once all is gathered.
#[derive(Debug, Default)]
pub struct Touched {
    /// The files that may have other prompts.
    pub prompts: BTreeSet<PathBuf>,
    /// The files whose prompts may mean something else, or lead elsewhere.
    pub names: BTreeSet<PathBuf>,
}

/// What was read, as it is needed to follow changes.
#[derive(Debug, Default)]
struct Gathered {
    uses: BTreeMap<PathBuf, Uses>,
    apps: BTreeMap<PathBuf, App>,
    manifests: Manifests,
}

impl Gathered {
    /// The files below some folders that said something.
    fn below(&self, folders: &[PathBuf]) -> BTreeSet<PathBuf> {
        let users = self.uses.values().flat_map(Uses::users);
        let all = users.chain(self.apps.values().flat_map(App::files));
        all.filter(|path| folders.iter().any(|it| path.starts_with(it))).cloned().collect()
    }
}

/// What is known of applications.
#[derive(Debug, Default)]
struct Apps {
    /// By their folders.
    names: BTreeMap<PathBuf, Arc<AppNames>>,
    /// The application of each folder that was asked about.
    by_folder: BTreeMap<PathBuf, PathBuf>,
    /// Who has asked about each: what its prompts mean hangs on the answer.
    askers: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

impl KnownCode {
    /// What others use of a file, as far as it is known.
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

    /// What the application around a host says of names, if it is known.
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

    /// A file changed, came or went, or a folder came or went.
    pub fn changed(&self, path: &Path) {
        let may_say = language_of_names(path).is_some() || is_manifest(path);
        if !may_say && is_watched(path) {
            return;
        }
        // A job that is running may have read the file as it was, so its lock counts as something.
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

    /// Other rules hold, or the workspace is another: all of it is gathered anew when somebody asks.
    pub fn forget(&self) {
        *self.gathered.lock().unwrap_or_else(PoisonError::into_inner) = Gathered::default();
        self.uses.write().unwrap_or_else(PoisonError::into_inner).clear();
        *self.apps.write().unwrap_or_else(PoisonError::into_inner) = Apps::default();
    }

    /// Waits until there is something to gather.
    pub async fn wanted(&self) {
        self.is_wanted.notified().await;
    }

    /// The places in the application around a host where a name is a whole string, though nothing
    /// certain is known of it there: with that file's path and text. `None` while nobody can tell.
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

    /// The files of the application around a host that may hold prompts.
    pub fn hosts_of_app(&self, host: &Path) -> BTreeSet<PathBuf> {
        let Some(app) = self.app_of(host) else { return BTreeSet::new() };
        let gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        let used = gathered.uses.values().flat_map(|uses| uses.hosts().keys());
        let used = used.filter(|path| path.starts_with(&app));
        let mut hosts: BTreeSet<PathBuf> = used.cloned().collect();
        hosts.extend(gathered.apps.get(&app).into_iter().flat_map(App::hosts).cloned());
        // Rules may name any.
        let apps = self.apps.read().unwrap_or_else(PoisonError::into_inner);
        hosts.extend(apps.askers.get(&app).into_iter().flatten().cloned());
        hosts
    }

    /// What the application in a folder says of names, if some files had other texts.
    pub fn app_with(
        &self,
        app: &Path,
        texts: &HashMap<PathBuf, Arc<str>>,
    ) -> Option<Arc<AppNames>> {
        let gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        Some(gathered.apps.get(app)?.names_with(texts).into())
    }

    /// The folder of the application around a host, if it is known.
    pub fn app_of(&self, host: &Path) -> Option<PathBuf> {
        let apps = self.apps.read().unwrap_or_else(PoisonError::into_inner);
        apps.by_folder.get(host.parent()?).cloned()
    }

    /// Looks at what is wanted, as a background job. `folders` are those of the workspace: of files
    /// elsewhere nothing is known.
    pub fn gather(&self, folders: &[PathBuf], files: &dyn Files, configs: &Configs) -> Touched {
        let folders: BTreeSet<&Path> = folders.iter().map(PathBuf::as_path).collect();
        // Each has all that is in those inside it.
        let folders = outermost(folders);
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wanted =
            std::mem::take(&mut *self.wanted.lock().unwrap_or_else(PoisonError::into_inner));
        if gathered.uses.is_empty() && gathered.apps.is_empty() {
            // All files will be read as they are now.
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
            // The answer was that nothing is known.
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
