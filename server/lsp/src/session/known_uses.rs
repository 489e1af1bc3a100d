//! Which prompts of code other code uses, gathered in the background.
//!
//! Nobody waits for it: an answer before it is known is that of a file that nobody uses. It begins
//! when somebody looks at the first file of code in the workspace.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use promptls_workspace::{Configs, Demand, Files, Uses, is_code};
use tokio::sync::Notify;

/// See the module.
#[derive(Debug, Default)]
pub struct KnownUses {
    /// The files of code to look at.
    wanted: Mutex<BTreeSet<PathBuf>>,
    is_wanted: Notify,
    /// What is known, by the folders of the workspace.
    gathered: Mutex<BTreeMap<PathBuf, Uses>>,
    /// What others use of each file, by the same folders.
    known: RwLock<BTreeMap<PathBuf, Used>>,
}

/// What others use of each file.
type Used = BTreeMap<PathBuf, Arc<[Demand]>>;

impl KnownUses {
    /// What others use of a file, as far as it is known.
    pub fn of(&self, path: &Path) -> Arc<[Demand]> {
        if !is_code(path) {
            return Arc::default();
        }
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let found = path.ancestors().find_map(|folder| known.get(folder));
        match found {
            Some(used) => used.get(path).cloned().unwrap_or_default(),
            None => {
                self.want(path);
                Arc::default()
            }
        }
    }

    /// A file changed, came or went.
    pub fn changed(&self, path: &Path) {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if is_code(path) && path.ancestors().any(|folder| known.contains_key(folder)) {
            self.want(path);
        }
    }

    fn want(&self, path: &Path) {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        self.is_wanted.notify_one();
    }

    /// Other rules hold, or the workspace is another: all of it is gathered anew when somebody asks.
    pub fn forget(&self) {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.known.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Waits until there is something to gather.
    pub async fn wanted(&self) {
        self.is_wanted.notified().await;
    }

    /// Looks at what is wanted, as a background job. `folders` are those of the workspace: of files
    /// elsewhere nothing is known. Returns the files that may have other prompts now.
    pub fn gather(
        &self,
        folders: &[PathBuf],
        files: &dyn Files,
        configs: &Configs,
    ) -> BTreeSet<PathBuf> {
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        let mut other = BTreeSet::new();
        let wanted =
            std::mem::take(&mut *self.wanted.lock().unwrap_or_else(PoisonError::into_inner));
        for path in wanted {
            let Some(folder) = folders.iter().find(|folder| path.starts_with(folder)) else {
                continue;
            };
            match gathered.get_mut(folder) {
                Some(uses) => other.extend(uses.look_again(&path, files, configs)),
                None => {
                    let uses = Uses::below(folder, files, configs);
                    other.extend(uses.hosts().keys().cloned());
                    gathered.insert(folder.clone(), uses);
                }
            }
        }
        let known = gathered.iter().map(|(folder, uses)| (folder.clone(), uses.hosts().clone()));
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = known.collect();
        other
    }
}
