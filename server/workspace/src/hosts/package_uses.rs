//! Packages of a repository that run together although no manifest declares them as one application:
//! the code of one imports another one, or its manifest names the folder of the other one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use promptls_hosts::{Imported, Language};

use super::is_code::language_of;
use super::manifests::Manifests;
use super::modules::joined;
use super::prompt_uses::Uses;
use super::workspace_folder::{has_manifest, manifests_in};
use crate::files::Files;
use crate::files::paths::folder_of;

/// Beyond this number of packages that run together, the whole workspace counts as one application,
/// which is read once: each of a thousand packages may use most others.
const MOST_TOGETHER: usize = 32;

/// The applications that each application of a workspace uses, by folder.
#[derive(Debug, Default)]
pub struct PackageUses {
    used_by: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
}

impl PackageUses {
    /// The uses between the applications with hosts below a folder.
    ///
    /// Cost: the imports of all hosts, and the manifests of their applications; nothing for a single
    /// application.
    pub fn of(uses: &Uses, manifests: &Manifests, files: &dyn Files) -> PackageUses {
        let root = uses.folder();
        let app_of = |folder: &Path| {
            manifests.nearest(folder, root, files).unwrap_or_else(|| root.to_owned())
        };
        let mut hosts: BTreeMap<PathBuf, Vec<(&PathBuf, &[Imported])>> = BTreeMap::new();
        for (host, imports) in uses.imports() {
            hosts.entry(app_of(folder_of(host))).or_default().push((host, imports));
        }
        let mut found = PackageUses::default();
        if hosts.keys().all(|app| app == root) {
            return found;
        }
        let mut imports = Imports { uses, files, known: HashMap::new() };
        for (app, hosts) in hosts {
            let mut used = BTreeSet::new();
            for (host, imported) in hosts {
                let found = imported.iter().filter_map(|it| imports.file(it, host));
                used.extend(found.map(|file| app_of(folder_of(&file))));
            }
            let named = packages_in_manifests(&app, root, files);
            used.extend(named.iter().map(|folder| app_of(folder)));
            used.remove(&app);
            if !used.is_empty() {
                found.used_by.insert(app, used);
            }
        }
        found
    }

    /// The folders of the applications that run in a program with one: those that it uses, and those
    /// that use it, with all that these use. A folder below another one of them is left out. `root` is
    /// that of the workspace.
    pub fn together(&self, app: &Path, root: &Path) -> BTreeSet<PathBuf> {
        let users = |used: &Path| {
            let users = self.used_by.iter().filter(move |(_, all)| all.contains(used));
            users.map(|(user, _)| user.clone()).collect::<Vec<_>>()
        };
        let used = |user: &Path| self.used_by.get(user).into_iter().flatten().cloned().collect();
        let programs = closure([app.to_owned()].into(), users);
        let Some(all) = programs.and_then(|programs| closure(programs, used)) else {
            return [root.to_owned()].into();
        };
        let is_inner = |it: &PathBuf| it.ancestors().skip(1).any(|around| all.contains(around));
        all.iter().filter(|it| !is_inner(it)).cloned().collect()
    }
}

/// All that some paths lead to, directly or through others; `None` if they are more than
/// [`MOST_TOGETHER`].
fn closure(
    start: BTreeSet<PathBuf>,
    next: impl Fn(&Path) -> Vec<PathBuf>,
) -> Option<BTreeSet<PathBuf>> {
    let mut waiting: Vec<PathBuf> = start.iter().cloned().collect();
    let mut found = start;
    while let Some(path) = waiting.pop() {
        let new = next(&path).into_iter().filter(|it| found.insert(it.clone()));
        waiting.extend(new);
        if found.len() > MOST_TOGETHER {
            return None;
        }
    }
    Some(found)
}

/// The search for imported modules in the folders around a host.
struct Imports<'u> {
    uses: &'u Uses,
    files: &'u dyn Files,
    /// Whether a folder, or one around it, has a module or package of Python with a name: nearly
    /// all imports are of libraries, which are in none of them.
    known: HashMap<(PathBuf, String), bool>,
}

impl Imports<'_> {
    /// The file of an imported module. In other languages, a manifest names the packages that code
    /// may import.
    fn file(&mut self, imported: &Imported, host: &Path) -> Option<PathBuf> {
        let language = language_of(host)?;
        let is_possible = match language {
            Language::Python => {
                let first = imported.module.split('.').next().unwrap_or_default();
                first.is_empty() || self.is_around(folder_of(host), first)
            }
            Language::TypeScript | Language::Tsx | Language::JavaScript => true,
            _ => false,
        };
        is_possible.then(|| self.uses.imported(language, imported, host, self.files))?
    }

    fn is_around(&mut self, folder: &Path, name: &str) -> bool {
        let key = (folder.to_owned(), name.to_owned());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let names = [
            name.to_owned(),
            format!("{name}.py"),
            format!("src/{name}"),
            format!("src/{name}.py"),
        ];
        let is_here = names.iter().any(|name| self.files.is_there(&folder.join(name)));
        let is_found =
            is_here || folder != self.uses.folder() && self.is_around(folder_of(folder), name);
        self.known.insert(key, is_found);
        is_found
    }
}

/// The folders of packages that the manifests of an application name by their paths.
fn packages_in_manifests(app: &Path, root: &Path, files: &dyn Files) -> Vec<PathBuf> {
    let texts = manifests_in(app, files).filter_map(|path| files.read_shared(&path).ok());
    let is_end = |sign: char| sign.is_whitespace() || "\"'`,;()[]{}<>=@".contains(sign);
    let mut found = Vec::new();
    for text in texts {
        let words = text.split(is_end).map(|word| {
            let path = word.rsplit_once(':').map_or(word, |(_, path)| path);
            path.split('#').next().unwrap_or_default()
        });
        let paths =
            words.filter(|path| path.contains('/') && !path.starts_with('/') || *path == "..");
        let folders = paths.map(|path| joined(app, path)).filter(|path| path.starts_with(root));
        found.extend(folders.filter(|path| path != app && has_manifest(path, files)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_what_they_use_and_what_uses_them() {
        let path = |name: &str| Path::new("/r").join(name);
        let mut packages = PackageUses::default();
        for (user, used) in [("a", "lib"), ("b", "lib"), ("lib", "base"), ("c", "c/inner")] {
            packages.used_by.entry(path(user)).or_default().insert(path(used));
        }
        for (app, expected) in [
            ("a", "a base lib"),
            ("lib", "a b base lib"),
            ("base", "a b base lib"),
            ("c/inner", "c"),
            ("other", "other"),
        ] {
            let found = packages.together(&path(app), Path::new("/r"));
            let names = found.iter().filter_map(|it| it.strip_prefix("/r").ok()?.to_str());
            assert_eq!(names.collect::<Vec<_>>().join(" "), expected, "{app}");
        }
        for number in 0..1000 {
            packages.used_by.entry(path(&format!("n{number}"))).or_default().insert(path("lib"));
        }
        let whole = packages.together(&path("lib"), Path::new("/r"));
        assert_eq!(whole, [PathBuf::from("/r")].into());
    }
}
