//! The names that the files of a package declare, in languages whose packages are folders. A name of
//! a package may be in any of its files, and this index has the files of each name.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;
use promptls_hosts::declared_names;

use super::is_code::language_of;
use crate::files::Files;
use crate::files::paths::folder_of;

/// Indexes of folders, built on first request.
#[derive(Debug, Default)]
pub struct Packages {
    by_folder: DashMap<PathBuf, Arc<OnceLock<Declared>>>,
}

/// The files of a folder by the names that they declare.
#[derive(Debug, Default)]
struct Declared {
    files: HashMap<String, Vec<PathBuf>>,
    names: HashMap<PathBuf, Vec<String>>,
}

impl Packages {
    /// The files in a folder with an extension that declare a name.
    ///
    /// Cost: at the first request for a folder, parsing the files with this extension.
    pub fn declaring(
        &self,
        folder: &Path,
        extension: &str,
        name: &str,
        files: &dyn Files,
    ) -> Vec<PathBuf> {
        let declared = self.by_folder.entry(folder.to_owned()).or_default().clone();
        let declared = declared.get_or_init(|| Declared::in_folder(folder, extension, files));
        declared.files.get(name).cloned().unwrap_or_default()
    }

    /// Forgets the index of the folder of a changed file, if the file declares other names now.
    /// Returns those that it declares only before or only after the change.
    pub fn follow(&self, path: &Path, files: &dyn Files) -> BTreeSet<String> {
        let folder = folder_of(path);
        let Some(declared) = self.by_folder.get(folder).map(|it| it.clone()) else {
            return BTreeSet::new();
        };
        let last = declared.get().and_then(|declared| declared.names.get(path));
        let last: BTreeSet<String> = last.into_iter().flatten().cloned().collect();
        let now: BTreeSet<String> = names_in(path, files).into_iter().collect();
        let differ: BTreeSet<String> = last.symmetric_difference(&now).cloned().collect();
        if !differ.is_empty() {
            self.by_folder.remove(folder);
        }
        differ
    }
}

impl Declared {
    fn in_folder(folder: &Path, extension: &str, files: &dyn Files) -> Declared {
        let mut declared = Declared::default();
        let names = files.list(folder);
        let paths = names.iter().map(|name| folder.join(name));
        for path in paths.filter(|path| path.extension().is_some_and(|it| it == extension)) {
            let names = names_in(&path, files);
            for name in &names {
                declared.files.entry(name.clone()).or_default().push(path.clone());
            }
            declared.names.insert(path, names);
        }
        declared
    }
}

/// The names that a code file declares, sorted.
fn names_in(path: &Path, files: &dyn Files) -> Vec<String> {
    let language = language_of(path);
    let text = files.read(path).ok();
    language.zip(text).map(|(language, text)| declared_names(language, &text)).unwrap_or_default()
}
