//! Usage of names in files that several prompts share: a name in such a file is unused only if none
//! of its prompts reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::{
    SeverityOverrides, SharedWith, Snapshot, keys_needed, names_read, unused_inputs,
    unused_variables,
};
use promptls_resolver::{Declarations, FileId, Inputs, Problem};

use super::config::{Ignores, UsedIgnores};
use super::prompt_file::PromptFile;

/// The files that prompts share with others of their rules, and the names that they read of each.
#[derive(Clone, Debug, Default)]
pub struct SharedReads {
    /// Boxed, because most prompts share one file, and unused slots of a node take no space then.
    files: BTreeMap<PathBuf, Box<SharedFile>>,
    /// The folders of the rules of these prompts.
    folders: BTreeSet<PathBuf>,
}

#[derive(Clone, Debug)]
struct SharedFile {
    content: SharedContent,
    text: Option<Arc<str>>,
    /// The severities of its rule.
    severities: SeverityOverrides,
    ignores: Ignores,
    folder: PathBuf,
    /// All names that its prompts read, and keys that they need.
    read: BTreeSet<String>,
    /// The number of its prompts, and one of them.
    prompts: usize,
    prompt: PathBuf,
}

#[derive(Clone, Debug)]
enum SharedContent {
    Inputs(Arc<Inputs>),
    Variables(Arc<Declarations>),
}

impl SharedReads {
    /// The names that the prompts of one file read.
    ///
    /// Cost: the names in them, if they share anything.
    pub fn of(file: &PromptFile) -> SharedReads {
        let mut reads = SharedReads::default();
        reads.note(file);
        reads
    }

    /// `true` if they share nothing.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// `true` if both read the same names of the same files with the same texts. Rules are not
    /// compared.
    pub fn is_as(&self, other: &SharedReads) -> bool {
        self.files.len() == other.files.len()
            && self.files.iter().zip(&other.files).all(|((path, file), (other_path, other))| {
                path == other_path
                    && (&file.text, &file.read, file.prompts)
                        == (&other.text, &other.read, other.prompts)
            })
    }

    /// Records the names that prompts read of the files that they share with others of their rule.
    pub fn note(&mut self, file: &PromptFile) {
        for prompt in &file.prompts {
            self.note_prompt(file, &prompt.snapshot);
        }
    }

    fn note_prompt(&mut self, file: &PromptFile, snapshot: &Snapshot) {
        let Some(config) = file.config() else { return };
        let Some(rule) = config.rule_for(&file.files[0]) else { return };
        let inputs = snapshot
            .cases
            .iter()
            .filter(|case| case.shared == SharedWith::ItsRule)
            .map(|case| (case.inputs.file, SharedContent::Inputs(case.inputs.clone())));
        let variables = snapshot.shared_variables.then(|| {
            (snapshot.declarations.file, SharedContent::Variables(snapshot.declarations.clone()))
        });
        let (mut keys, mut names) = (None, None);
        for (FileId(index), content) in inputs.chain(variables) {
            // An unreadable variables file has no file id of its own.
            let Some(path) = file.files.get(index as usize).filter(|_| index > 0) else {
                continue;
            };
            let read = match content {
                SharedContent::Inputs(_) => keys.get_or_insert_with(|| keys_needed(snapshot)),
                SharedContent::Variables(_) => names.get_or_insert_with(|| names_read(snapshot)),
            };
            let shared = self.files.entry(path.clone()).or_insert_with(|| {
                Box::new(SharedFile {
                    content,
                    text: file.texts[index as usize].clone(),
                    severities: config.of_rule(rule).severities_of(Some(rule)),
                    ignores: config.of_rule(rule).ignores.clone(),
                    folder: rule.folder().to_owned(),
                    read: BTreeSet::new(),
                    prompts: 0,
                    prompt: file.files[0].clone(),
                })
            });
            shared.prompts += 1;
            // Most names are already recorded.
            for name in read.iter() {
                if !shared.read.contains(name) {
                    shared.read.insert(name.clone());
                }
            }
        }
        if (keys.is_some() || names.is_some()) && !self.folders.contains(rule.folder()) {
            self.folders.insert(rule.folder().to_owned());
        }
    }

    /// Adds the records of other prompts.
    pub fn add(&mut self, other: SharedReads) {
        for (path, file) in other.files {
            match self.files.get_mut(&path) {
                Some(known) => known.add(&file),
                None => {
                    self.files.insert(path, file);
                }
            }
        }
        self.folders.extend(other.folders);
    }

    /// The shared files whose names are tracked, in path order.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// The folders that may contain their prompts.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.folders.iter().cloned().collect()
    }

    /// The unused names: the file, its text, and the problems in it. Records which ignores suppress
    /// some.
    pub fn unused(self, used: &mut UsedIgnores) -> Vec<(PathBuf, Option<Arc<str>>, Vec<Problem>)> {
        let unused = self.files.into_iter().map(|(path, file)| {
            let problems = file.unused(&path, used);
            (path, file.text, problems)
        });
        unused.filter(|(_, _, problems)| !problems.is_empty()).collect()
    }

    /// The unused names of one file, in source order, given the reads of each of its prompts.
    pub fn unused_in(path: &Path, all: &[Arc<SharedReads>]) -> Vec<Problem> {
        let mut files = all.iter().filter_map(|reads| reads.files.get(path));
        let Some(mut file) = files.next().cloned() else { return Vec::new() };
        files.for_each(|other| file.add(other));
        file.unused(path, &mut UsedIgnores::default())
    }
}

impl SharedFile {
    fn add(&mut self, other: &SharedFile) {
        for name in &other.read {
            if !self.read.contains(name) {
                self.read.insert(name.clone());
            }
        }
        self.prompts += other.prompts;
    }

    fn unused(&self, path: &Path, used: &mut UsedIgnores) -> Vec<Problem> {
        let reader = self.reader();
        let problems = match &self.content {
            SharedContent::Inputs(inputs) => unused_inputs(inputs, &self.read, &reader),
            SharedContent::Variables(variables) => unused_variables(variables, &self.read, &reader),
        };
        let reported = problems.into_iter().filter_map(|problem| self.as_reported(problem));
        reported.filter(|problem| !self.ignores.cover(path, problem, used)).collect()
    }

    fn reader(&self) -> String {
        match self.prompts {
            1 => {
                let name = self.prompt.strip_prefix(&self.folder).unwrap_or(&self.prompt);
                name.display().to_string()
            }
            prompts => format!("any of the {prompts} prompts that share this file"),
        }
    }

    /// The problem with the severity of its config, in the only file of its sources; `None` if it
    /// is off.
    fn as_reported(&self, mut problem: Problem) -> Option<Problem> {
        problem.location.file = FileId::PROMPT;
        self.severities.apply(problem)
    }
}
