//! Finds the prompts to check.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::errors::CommandError;
use crate::paths::Paths;
use promptls_workspace::folder_of;
use promptls_workspace::{
    CONFIG_NAME, Config, Disk, Files, Project, Rule, Siblings, UsedIgnores, Walking, by_bytes,
    configs_below, find_walking, has_text_ending, is_code, is_code_or_data, is_shared_in, kind_of,
    orphan, project_of, prompts_by_rule, prompts_of, split_name, why_broken,
};

/// The files that were found. All paths are absolute.
#[derive(Debug, Default)]
pub struct Walked {
    /// The prompts, sorted by bytes, without duplicates.
    pub prompts: Vec<PathBuf>,
    /// The configs that were found.
    pub configs: Vec<PathBuf>,
    /// The configs that the command line names.
    pub named_configs: Vec<PathBuf>,
    /// The inputs and variables files that were found.
    pub sidecars: Vec<PathBuf>,
    /// The folders that were searched.
    pub folders: Vec<PathBuf>,
    /// Folders and globs that should contain prompts, human-readable.
    pub searched: Vec<String>,
    /// Files of the command line that are no prompts, human-readable.
    pub skipped: Vec<String>,
    /// All files of the command line, human-readable, with the prompts that each one selects.
    pub named: Vec<(String, Vec<PathBuf>)>,
    /// The files of the command line, of any kind.
    pub named_files: Vec<PathBuf>,
    /// What could not be read, human-readable.
    pub failures: Vec<String>,
}

impl Walked {
    /// All files whose configs apply. Named files that are no prompts count, because a broken
    /// config may have a rule for them.
    pub fn files(&self) -> Vec<PathBuf> {
        let files = [&self.prompts, &self.configs, &self.sidecars, &self.named_files];
        files.into_iter().flatten().cloned().collect()
    }

    /// Adds the other files with texts that the code of the command line passes to frameworks: their
    /// problems are reported where they are written. What the user excludes is not added.
    pub fn add_texts(&mut self, walking: &Walking, project: Project<'_>) {
        let named = self.named_files.iter().filter(|path| is_code(path));
        let code = named.chain(&self.folders);
        let texts = code.flat_map(|path| project.program.texts_used(path));
        let is_searched =
            |text: &PathBuf| self.folders.iter().any(|folder| text.starts_with(folder));
        let texts = texts.filter(|text| !is_searched(text) && !walking.excludes(text, false));
        let texts: Vec<PathBuf> = texts.collect();
        self.prompts.extend(texts);
        self.prompts.sort_unstable_by(|path, other| by_bytes(path, other));
        self.prompts.dedup();
    }

    /// A line about named files without prompts, for commands that print properties of prompts;
    /// `None` if there are none. `found` has the result for each file of prompts; `is_nothing` is
    /// whether a result is empty.
    ///
    /// Such a file is no failure, here and in `check`: a shell or a hook passes all kinds of files.
    pub fn without_prompts<T>(
        &self,
        found: &[T],
        is_nothing: impl Fn(&T) -> bool,
    ) -> Option<String> {
        let found = self.prompts.iter().zip(found);
        let empty: BTreeSet<&PathBuf> =
            found.filter(|(_, found)| is_nothing(found)).map(|(path, _)| path).collect();
        let named = self.named.iter();
        let named = named.filter(|(_, prompts)| prompts.iter().all(|path| empty.contains(path)));
        let names: Vec<String> = named.map(|(shown, _)| shown.clone()).collect();
        let verb = if names.len() == 1 { "has" } else { "have" };
        Some(format!("{} {verb} no prompts", first_named(&names)?))
    }
}

/// Finds the prompts for paths of the command line: all in a folder, the file itself, or the
/// prompts of a sidecar. With `force`, every file is a prompt.
pub fn walk(
    written: &[PathBuf],
    force: bool,
    walking: &Walking,
    paths: &mut Paths,
    project: Project<'_>,
) -> Walked {
    let mut walked = Walked::default();
    let here = [PathBuf::from(".")];
    let written = if written.is_empty() { &here[..] } else { written };
    let mut named = Named {
        project,
        walking,
        force,
        walked: &mut walked,
        sharing: BTreeMap::new(),
        nested: BTreeMap::new(),
    };
    for written in written {
        let path = paths.absolute(written);
        let shown = written.display().to_string();
        match Disk.stamp(&path) {
            Ok(stamp) if stamp.is_folder => named.folder(shown, path),
            Ok(stamp) if !stamp.is_regular => named.pipe(shown, path),
            Ok(_) => named.file(shown, path),
            // The file of stdin need not exist on disk.
            Err(_) if project.files.is_there(&path) => named.file(shown, path),
            // Not every shell expands globs.
            Err(_) if shown.contains(['*', '?', '[']) => {
                named.glob(shown, paths.current());
            }
            Err(error) => {
                let reason = error.reason();
                let failure = one_prompt(&path, &shown).unwrap_or(format!("{shown} {reason}"));
                named.walked.failures.push(failure);
            }
        }
    }
    if !walked.folders.is_empty() {
        let found = find_walking(walking, &walked.folders, project);
        walked.prompts.extend(found.prompts);
        // A config above a folder may exclude its prompts.
        walked.configs.extend(found.configs);
        walked.configs.extend(walked.folders.iter().map(|folder| folder.join(CONFIG_NAME)));
        walked.sidecars.extend(found.sidecars);
        walked.failures.extend(found.failures);
    }
    walked.prompts.sort_unstable_by(|path, other| by_bytes(path, other));
    walked.prompts.dedup();
    walked
}

/// An error for one prompt of a file, where whole files are required; `None` for other paths.
fn one_prompt(path: &Path, shown: &str) -> Option<String> {
    let (file, _) = split_name(path).filter(|(file, _)| Disk.is_there(file))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Some(format!(
        "{shown} is a part of {name}, and whole files are required; `promptls preview {shown}` shows \
         the problems of one prompt"
    ))
}

/// Fails if a path is a pipe or a device, for what writes files or reads them again.
pub fn require_files(written: &[PathBuf]) -> Result<(), CommandError> {
    let is_pipe =
        |path: &&PathBuf| Disk.stamp(path).is_ok_and(|stamp| !stamp.is_folder && !stamp.is_regular);
    match written.iter().find(is_pipe) {
        Some(pipe) => Err(CommandError::ReadOnce(pipe.display().to_string())),
        None => Ok(()),
    }
}

/// The paths of the command line.
struct Named<'w> {
    project: Project<'w>,
    walking: &'w Walking,
    force: bool,
    walked: &'w mut Walked,
    /// The prompts below a folder that share files. Thousands of sidecars may be named, and one
    /// walk for each would take hours.
    sharing: BTreeMap<PathBuf, Arc<[PathBuf]>>,
    /// The configs below a folder.
    nested: BTreeMap<PathBuf, Vec<Arc<Config>>>,
}

impl Named<'_> {
    fn folder(&mut self, shown: String, path: PathBuf) {
        if self.walking.excludes(&path, true) {
            return;
        }
        self.walked.searched.push(shown);
        self.walked.folders.push(path);
    }

    fn glob(&mut self, shown: String, current: &Path) {
        for path in self.project.files.glob(current, &shown).iter() {
            let name = path.strip_prefix(current).unwrap_or(path).display().to_string();
            self.file(name, path.clone());
        }
        self.walked.searched.push(shown);
    }

    /// A pipe or a device, which has its text only once: it is read here, and kept with the files.
    fn pipe(&mut self, shown: String, path: PathBuf) {
        match self.project.files.read_named(&path) {
            Ok(_) => self.file(shown, path),
            Err(error) => self.walked.failures.push(format!("{shown} {}", error.reason())),
        }
    }

    fn file(&mut self, shown: String, path: PathBuf) {
        if self.walking.excludes(&path, false) {
            return;
        }
        self.walked.named_files.push(path.clone());
        let before = self.walked.prompts.len();
        let failures = self.walked.failures.len();
        self.sort(shown.clone(), path);
        // Whether it has prompts is unknown then.
        if self.walked.failures.len() > failures {
            return;
        }
        let prompts = self.walked.prompts[before..].to_vec();
        self.walked.named.push((shown, prompts));
    }

    /// Classifies a named file as config, prompts, sidecar or unrelated.
    fn sort(&mut self, shown: String, path: PathBuf) {
        let project = self.project;
        let Project { files, configs, .. } = project;
        let config = configs.nearest(files, folder_of(&path));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == CONFIG_NAME {
            self.walked.named_configs.push(path.clone());
            self.walked.configs.push(path);
            return;
        }
        if kind_of(&path, config.as_deref(), project).is_some() {
            self.walked.prompts.push(path);
            return;
        }
        let sharing = &mut self.sharing;
        let prompts = prompts_of(&path, project, |folder| {
            let all = || prompts_by_rule(folder, project, &Rule::has_shared_files).into();
            sharing.entry(folder.to_owned()).or_insert_with(all).clone()
        });
        let nested = &mut self.nested;
        let is_shared = || {
            let project = project_of(&path, files, configs);
            let all = |project: &PathBuf| configs_below(project, files, configs);
            is_shared_in(nested.entry(project).or_insert_with_key(all), &path, files)
        };
        if !prompts.is_empty() {
            self.walked.prompts.extend(prompts);
        } else if self.force {
            self.walked.prompts.push(path);
        } else if is_code(&path) && !project.program.texts_used(&path).is_empty() {
            // Its prompts are in other files: see `add_texts`.
        } else {
            let siblings = Siblings::of(&path, files);
            let used = &mut UsedIgnores::default();
            match orphan(&path, &siblings, files, configs, is_shared, used) {
                Some(_) => self.walked.sidecars.push(path),
                None => self.no_prompt(shown, path),
            }
        }
    }

    /// Adds a named file that is no prompt as far as it can be read.
    fn no_prompt(&mut self, shown: String, path: PathBuf) {
        if !has_text_ending(&path) && !is_code_or_data(&path) {
            return self.walked.skipped.push(shown);
        }
        match self.project.files.read(&path) {
            // It is reported as an unreadable prompt.
            Err(_) => self.walked.prompts.push(path),
            Ok(text) => match why_broken(&path, &text) {
                Some(reason) => self.walked.failures.push(format!("{shown} {reason}")),
                None => self.walked.skipped.push(shown),
            },
        }
    }
}

/// Explains why named files were ignored; `None` if there are none.
pub fn skipped_in_words(files: &[String]) -> Option<String> {
    let named = first_named(files)?;
    Some(match files.len() {
        1 => format!("{named} is skipped, because it is not a prompt; use --as-prompts to read it"),
        _ => format!(
            "{named} are skipped, because they are not prompts; use --as-prompts to read them"
        ),
    })
}

/// The first of some files and the number of others; `None` if there are none.
pub fn first_named(files: &[String]) -> Option<String> {
    /// More files are only counted.
    const NAMED: usize = 3;
    let (first, more) = files.split_at(files.len().min(NAMED));
    let named = first.join(", ");
    match (first.len(), more.len()) {
        (0, _) => None,
        (_, 0) => Some(named),
        (_, more) => Some(format!("{named} and {more} more")),
    }
}
