//! Facts about the programs in a folder, computed on first request.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use promptls_hosts::Demand;

use super::application::names_of;
use super::code_scan::{NameScan, ScannedFile, scan_below};
use super::is_code::{is_code, is_data, language_of_names, may_be_used_by_code};
use super::manifests::Manifests;
use super::program_facts::{Extent, ProgramFacts};
use super::prompt_uses::{Use, Uses};
use super::state_names::AppNames;
use super::workspace_folder::{has_manifest, is_home, workspace_around};
use crate::configs::Configs;
use crate::files::layer::Layer;
use crate::files::path_map::PathMap;
use crate::files::paths::folder_of;
use crate::files::{Disk, Files, Once};
use crate::project::Project;
use crate::read_error::Within;
use crate::walking::walk::by_bytes;

/// Files on disk, for a program that runs once.
pub type DiskOnce = CodeIndex<Once<Disk>>;

/// A snapshot of files. The first request about a code file searches the whole
/// [workspace](workspace_around) around it.
#[derive(Debug)]
pub struct CodeIndex<F> {
    files: F,
    /// The folder in which the program runs: the workspace of files below it that nothing else
    /// marks as part of a project. Otherwise a command about one of them would not find the code
    /// that a search of all of them finds.
    current: Option<PathBuf>,
    /// Workspaces by folder.
    workspaces: PathMap<Arc<Workspace>>,
    /// The workspaces of all requested folders.
    by_folder: PathMap<Arc<Workspace>>,
    /// The names of applications, by folder.
    apps: PathMap<Arc<OnceLock<Arc<AppNames>>>>,
    manifests: Manifests,
    /// The folders that are searched for prompts.
    searched: RwLock<BTreeMap<PathBuf, Extent>>,
    configs: Configs,
}

/// A folder in which code files may use each other. The first request computes the uses, and all
/// others wait.
#[derive(Debug)]
struct Workspace {
    folder: PathBuf,
    known: OnceLock<(Uses, Vec<ScannedFile>)>,
}

impl<F> CodeIndex<F> {
    /// Starts with an empty cache. The configs decide which strings are prompts.
    pub fn new(files: F, configs: Configs) -> CodeIndex<F> {
        CodeIndex {
            files,
            current: None,
            workspaces: PathMap::default(),
            by_folder: PathMap::default(),
            apps: PathMap::default(),
            manifests: Manifests::default(),
            searched: RwLock::default(),
            configs,
        }
    }
}

impl DiskOnce {
    /// Files on disk, with these configs.
    pub fn with_configs(configs: Configs) -> DiskOnce {
        let current = std::env::current_dir().ok().filter(|current| !is_home(current));
        CodeIndex { current, ..CodeIndex::new(Once::default(), configs) }
    }
}

impl Default for DiskOnce {
    fn default() -> DiskOnce {
        DiskOnce::with_configs(Configs::default())
    }
}

impl<F: Files> CodeIndex<F> {
    /// These files and the programs in them, with configs.
    pub fn project<'p>(&'p self, configs: &'p Configs) -> Project<'p> {
        Project { files: self, configs, program: self }
    }

    /// The workspace of a folder. See [`workspace_around`].
    fn workspace(&self, folder: &Path) -> Arc<Workspace> {
        if let Some(known) = self.by_folder.get(folder) {
            return known.clone();
        }
        let root = self.root(folder);
        let new = || Arc::new(Workspace { folder: root.clone(), known: OnceLock::new() });
        let workspace = self.workspaces.entry(root.clone()).or_insert_with(new).clone();
        self.by_folder.insert(folder.to_owned(), workspace.clone());
        workspace
    }

    /// The folder of the workspace of a folder; see [`workspace_around`].
    fn root(&self, folder: &Path) -> PathBuf {
        let searched = self.searched.read().unwrap_or_else(PoisonError::into_inner);
        let searched = searched.keys().map(PathBuf::as_path);
        let reach = self.configs.reach();
        let found = workspace_around(folder, searched, reach, &self.files);
        let is_loose = || {
            reach.root(&self.files, &found).1 == Within::Folder
                && !has_manifest(&found, &self.files)
        };
        let current = self.current.as_ref().filter(|current| found.starts_with(current));
        current.filter(|_| is_loose()).cloned().unwrap_or(found)
    }

    /// `false` if a search of the whole workspace of a folder has met no code. For data alone, it is
    /// not searched again.
    fn may_have_code(&self, folder: &Path) -> bool {
        let is_searched = |root: &PathBuf| {
            let searched = self.searched.read().unwrap_or_else(PoisonError::into_inner);
            searched.get(root) == Some(&Extent::Whole)
        };
        !self.workspaces.is_empty() || !is_searched(&self.root(folder))
    }

    /// The cached facts of a workspace: the uses between its files, and the facts of each file.
    fn known<'k>(&self, workspace: &'k Workspace) -> &'k (Uses, Vec<ScannedFile>) {
        let scan = || scan_below(&workspace.folder, &self.files, &self.configs);
        workspace.known.get_or_init(scan)
    }

    /// The names of an application that is a workspace or within one, and of those that run with it.
    fn names_of_app(&self, app: &Path, workspace: &Workspace) -> Arc<AppNames> {
        // Requests about another application need not wait.
        let names = self.apps.entry(app.to_owned()).or_default().clone();
        let find = || {
            let (uses, _) = self.known(workspace);
            let folders = uses.running_with(app, &self.manifests, &self.files);
            match folders.first().filter(|first| folders.len() == 1 && *first != app) {
                Some(around) => self.names_of_app(around, workspace),
                None => Arc::new(self.names_in(&folders, workspace)),
            }
        };
        names.get_or_init(find).clone()
    }

    /// The names in some folders of a workspace.
    fn names_in(&self, folders: &BTreeSet<PathBuf>, workspace: &Workspace) -> AppNames {
        let (_, scanned) = self.known(workspace);
        let mut in_app: Vec<&ScannedFile> = Vec::new();
        for folder in folders {
            // Paths below the folder are contiguous, because they share the prefix that ends in a
            // slash.
            let below = folder.join("");
            let start = scanned.partition_point(|it| by_bytes(&it.path, &below).is_lt());
            in_app.extend(scanned[start..].iter().take_while(|it| begins_with(&it.path, &below)));
        }
        if !in_app.is_empty() {
            return names_of(&in_app, &self.files);
        }
        // Hidden or ignored files are no part of the workspace, but can be requested.
        let files: &dyn Files = &self.files;
        let mut paths: Vec<PathBuf> = folders.iter().flat_map(|it| files.walk(it)).collect();
        paths.retain(|path| language_of_names(path).is_some());
        let unread = |path| ScannedFile { path, holds_prompts: None, names: NameScan::Unread };
        let all: Vec<ScannedFile> = paths.into_iter().map(unread).collect();
        names_of(&all.iter().collect::<Vec<_>>(), &self.files)
    }
}

fn begins_with(path: &Path, start: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().starts_with(start.as_os_str().as_encoded_bytes())
}

/// The facts of a file, from a list sorted [`by_bytes`].
fn find<'l>(scanned: &'l [ScannedFile], path: &Path) -> Option<&'l ScannedFile> {
    let index = scanned.binary_search_by(|it| by_bytes(&it.path, path)).ok()?;
    scanned.get(index)
}

impl<F: Files> Layer for CodeIndex<F> {
    fn below(&self) -> &dyn Files {
        &self.files
    }
}

impl<F: Files> ProgramFacts for CodeIndex<F> {
    fn uses(&self, path: &Path) -> Arc<[Demand]> {
        let is_used = match is_data(path) {
            true => self.may_have_code(folder_of(path)),
            false => may_be_used_by_code(path),
        };
        match is_used {
            true => self.known(&self.workspace(folder_of(path))).0.of(path),
            false => Arc::default(),
        }
    }

    fn used_by(&self, path: &Path) -> Arc<[Use]> {
        match is_code(path) {
            true => self.known(&self.workspace(folder_of(path))).0.used_by(path),
            false => Arc::default(),
        }
    }

    fn parts_of(&self, path: &Path) -> Vec<PathBuf> {
        match is_code(path) {
            true => self.known(&self.workspace(folder_of(path))).0.parts_of(path),
            false => Vec::new(),
        }
    }

    fn texts_used(&self, path: &Path) -> Vec<PathBuf> {
        match is_code(path) {
            true => self.known(&self.workspace(folder_of(path))).0.texts_used(path),
            // No search has found code.
            false if self.workspaces.is_empty() => Vec::new(),
            false => self.known(&self.workspace(path)).0.texts_used(path),
        }
    }

    fn names(&self, path: &Path) -> Option<Arc<AppNames>> {
        let folder = folder_of(path);
        let workspace = self.workspace(folder);
        let app = self.manifests.nearest(folder, &workspace.folder, &self.files);
        if app.is_none() && is_home(&workspace.folder) {
            return None;
        }
        let app = app.as_ref().unwrap_or(&workspace.folder);
        Some(self.names_of_app(app, &workspace))
    }

    fn holds_prompts(&self, path: &Path) -> Option<bool> {
        // For data alone, the code is not searched.
        if !is_code(path) && self.workspaces.is_empty() {
            return None;
        }
        let workspace = self.workspace(folder_of(path));
        let (uses, scanned) = match is_code(path) {
            true => self.known(&workspace),
            false => workspace.known.get()?,
        };
        find(scanned, path)?.holds_prompts.filter(|_| uses.of(path).is_empty())
    }

    fn note_searched(&self, folders: &[PathBuf], extent: Extent) {
        let mut searched = self.searched.write().unwrap_or_else(PoisonError::into_inner);
        searched.extend(folders.iter().map(|folder| (folder.clone(), extent)));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::files::Reading;
    use crate::read_error::ReadError;

    /// The files on disk, and the names of those that were read.
    #[derive(Default)]
    struct Noting(Mutex<Vec<String>>);

    impl Layer for Noting {
        fn below(&self) -> &dyn Files {
            &Disk
        }

        fn read_as(&self, path: &Path, reading: Reading) -> Result<Arc<str>, ReadError> {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            self.0.lock().expect("no thread panicked").push(name);
            Disk.read_as(path, reading)
        }
    }

    #[test]
    fn code_without_relevant_words_is_read_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for (name, text) in [
            ("pyproject.toml", ""),
            ("agent.py", "from google.adk.agents import Agent\nAgent(instruction='{x}')"),
            ("plain.py", "print('the state of things', output)"),
            ("state.py", "state['x'] = 1"),
        ] {
            std::fs::write(path(name), text).expect("it is written");
        }
        let with_uses = CodeIndex::new(Noting::default(), Configs::default());
        let program: &dyn ProgramFacts = &with_uses;
        assert!(
            program.holds_prompts(&path("plain.py")) == Some(false)
                && program.holds_prompts(&path("agent.py")) == Some(true)
        );
        let names = program.names(&path("agent.py")).expect("there is an application");
        assert_eq!(names.places("x").len(), 1);
        let mut read = with_uses.files.0.into_inner().expect("no thread panicked");
        read.sort_unstable();
        // A manifest may also declare packages.
        assert_eq!(read, ["agent.py", "plain.py", "pyproject.toml", "pyproject.toml", "state.py"]);
    }

    #[test]
    fn data_beside_code_is_indexed_unless_it_is_long() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let long = format!("output_key: plan\nwords: {}\n", "word ".repeat(300_000));
        for (name, text) in [("pyproject.toml", ""), ("agent.py", "x = 1\n"), ("long.yaml", &long)]
        {
            std::fs::write(path(name), text).expect("it is written");
        }
        let program: &dyn ProgramFacts = &CodeIndex::new(Disk, Configs::default());
        assert_eq!(program.holds_prompts(&path("agent.py")), Some(false));
        assert_eq!(program.holds_prompts(&path("pyproject.toml")), Some(false));
        // The reader is determined when the file is read.
        assert_eq!(program.holds_prompts(&path("a.pack.yaml")), None);
        assert_eq!(program.holds_prompts(&path("long.yaml")), None);
        let names = program.names(&path("agent.py")).expect("there is an application");
        assert_eq!(names.places("plan").len(), 1);
    }

    #[test]
    fn a_workspace_root_has_a_repository_a_manifest_or_packages() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        for name in [
            "git/.git/HEAD",
            "git/app/pyproject.toml",
            "git/app/a/x.py",
            "app/setup.py",
            "app/a/b/x.py",
            "pkg/a/__init__.py",
            "pkg/a/b/__init__.py",
            "plain/a/x.py",
        ] {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
            std::fs::write(path, "").expect("it is written");
        }
        let files = CodeIndex::new(Disk, Configs::default());
        for (of, expected) in
            [("git/app/a", "git"), ("app/a/b", "app"), ("pkg/a/b", "pkg"), ("plain/a", "plain/a")]
        {
            assert_eq!(files.workspace(&root.join(of)).folder, root.join(expected));
        }
    }
}
