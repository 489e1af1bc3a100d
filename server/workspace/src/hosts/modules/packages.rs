//! The names that the files of a package declare, in languages whose packages are folders. A name of
//! a package may be in any of its files, and this index has the files of each name.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;
use promptls_hosts::declared_names;

use crate::files::Files;
use crate::files::paths::folder_of;
use crate::hosts::is_code::language_of;

/// Indexes of folders, built on first request. A folder may be a package of each language.
#[derive(Debug, Default)]
pub struct Packages {
    by_folder: DashMap<(PathBuf, String), Arc<OnceLock<Declared>>>,
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
        let package = (folder.to_owned(), extension.to_owned());
        let declared = self.by_folder.entry(package).or_default().clone();
        let declared = declared.get_or_init(|| Declared::in_folder(folder, extension, files));
        declared.files.get(name).cloned().unwrap_or_default()
    }

    /// Forgets the index of the folder of a changed file, if the file declares other names now.
    /// Returns those that it declares only before or only after the change.
    pub fn follow(&self, path: &Path, files: &dyn Files) -> BTreeSet<String> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let package = (folder_of(path).to_owned(), extension.into_owned());
        let Some(declared) = self.by_folder.get(&package).map(|it| it.clone()) else {
            return BTreeSet::new();
        };
        let last = declared.get().and_then(|declared| declared.names.get(path));
        let last: BTreeSet<String> = last.into_iter().flatten().cloned().collect();
        let now: BTreeSet<String> = names_in(path, files).into_iter().collect();
        let differ: BTreeSet<String> = last.symmetric_difference(&now).cloned().collect();
        if !differ.is_empty() {
            self.by_folder.remove(&package);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Disk;

    #[test]
    fn a_folder_has_a_package_of_each_language() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, text: &str| std::fs::write(path(name), text).expect("written");
        write("a.go", "package a\nconst P = 1\n");
        write("a.kt", "package a\nval P = 1\n");
        let packages = Packages::default();
        let declaring = |extension| packages.declaring(folder.path(), extension, "P", &Disk);
        assert_eq!(declaring("kt"), [path("a.kt")]);
        assert_eq!(declaring("go"), [path("a.go")]);
        assert!(packages.follow(&path("a.kt"), &Disk).is_empty());
        write("a.kt", "package a\nval Q = 1\n");
        let changed = packages.follow(&path("a.kt"), &Disk);
        assert_eq!(changed.into_iter().collect::<Vec<_>>(), ["P", "Q"]);
        assert!(declaring("kt").is_empty());
        assert_eq!(declaring("go"), [path("a.go")]);
    }
}
