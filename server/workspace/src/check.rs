//! What is wrong with many prompts, and with what lies around them: files that they share, configs,
//! sidecars whose prompt is gone.
//!
//! The command and the editor ask here, so that both say the same. What is read of a prompt is
//! given to whoever asks and dropped, so that no text stays in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_resolver::{Code, FileId, Location, Problem};

use super::config::{Config, Rule, UsedIgnores};
use super::configs::Configs;
use super::files::Files;
use super::in_parallel::by_thread;
use super::prompt_file::PromptFile;
use super::read_error::ReadError;
use super::shared_reads::SharedReads;
use super::walking::walk::{by_bytes, prompts_by_rule};
use crate::sidecars::loading::Overrides;
use crate::sidecars::orphan::orphan;

/// What a check looks at.
#[derive(Clone, Copy)]
pub struct Check<'c> {
    /// Where texts come from.
    pub files: &'c dyn Files,
    /// What counts in each folder.
    pub configs: &'c Configs,
}

/// What is wrong in a file by itself, whoever reads it.
#[derive(Clone, Debug)]
pub struct FileProblems {
    /// The file.
    pub path: PathBuf,
    /// What is written there; `None` if it cannot be read.
    pub text: Option<Arc<str>>,
    /// With places in that text.
    pub problems: Vec<Problem>,
}

/// The error of a file that could not be read, whatever its config says.
pub(crate) fn unread_file(path: &Path, error: &ReadError) -> FileProblems {
    let at = error.offset();
    let location = Location { file: FileId::PROMPT, range: at..at };
    let message = format!("this file {}", error.reason());
    let problems = vec![Problem::new(Code::UnreadableFile, location, message)];
    FileProblems { path: path.to_owned(), text: error.readable().cloned(), problems }
}

impl Check<'_> {
    /// The error of a file that holds prompts and could not be read, as severe as its config says.
    pub fn unread(&self, path: &Path, error: &ReadError) -> FileProblems {
        let mut unread = unread_file(path, error);
        let config = self.configs.nearest(self.files, path.parent().unwrap_or(Path::new("/")));
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

    /// A file as prompts, whatever it is.
    pub fn read(&self, path: &Path) -> Result<PromptFile, ReadError> {
        let text = self.files.read(path)?.into();
        Ok(PromptFile::read(self.files, self.configs, path, text, &Overrides::default(), None))
    }

    /// Reads files as prompts in as many threads as there are cores, which take one after the
    /// other, and gives each to `note`. Returns what each thread has made of its own.
    pub fn read_all<T: Default + Send>(
        &self,
        prompts: &[PathBuf],
        note: impl Fn(&mut T, &Path, Result<PromptFile, ReadError>) + Sync,
    ) -> Vec<T> {
        by_thread(prompts, |made, _, path| note(made, path, self.read(path)))
    }

    /// What nobody reads in files that several prompts share, with what those that were checked
    /// read of them. These are sorted by [`by_bytes`], and all that are below some folders. Which
    /// ignores keep problems back is noted, here and below.
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
            .flat_map(|folder| {
                prompts_by_rule(&folder, self.files, self.configs, &Rule::has_shared_files)
            })
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

    /// The configs that count for some files, each with those further up.
    pub fn configs_of<'p>(&self, paths: impl Iterator<Item = &'p PathBuf>) -> Vec<Arc<Config>> {
        let folders: BTreeSet<&Path> = paths.filter_map(|path| path.parent()).collect();
        let nearest = |folder| self.configs.nearest(self.files, folder);
        folders.into_iter().filter_map(nearest).collect()
    }

    /// What is wrong with configs, and with those further up.
    pub fn broken_configs(&self, configs: &[Arc<Config>]) -> Vec<FileProblems> {
        let configs: BTreeMap<&Path, &Config> = configs
            .iter()
            .flat_map(|config| config.and_outer())
            .filter(|config| !config.problems.is_empty())
            .map(|config| (&*config.path, config))
            .collect();
        let told = configs.into_iter().map(|(path, config)| FileProblems {
            path: path.to_owned(),
            text: self.configs.parse(self.files, path).ok().map(|(text, _)| text),
            problems: config.problems.clone(),
        });
        told.collect()
    }

    /// Which rules match no file though there are prompts, of configs below some folders: others may
    /// be for what is not looked at.
    ///
    /// Cost: a walk through the folder of a config with such a rule.
    pub fn unused_rules(
        &self,
        prompts: &[PathBuf],
        configs: &[Arc<Config>],
        folders: &[PathBuf],
        used: &mut UsedIgnores,
    ) -> Vec<FileProblems> {
        if prompts.is_empty() {
            return Vec::new();
        }
        let told = self.whole_configs(configs, folders).map(|(path, config)| {
            let mut problems = config.unused_rules(prompts, || self.files.walk(config.folder()));
            problems.retain(|problem| !config.ignores.cover(path, problem, used));
            self.of_config(path, problems)
        });
        told.filter(|file| !file.problems.is_empty()).collect()
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
            false => self.configs.parse(self.files, path).ok().map(|(text, _)| text),
        };
        FileProblems { path: path.to_owned(), text, problems }
    }

    /// Which ignores keep nothing back, once all is checked that is below some folders: those of
    /// configs in there, as others may count for more.
    pub fn unused_ignores(
        &self,
        configs: &[Arc<Config>],
        folders: &[PathBuf],
        used: &UsedIgnores,
    ) -> Vec<FileProblems> {
        let told = self.whole_configs(configs, folders);
        let told = told.map(|(path, config)| self.of_config(path, config.unused_ignores(used)));
        told.filter(|file| !file.problems.is_empty()).collect()
    }

    /// Which sidecars have lost their prompt; `configs` are all that may name one of them.
    pub fn orphans(
        &self,
        sidecars: &[PathBuf],
        configs: &[Arc<Config>],
        used: &mut UsedIgnores,
    ) -> Vec<FileProblems> {
        let lost = sidecars.iter().filter_map(|sidecar| {
            let is_shared = || configs.iter().any(|config| config.has_readers(sidecar, self.files));
            let problem = orphan(sidecar, self.files, self.configs, is_shared, used)?;
            let text = self.files.read(sidecar).ok();
            Some(FileProblems { path: sidecar.clone(), text, problems: vec![problem] })
        });
        lost.collect()
    }
}
