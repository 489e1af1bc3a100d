//! Search for prompts below a folder.

use std::cmp::Ordering;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, ParallelVisitor, ParallelVisitorBuilder, WalkState};

use super::walker::{LeftOut, Walking, walk_through};
use crate::config::{CONFIG_NAME, Config, Rule};
use crate::configs::Configs;
use crate::files::Files;
use crate::files::paths::folder_of;
use crate::hosts::is_code::is_data;
use crate::hosts::program_facts::Extent;
use crate::in_parallel::in_parallel;
use crate::kind::kind_of;
use crate::project::Project;
use crate::sidecars::naming::sidecar_like;

/// The files below some folders, in no particular order.
#[derive(Debug, Default)]
pub struct WalkedFiles {
    /// The files that a rule, their name or their content makes prompts.
    pub prompts: Vec<PathBuf>,
    /// The files named `promptls.toml` among them.
    pub configs: Vec<PathBuf>,
    /// The inputs and variables files among them.
    pub sidecars: Vec<PathBuf>,
    /// Messages about what could not be read.
    pub failures: Vec<String>,
}

/// The prompts below a folder, sorted.
pub fn prompts_in(folder: &Path, project: Project<'_>) -> Vec<PathBuf> {
    let mut prompts = find_below(&[folder.to_owned()], project).prompts;
    prompts.sort_unstable_by(|path, other| by_bytes(path, other));
    prompts
}

/// The same at another time. As on disk, hidden files are left out.
pub fn prompts_at(folder: &Path, project: Project<'_>) -> Vec<PathBuf> {
    let is_hidden = |path: &Path| {
        let below = path.strip_prefix(folder).unwrap_or(path);
        below.iter().any(|part| part.as_encoded_bytes().starts_with(b"."))
    };
    let is_prompt = |path: &PathBuf| {
        let config = project.configs.nearest(project.files, folder_of(path));
        !is_hidden(path) && kind_of(path, config.as_deref(), project).is_some()
    };
    let mut prompts = project.files.walk(folder);
    prompts.retain(is_prompt);
    prompts.sort_unstable_by(|path, other| by_bytes(path, other));
    prompts
}

/// The prompts below a folder with a rule that meets a condition, sorted.
///
/// Cost: a walk. Files without such a rule are not read.
pub fn prompts_by_rule(
    folder: &Path,
    project: Project<'_>,
    is_wanted: &(dyn Fn(&Rule) -> bool + Sync),
) -> Vec<PathBuf> {
    let is_prompt = |path: &Path, config: Option<&Config>| {
        config.and_then(|config| config.rule_for(path)).is_some_and(is_wanted)
            && kind_of(path, config, project).is_some()
    };
    let Project { files, configs, .. } = project;
    let mut prompts =
        find(&[folder.to_owned()], &Walking::default(), files, configs, &is_prompt).prompts;
    prompts.sort_unstable_by(|path, other| by_bytes(path, other));
    prompts
}

/// The configs below a folder, each with its parents.
pub fn configs_below(folder: &Path, files: &dyn Files, configs: &Configs) -> Vec<Arc<Config>> {
    let found =
        find(&[folder.to_owned()], &Walking::default(), files, configs, &|_, _| false).configs;
    let folders = found.iter().filter_map(|path| path.parent());
    folders.filter_map(|folder| configs.nearest(files, folder)).collect()
}

/// The byte order of paths: several times faster than comparing components.
pub fn by_bytes(path: &Path, other: &Path) -> Ordering {
    path.as_os_str().cmp(other.as_os_str())
}

/// All prompts and configs below some folders. Files that git ignores are left out.
pub fn find_below(folders: &[PathBuf], project: Project<'_>) -> WalkedFiles {
    find_walking(&Walking::default(), folders, project)
}

/// The same with options for the walk.
pub fn find_walking(walking: &Walking, folders: &[PathBuf], project: Project<'_>) -> WalkedFiles {
    let extent = match (&walking.excluded, &walking.places) {
        (None, None) => Extent::Whole,
        _ => Extent::Part,
    };
    project.program.note_searched(folders, extent);
    let is_prompt = |path: &Path, config: Option<&Config>| kind_of(path, config, project).is_some();
    find(folders, walking, project.files, project.configs, &is_prompt)
}

/// The same for files at or below some places only.
///
/// Cost: listings of the folders on the way there.
pub fn find_at(places: Vec<PathBuf>, folders: &[PathBuf], project: Project<'_>) -> WalkedFiles {
    let walking = Walking { places: Some(places), ..Walking::default() };
    find_walking(&walking, folders, project)
}

/// `true` if a file is a prompt to search for, given its path and its config.
type IsPrompt<'w> = &'w (dyn Fn(&Path, Option<&Config>) -> bool + Sync);

fn find(
    folders: &[PathBuf],
    walking: &Walking,
    files: &dyn Files,
    configs: &Configs,
    is_prompt: IsPrompt<'_>,
) -> WalkedFiles {
    // Other folders are not on disk.
    let folders = folders.iter().map(PathBuf::as_path).filter(|folder| folder.is_absolute());
    let folders: Vec<&Path> = folders.collect();
    let (left_out, all) = (LeftOut::default(), Mutex::new(WalkedFiles::default()));
    let later = Mutex::new(Vec::new());
    walk_through(&folders, walking, &left_out, |walker| {
        let mut visitors = Visitors { files, configs, is_prompt, all: &all, later: &later };
        walker.build_parallel().visit(&mut visitors);
    });
    let mut found = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Once the walk has met all code, it is known whether code uses their values.
    let later = later.into_inner().unwrap_or_else(PoisonError::into_inner);
    let are_prompts = in_parallel(&later, |path| {
        is_prompt(path, configs.nearest(files, folder_of(path)).as_deref())
    });
    let prompts = later.into_iter().zip(are_prompts).filter(|(_, is_prompt)| *is_prompt);
    found.prompts.extend(prompts.map(|(path, _)| path));
    found.failures.extend(left_out.reasons());
    found
}

struct Visitors<'w> {
    files: &'w dyn Files,
    configs: &'w Configs,
    is_prompt: IsPrompt<'w>,
    all: &'w Mutex<WalkedFiles>,
    later: &'w Mutex<Vec<PathBuf>>,
}

impl<'w> ParallelVisitorBuilder<'w> for Visitors<'w> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 'w> {
        let Visitors { files, configs, is_prompt, all, later } = *self;
        let found = WalkedFiles::default();
        Box::new(Visitor { files, configs, is_prompt, all, later, found, last: None })
    }
}

struct Visitor<'w> {
    files: &'w dyn Files,
    configs: &'w Configs,
    is_prompt: IsPrompt<'w>,
    all: &'w Mutex<WalkedFiles>,
    /// The data files, which are decided on after the walk.
    later: &'w Mutex<Vec<PathBuf>>,
    found: WalkedFiles,
    /// The folder of the last file, and its config: a walk visits the files of a folder in turn.
    last: Option<(PathBuf, Option<Arc<Config>>)>,
}

impl ParallelVisitor for Visitor<'_> {
    fn visit(&mut self, entry: Result<DirEntry, ignore::Error>) -> WalkState {
        match entry {
            Ok(entry) => match entry.file_type() {
                Some(kind) if kind.is_file() => self.file(entry),
                // Links are not followed.
                Some(kind) if kind.is_dir() || kind.is_symlink() => {}
                _ => self.no_file(&entry),
            },
            Err(error) => self.found.failures.push(error.to_string()),
        }
        WalkState::Continue
    }
}

impl Visitor<'_> {
    fn file(&mut self, entry: DirEntry) {
        let is_sidecar = || entry.file_name().to_str().and_then(sidecar_like).is_some();
        if entry.file_name() == OsStr::new(CONFIG_NAME) {
            self.found.configs.push(entry.into_path());
        } else if is_data(entry.path()) && !is_sidecar() {
            self.later.lock().unwrap_or_else(PoisonError::into_inner).push(entry.into_path());
        } else if self.is_prompt(entry.path()) {
            self.found.prompts.push(entry.into_path());
        } else if is_sidecar() {
            self.found.sidecars.push(entry.into_path());
        }
    }

    fn is_prompt(&mut self, path: &Path) -> bool {
        let folder = folder_of(path);
        let config = match &self.last {
            Some((last, config)) if last.as_os_str() == folder.as_os_str() => config,
            _ => {
                let config = self.configs.nearest(self.files, folder);
                &self.last.insert((folder.to_owned(), config)).1
            }
        };
        (self.is_prompt)(path, config.as_deref())
    }

    /// Reports a pipe or the like in place of a prompt, because it was not examined.
    fn no_file(&mut self, entry: &DirEntry) {
        if self.is_prompt(entry.path())
            && let Err(error) = self.files.read(entry.path())
        {
            self.found.failures.push(error.to_string());
        }
    }
}

impl Drop for Visitor<'_> {
    fn drop(&mut self) {
        let found = std::mem::take(&mut self.found);
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.prompts.extend(found.prompts);
        all.configs.extend(found.configs);
        all.sidecars.extend(found.sidecars);
        all.failures.extend(found.failures);
    }
}
