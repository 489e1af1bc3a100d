//! Checks many prompts and the files around them: shared files, configs, sidecars without a prompt.
//!
//! The command and the editor both use this module, so both report the same problems. A prompt file
//! is passed to the caller and then dropped, so that no text stays in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_resolver::{Code, FileId, Location, Problem};

use super::config::inputs_glob::InputsGlob;
use super::config::{Config, Rule, UsedIgnores};
use super::in_parallel::by_thread;
use super::project::Project;
use super::prompt_file::PromptFile;
use super::read_error::ReadError;
use super::shared_reads::SharedReads;
use super::walking::walk::{by_bytes, prompts_by_rule};
use crate::files::Reading;
use crate::files::globs::start_of_glob;
use crate::files::paths::folder_of;
use crate::sidecars::loading::Overrides;
use crate::sidecars::orphan::{Siblings, orphan};

/// Problems of a file that do not depend on which prompts read it.
#[derive(Clone, Debug)]
pub struct FileProblems {
    /// The path of the file.
    pub path: PathBuf,
    /// The text of the file; `None` if it cannot be read.
    pub text: Option<Arc<str>>,
    /// The problems; their ranges refer to `text`.
    pub problems: Vec<Problem>,
}

/// The error for an unreadable file, ignoring its config.
pub(crate) fn unread_file(path: &Path, error: &ReadError) -> FileProblems {
    let at = error.offset();
    let location = Location { file: FileId::PROMPT, range: at..at };
    let message = format!("this file {}", error.reason());
    let problems = vec![Problem::new(Code::UnreadableFile, location, message)];
    FileProblems { path: path.to_owned(), text: error.readable().cloned(), problems }
}

/// Checks of many prompts and of the files around them.
impl Project<'_> {
    /// The error for an unreadable file that holds prompts, with the severity of its config.
    pub fn unread(&self, path: &Path, error: &ReadError) -> FileProblems {
        let mut unread = unread_file(path, error);
        let config = self.configs.nearest(self.files, folder_of(path));
        if let Some(config) = config {
            let severities = config.severities_of(config.rule_for(path));
            let is_kept_back = |problem: &Problem| {
                config.ignores.cover(path, problem, &mut UsedIgnores::default())
            };
            let problems = unread.problems.into_iter();
            unread.problems = problems
                .filter_map(|problem| severities.apply(problem))
                .filter(|problem| !is_kept_back(problem))
                .collect();
        }
        unread
    }

    /// Reads a file as prompts, whatever its kind.
    pub fn read(&self, path: &Path) -> Result<PromptFile, ReadError> {
        let text = self.files.read(path)?.into();
        Ok(PromptFile::read(*self, path, text, &Overrides::default(), None))
    }

    /// The same for a file that a walk has just found, or that the user named.
    fn read_listed(&self, path: &Path) -> Result<PromptFile, ReadError> {
        let listed = Reading::Listed { is_regular: true, most: u64::MAX };
        let text = self.files.read_as(path, listed)?.into();
        Ok(PromptFile::read(*self, path, text, &Overrides::default(), None))
    }

    /// Reads files as prompts in as many threads as there are cores, and passes each to `note`.
    /// Each thread takes one file after the other. Returns the value that each thread accumulated.
    pub fn read_all<T: Default + Send>(
        &self,
        prompts: &[PathBuf],
        note: impl Fn(&mut T, &Path, Result<PromptFile, ReadError>) + Sync,
    ) -> Vec<T> {
        by_thread(prompts, |made, _, path| note(made, path, self.read_listed(path)))
    }

    /// Reports unused names in files that several prompts share. `checked` are the checked prompts,
    /// sorted by [`by_bytes`]: all prompts below `folders`. Ignores that suppress problems are
    /// recorded, here and below.
    ///
    /// Cost: a walk through the folders of rules that reach beyond those, and the prompts there.
    pub fn unused_in_shared(
        &self,
        mut reads: SharedReads,
        checked: &[PathBuf],
        folders: &[PathBuf],
        used: &mut UsedIgnores,
    ) -> Vec<FileProblems> {
        let is_walked = |folder: &PathBuf| folders.iter().any(|walked| folder.starts_with(walked));
        let others = reads.folders().into_iter().filter(|folder| !is_walked(folder));
        let others: BTreeSet<PathBuf> = others
            .flat_map(|folder| prompts_by_rule(&folder, *self, &Rule::has_shared_files))
            .collect();
        for path in others {
            if checked.binary_search_by(|other| by_bytes(other, &path)).is_err()
                && let Ok(file) = self.read(&path)
            {
                reads.note(&file);
            }
        }
        let unused = reads.unused(used).into_iter();
        unused.map(|(path, text, problems)| FileProblems { path, text, problems }).collect()
    }

    /// The configs that apply to some files, each with its parent configs.
    pub fn configs_of<'p>(&self, paths: impl Iterator<Item = &'p PathBuf>) -> Vec<Arc<Config>> {
        // The files of a folder are next to each other, and there may be thousands.
        let mut folders: Vec<&Path> = paths.map(|path| folder_of(path)).collect();
        folders.dedup();
        let folders: BTreeSet<&Path> = folders.into_iter().collect();
        let nearest = |folder| self.configs.nearest(self.files, folder);
        folders.into_iter().filter_map(nearest).collect()
    }

    /// The problems of configs and of their parents.
    pub fn broken_configs(&self, configs: &[Arc<Config>]) -> Vec<FileProblems> {
        let configs: BTreeMap<&Path, &Config> = configs
            .iter()
            .flat_map(|config| config.and_outer())
            .filter(|config| !config.problems.is_empty())
            .map(|config| (&*config.path, config))
            .collect();
        let of_config =
            |(path, config): (&Path, &Config)| self.of_config(path, config.problems.clone());
        configs.into_iter().map(of_config).collect()
    }

    /// `true` if a glob of inputs matches a file, or may not be followed.
    fn has_inputs(&self, rule: &Rule, glob: &InputsGlob) -> bool {
        let start = start_of_glob(rule.folder(), glob.written()).0;
        self.configs.reach().check(self.files, rule.folder(), &start).is_err()
            || !self.files.glob(rule.folder(), glob.written()).is_empty()
    }

    /// Reports rules, and globs of their inputs, that match no file, for configs below some folders.
    /// Rules of other configs may match files outside.
    ///
    /// Cost: a walk through the folder of a config with such a rule.
    pub fn unused_rules(
        &self,
        prompts: &[PathBuf],
        configs: &[Arc<Config>],
        folders: &[PathBuf],
        used: &mut UsedIgnores,
    ) -> Vec<FileProblems> {
        let reports = self.whole_configs(configs, folders).map(|(path, config)| {
            let mut problems = config.unused_rules(
                prompts,
                || self.files.walk(config.folder()),
                |path| self.files.is_link(path),
            );
            problems
                .extend(config.unused_inputs(prompts, |rule, glob| self.has_inputs(rule, glob)));
            // Without any prompt, that is reported instead of each rule.
            problems.retain(|it| !prompts.is_empty() || it.code == Code::InvalidConfig);
            problems.retain(|problem| !config.ignores.cover(path, problem, used));
            self.of_config(path, problems)
        });
        reports.filter(|file| !file.problems.is_empty()).collect()
    }

    /// The configs without problems that are below some folders, by path.
    fn whole_configs<'c>(
        &self,
        configs: &'c [Arc<Config>],
        folders: &[PathBuf],
    ) -> impl Iterator<Item = (&'c Path, &'c Config)> + use<'c> {
        let is_checked = |config: &&Config| {
            folders.iter().any(|folder| config.folder().starts_with(folder))
                && config.problems.is_empty()
        };
        let configs = configs.iter().flat_map(|config| config.and_outer()).filter(is_checked);
        let by_path: BTreeMap<&Path, &Config> =
            configs.map(|config| (&*config.path, config)).collect();
        by_path.into_iter()
    }

    fn of_config(&self, path: &Path, problems: Vec<Problem>) -> FileProblems {
        let text = match problems.is_empty() {
            true => None,
            false => match self.configs.parse(self.files, path) {
                Ok((text, _)) => Some(text),
                Err(error) => error.readable().cloned(),
            },
        };
        FileProblems { path: path.to_owned(), text, problems }
    }

    /// Reports ignores that suppress nothing, after everything below some folders was checked. Only
    /// configs in those folders count, because others may apply to more files.
    pub fn unused_ignores(
        &self,
        configs: &[Arc<Config>],
        folders: &[PathBuf],
        used: &UsedIgnores,
    ) -> Vec<FileProblems> {
        let reports = self.whole_configs(configs, folders);
        let reports =
            reports.map(|(path, config)| self.of_config(path, config.unused_ignores(used)));
        reports.filter(|file| !file.problems.is_empty()).collect()
    }

    /// Reports sidecars without a prompt; `configs` are all configs that may name one of them.
    pub fn orphans(
        &self,
        sidecars: &[PathBuf],
        configs: &[Arc<Config>],
        used: &mut UsedIgnores,
    ) -> Vec<FileProblems> {
        // The files of a folder are next to each other, and there may be thousands.
        let mut last: Option<Siblings> = None;
        let lost = sidecars.iter().filter_map(|sidecar| {
            let siblings = match last.take().filter(|siblings| siblings.are_beside(sidecar)) {
                Some(siblings) => siblings,
                None => Siblings::of(sidecar, self.files),
            };
            let siblings = last.insert(siblings);
            let is_shared = || configs.iter().any(|config| config.has_readers(sidecar, self.files));
            let problem = orphan(sidecar, siblings, self.files, self.configs, is_shared, used)?;
            let text = self.files.read(sidecar).ok();
            Some(FileProblems { path: sidecar.clone(), text, problems: vec![problem] })
        });
        lost.collect()
    }
}
