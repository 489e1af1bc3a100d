//! An index of all prompts of some folders and of the files that they depend on. A change leads to
//! exactly the affected prompts.
//!
//! Little is stored per prompt: the files that it reads, and the names that it reads from shared
//! files. Its text is read again after a change.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::check::FileProblems;
use super::config::{CONFIG_NAME, Rule, UsedIgnores};
use super::kind::kind_of;
use super::project::Project;
use super::prompt_file::PromptFile;
use super::shared_reads::SharedReads;
use super::walking::walk::{WalkedFiles, find_at, find_below};
use crate::files::paths::folder_of;
use crate::hosts::is_code::is_code;
use crate::sidecars::naming::{shipped_from, sidecar_like, stem, stems_concerned};
use crate::sidecars::owners::prompts_of;

/// Files that affect their folder and all folders below.
const FOR_FOLDERS: [&str; 4] = [CONFIG_NAME, ".gitignore", ".ignore", ".promptlsignore"];

/// More changed places than this are searched with one walk of everything.
const MANY_PLACES: usize = 200;

/// The kind of a change of a file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Its content changed, at the same path.
    Text,
    /// It was added or removed, or the kind of change is unknown.
    Place,
}

/// The effects of a change.
#[derive(Debug, Default)]
pub struct Concerned {
    /// The prompts to check again.
    pub prompts: BTreeSet<PathBuf>,
    /// Files that no longer hold prompts, although they may have before.
    pub gone: BTreeSet<PathBuf>,
    /// Messages about files and folders that could not be read.
    pub failures: Vec<String>,
}

/// The stored facts of a file of prompts.
#[derive(Clone, Debug, Default)]
pub struct KnownPrompt {
    /// The other files that it depends on.
    reads: Box<[PathName]>,
    /// The names that its prompts read from shared files; `None` if they share nothing.
    shares: Option<Box<SharedReads>>,
    /// The ignores that suppress its problems; `None` if none does.
    ignores: Option<Box<UsedIgnores>>,
}

impl KnownPrompt {
    /// The facts of a file as it is now, with the ignores that suppress its problems. An unreadable
    /// file is treated like one without sidecars.
    pub fn of(file: &PromptFile, ignores: UsedIgnores) -> KnownPrompt {
        let reads: BTreeSet<&Path> = file.all_files().skip(1).map(PathBuf::as_path).collect();
        let shares = SharedReads::of(file);
        KnownPrompt {
            reads: reads.into_iter().map(|path| path.as_os_str().into()).collect(),
            shares: (!shares.is_empty()).then(|| Box::new(shares)),
            ignores: (!ignores.is_empty()).then(|| Box::new(ignores)),
        }
    }
}

/// A path, ordered by its bytes, so that paths with a common prefix are contiguous.
type PathName = Arc<OsStr>;

/// The index. See the module documentation.
#[derive(Debug, Default)]
pub struct KnownPrompts {
    folders: Vec<PathBuf>,
    prompts: BTreeMap<PathName, KnownPrompt>,
    /// The prompts that depend on a file, sorted.
    readers: BTreeMap<PathName, Vec<PathName>>,
    configs: BTreeSet<PathBuf>,
    sidecars: BTreeSet<PathBuf>,
    /// Prompts that are included because they, or their sidecars, are open: git may ignore them.
    open: BTreeSet<PathBuf>,
    /// `true` if the names read from shared files may have changed.
    are_shared_old: bool,
    /// `true` if configs or sidecars may have been added or removed.
    is_around_old: bool,
    /// `true` if different ignores may suppress problems.
    are_ignores_old: bool,
    /// The ignores that suppress problems of each part.
    used: BTreeMap<ProblemGroup, UsedIgnores>,
}

/// A part of the problems of a workspace as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemGroup {
    /// Unused names in shared files.
    SharedFiles,
    /// Problems of configs, and sidecars without a prompt.
    Around,
    /// Ignores of configs that suppress no problem.
    Ignores,
}

impl KnownPrompts {
    /// The number of files with prompts.
    pub fn len(&self) -> usize {
        self.prompts.len()
    }

    /// `true` if there are no files with prompts.
    pub fn is_empty(&self) -> bool {
        self.prompts.is_empty()
    }

    /// `true` if a file is known to hold prompts.
    pub fn has(&self, path: &Path) -> bool {
        self.prompts.contains_key(path.as_os_str())
    }

    /// Finds all prompts below some folders; all of them need to be checked. Files in `open` are
    /// included even if git ignores them.
    ///
    /// Cost: a walk.
    pub fn find(
        &mut self,
        folders: Vec<PathBuf>,
        open: &[PathBuf],
        project: Project<'_>,
    ) -> Concerned {
        let last = std::mem::replace(self, KnownPrompts { folders, ..KnownPrompts::default() });
        let mut concerned = Concerned::default();
        (self.are_shared_old, self.is_around_old) = (true, true);
        if !self.folders.is_empty() {
            self.take_in(find_below(&self.folders, project), &mut concerned);
        }
        self.take_in_open(open, project, &mut concerned);
        let gone = last.prompts.keys().map(path_of).filter(|path| !self.has(path));
        concerned.gone.extend(gone);
        concerned
    }

    /// Updates the index for changed, added and removed files and folders.
    ///
    /// Cost: for a changed text, the prompts that read it. For an added or removed path, listings
    /// of the folders on the way there; and the rules of all prompts, if one may share it.
    pub fn changed(
        &mut self,
        changes: &BTreeMap<PathBuf, Change>,
        open: &[PathBuf],
        project: Project<'_>,
    ) -> Concerned {
        let mut concerned = Concerned::default();
        let mut places: BTreeSet<PathBuf> = BTreeSet::new();
        for (path, change) in changes {
            if *change == Change::Place && self.is_of_no_concern(path, project) {
                continue;
            }
            concerned.prompts.extend(at(&self.readers, path).map(path_of));
            concerned.gone.insert(path.clone());
            let is_for_folder = FOR_FOLDERS.iter().any(|name| path.ends_with(name));
            self.is_around_old |= is_for_folder || *change == Change::Place;
            if is_for_folder {
                places.extend(path.parent().map(Path::to_owned));
            } else if *change == Change::Place || self.has(path) != self.is_prompt(path, project) {
                places.insert(path.clone());
            } else if self.has(path) {
                concerned.prompts.insert(path.clone());
            }
        }
        if !places.is_empty() {
            // Open files that are also found in another way are found again.
            places.extend(std::mem::take(&mut self.open));
            self.look_at(&places, project, &mut concerned);
            self.take_in_open(open, project, &mut concerned);
        }
        concerned.prompts.retain(|path| self.has(path));
        concerned.gone.retain(|path| !self.has(path));
        concerned
    }

    /// `true` if a removed path was not in the index and cannot affect any prompt.
    fn is_of_no_concern(&self, path: &Path, project: Project<'_>) -> bool {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let is_here = |other: &PathBuf| other.starts_with(path);
        let is_known = below(&self.prompts, path).next().is_some()
            || below(&self.readers, path).next().is_some()
            || self.configs.range(path.to_owned()..).next().is_some_and(is_here)
            || self.sidecars.range(path.to_owned()..).next().is_some_and(is_here);
        // An ignored file may still be a sidecar.
        let has_meaning = FOR_FOLDERS.contains(&name)
            || sidecar_like(name).is_some()
            || self.is_prompt(path, project);
        !is_known && !has_meaning && !project.files.is_there(path)
    }

    /// Searches some places again, after paths were added or removed there, or settings changed.
    fn look_at(
        &mut self,
        places: &BTreeSet<PathBuf>,
        project: Project<'_>,
        concerned: &mut Concerned,
    ) {
        project.configs.forget();
        let before = self.prompts.len();
        for place in places {
            let beside = self.beside(place);
            let parts = beside.iter().flat_map(|prompt| project.program.parts_of(prompt));
            concerned.prompts.extend(parts.collect::<Vec<_>>());
            concerned.prompts.extend(beside);
            let readers = below(&self.readers, place).flat_map(|(_, prompts)| prompts);
            concerned.prompts.extend(readers.map(path_of));
            let here: Vec<PathName> =
                below(&self.prompts, place).map(|(name, _)| name.clone()).collect();
            for prompt in here {
                concerned.gone.insert(path_of(&prompt));
                self.forget(&prompt);
            }
            self.configs.retain(|path| !path.starts_with(place));
            self.sidecars.retain(|path| !path.starts_with(place));
        }
        let found = match places.len() {
            _ if self.folders.is_empty() => WalkedFiles::default(),
            MANY_PLACES.. => find_below(&self.folders, project),
            _ => find_at(places.iter().cloned().collect(), &self.folders, project),
        };
        self.take_in(found, concerned);
        self.is_around_old |= self.prompts.len() != before;
        for place in places {
            concerned.prompts.extend(self.sharing(place, project));
        }
    }

    fn take_in(&mut self, found: WalkedFiles, concerned: &mut Concerned) {
        for path in found.prompts {
            let name = PathName::from(path.as_os_str());
            self.prompts.entry(name).or_insert_with(|| {
                concerned.prompts.insert(path);
                KnownPrompt::default()
            });
        }
        self.configs.extend(found.configs);
        self.sidecars.extend(found.sidecars);
        concerned.failures.extend(found.failures);
    }

    /// Adds the prompts that are open, or whose sidecars are open.
    fn take_in_open(&mut self, open: &[PathBuf], project: Project<'_>, concerned: &mut Concerned) {
        let is_here = |path: &&PathBuf| self.folders.iter().any(|it| path.starts_with(it));
        for path in open.iter().filter(is_here).cloned().collect::<Vec<_>>() {
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            let mut found = WalkedFiles::default();
            if self.is_prompt(&path, project) {
                found.prompts.push(path);
            } else if sidecar_like(name).is_some() {
                found.prompts = prompts_of(&path, project, |_| Vec::new());
                found.sidecars.push(path);
            }
            found.prompts.retain(|prompt| !self.has(prompt));
            self.open.extend(found.prompts.iter().cloned());
            self.take_in(found, concerned);
        }
    }

    /// Stores the dependencies of a prompt, if it still exists.
    pub fn note(&mut self, path: &Path, known: KnownPrompt) {
        let Some((name, _)) = self.prompts.get_key_value(path.as_os_str()) else { return };
        let name = name.clone();
        // During typing, prompts mostly read the same names, so the others need no check.
        self.are_shared_old = self.are_shared_old
            || match (&self.prompts[&name].shares, &known.shares) {
                (Some(last), Some(shares)) => !last.is_as(shares),
                (last, shares) => last.is_some() || shares.is_some(),
            };
        if self.prompts[&name].reads != known.reads {
            self.forget(&name);
            for read in &known.reads {
                let readers = self.readers.entry(read.clone()).or_default();
                if let Err(at) = readers.binary_search(&name) {
                    readers.insert(at, name.clone());
                }
            }
        }
        let ignores = known.ignores.clone();
        let last = self.prompts.insert(name, known).unwrap_or_default();
        self.are_ignores_old |= last.ignores != ignores;
    }

    fn forget(&mut self, prompt: &PathName) {
        let Some(known) = self.prompts.remove(prompt) else { return };
        self.are_shared_old |= known.shares.is_some();
        self.are_ignores_old |= known.ignores.is_some();
        for read in &known.reads {
            if let Some(readers) = self.readers.get_mut(read) {
                if let Ok(at) = readers.binary_search(prompt) {
                    readers.remove(at);
                }
                if readers.is_empty() {
                    self.readers.remove(read);
                }
            }
        }
    }

    /// The prompts beside a file that may own it or take values from it, by its name.
    fn beside(&self, path: &Path) -> Vec<PathBuf> {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let called = |start: &str| {
            let start = path.with_file_name(start);
            let all = starting(&self.prompts, start.as_os_str()).map(|(name, _)| path_of(name));
            let is_it = |prompt: &PathBuf| {
                let name = prompt.file_name().and_then(OsStr::to_str).unwrap_or_default();
                start.file_name().is_some_and(|start| start == stem(name))
                    && prompt.parent() == start.parent()
            };
            all.filter(is_it).collect::<Vec<_>>()
        };
        let shipped = path.parent().and_then(shipped_from);
        let shipped = shipped.iter().flat_map(|code| below(&self.prompts, code));
        let is_called = |path: &PathBuf| {
            let stem = path.file_stem().and_then(OsStr::to_str);
            is_code(path) && stem.is_some_and(|stem| stems_concerned(name).any(|it| it == stem))
        };
        let shipped = shipped.map(|(name, _)| path_of(name)).filter(is_called);
        // A prompt uses the sidecars of prompts whose names are a prefix of its own.
        stems_concerned(name).flat_map(called).chain(shipped).collect()
    }

    /// The prompts that may read a file, or a file in a folder, because of a rule.
    fn sharing(&self, place: &Path, project: Project<'_>) -> Vec<PathBuf> {
        let (folder, name) = (place.parent().unwrap_or(place), place.file_name());
        let name = name.unwrap_or_default().to_string_lossy();
        let names = project.files.list(folder);
        let is_listed = names.binary_search_by(|it| it.as_str().cmp(&name)).is_ok();
        let is_folder = !is_listed && project.files.is_there(place);
        let may_read = |rule: &Rule| match is_folder {
            true => rule.has_shared_files(),
            false => rule.shares(place),
        };
        let configs = project.configs_of(self.configs.iter().chain(&self.tops()));
        if !configs.iter().any(|config| config.rules().any(may_read)) {
            return Vec::new();
        }
        let is_reader = |prompt: &PathBuf| {
            let folder = folder_of(prompt);
            let config = project.configs.nearest(project.files, folder);
            config.is_some_and(|config| config.rule_for(prompt).is_some_and(may_read))
        };
        self.prompts.keys().map(path_of).filter(is_reader).collect()
    }

    fn is_prompt(&self, path: &Path, project: Project<'_>) -> bool {
        let folder = folder_of(path);
        let config = project.configs.nearest(project.files, folder);
        self.folders.iter().any(|it| path.starts_with(it))
            && kind_of(path, config.as_deref(), project).is_some()
    }

    /// The possible config paths of each folder, including its ancestors.
    fn tops(&self) -> Vec<PathBuf> {
        self.folders.iter().map(|folder| folder.join(CONFIG_NAME)).collect()
    }

    /// The problems outside of prompts, for each part that may have changed.
    ///
    /// Cost: the names that prompts read from shared files, if any; a check of all sidecars and
    /// configs, if some were added or removed.
    pub fn around(&mut self, project: Project<'_>) -> Vec<(ProblemGroup, Vec<FileProblems>)> {
        let prompts: Vec<PathBuf> = self.prompts.keys().map(path_of).collect();
        let mut found = Vec::new();
        if std::mem::take(&mut self.are_shared_old) {
            let mut reads = SharedReads::default();
            for shares in self.prompts.values().filter_map(|known| known.shares.as_deref()) {
                reads.add(shares.clone());
            }
            let mut used = UsedIgnores::default();
            let unused = project.unused_in_shared(reads, &prompts, &self.folders, &mut used);
            found.push((ProblemGroup::SharedFiles, unused));
            self.note_used(ProblemGroup::SharedFiles, used);
        }
        if !self.is_around_old && !self.are_ignores_old {
            return found;
        }
        let tops = self.tops();
        let all = prompts.iter().chain(&self.configs).chain(&tops).chain(&self.sidecars);
        let configs = project.configs_of(all);
        if std::mem::take(&mut self.is_around_old) {
            let (mut around, mut used) = (project.broken_configs(&configs), UsedIgnores::default());
            let sidecars: Vec<PathBuf> = self.sidecars.iter().cloned().collect();
            around.extend(project.orphans(&sidecars, &configs, &mut used));
            around.extend(project.unused_rules(&prompts, &configs, &self.folders, &mut used));
            found.push((ProblemGroup::Around, around));
            self.note_used(ProblemGroup::Around, used);
            self.are_ignores_old = true;
        }
        if std::mem::take(&mut self.are_ignores_old) {
            let mut used = UsedIgnores::default();
            let of_prompts = self.prompts.values().filter_map(|known| known.ignores.as_deref());
            of_prompts.chain(self.used.values()).for_each(|some| used.add(some.clone()));
            found.push((
                ProblemGroup::Ignores,
                project.unused_ignores(&configs, &self.folders, &used),
            ));
        }
        found
    }

    fn note_used(&mut self, part: ProblemGroup, used: UsedIgnores) {
        self.are_ignores_old |= self.used.get(&part) != Some(&used);
        self.used.insert(part, used);
    }
}

fn path_of(name: &PathName) -> PathBuf {
    PathBuf::from(&**name)
}

fn at<'n>(
    readers: &'n BTreeMap<PathName, Vec<PathName>>,
    path: &Path,
) -> impl Iterator<Item = &'n PathName> {
    readers.get(path.as_os_str()).into_iter().flatten()
}

/// All entries whose names have a prefix.
fn starting<'n, T>(
    names: &'n BTreeMap<PathName, T>,
    start: &OsStr,
) -> impl Iterator<Item = (&'n PathName, &'n T)> {
    let bytes = start.as_encoded_bytes().to_owned();
    let from = (Bound::Included(start), Bound::Unbounded);
    let all = names.range::<OsStr, _>(from);
    all.take_while(move |(name, _)| name.as_encoded_bytes().starts_with(&bytes))
}

/// All entries at or below a path.
fn below<'n, T>(
    names: &'n BTreeMap<PathName, T>,
    place: &Path,
) -> impl Iterator<Item = (&'n PathName, &'n T)> {
    let place = place.to_owned();
    let all = starting(names, place.as_os_str()).collect::<Vec<_>>().into_iter();
    all.filter(move |(name, _)| Path::new(&***name).starts_with(&place))
}
