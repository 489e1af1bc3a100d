//! Files that several prompts share: a name in one of them is unused only if none of its prompts
//! reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use promptls_analysis::{
    SeverityOverrides, SharedWith, Snapshot, keys_needed, names_read, unused_inputs,
    unused_variables,
};
use promptls_resolver::{Declarations, FileId, Inputs, Problem};

use promptls_workspace::PromptFile;

/// The shared files of all prompts so far.
#[derive(Debug, Default)]
pub struct SharedFiles {
    files: BTreeMap<PathBuf, SharedFile>,
    /// The folders of their rules.
    folders: BTreeSet<PathBuf>,
}

#[derive(Debug)]
struct SharedFile {
    content: Content,
    text: Option<Arc<str>>,
    /// What the config of its rule says.
    severities: SeverityOverrides,
    folder: PathBuf,
    /// All names that its prompts read, or keys that they need.
    read: BTreeSet<String>,
    /// How many prompts it has, and one of them.
    prompts: usize,
    prompt: PathBuf,
}

#[derive(Debug)]
enum Content {
    Inputs(Arc<Inputs>),
    Variables(Arc<Declarations>),
}

impl SharedFiles {
    /// Notes what prompts read of the files that they share with others of their rule.
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
            .map(|case| (case.inputs.file, Content::Inputs(case.inputs.clone())));
        let variables = snapshot.shared_variables.then(|| {
            (snapshot.declarations.file, Content::Variables(snapshot.declarations.clone()))
        });
        let (mut keys, mut names) = (None, None);
        for (FileId(index), content) in inputs.chain(variables) {
            // A variables file that cannot be read has no file of its own.
            let Some(path) = file.files.get(index as usize).filter(|_| index > 0) else {
                continue;
            };
            let read = match content {
                Content::Inputs(_) => keys.get_or_insert_with(|| keys_needed(snapshot)),
                Content::Variables(_) => names.get_or_insert_with(|| names_read(snapshot)),
            };
            let shared = self.files.entry(path.clone()).or_insert_with(|| SharedFile {
                content,
                text: file.texts[index as usize].clone(),
                severities: config.of_rule(rule).severities.clone(),
                folder: rule.folder().to_owned(),
                read: BTreeSet::new(),
                prompts: 0,
                prompt: file.files[0].clone(),
            });
            shared.prompts += 1;
            // Most names are known already.
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

    /// Adds what another thread has noted.
    pub fn add(&mut self, other: SharedFiles) {
        for (path, file) in other.files {
            match self.files.get_mut(&path) {
                Some(known) => {
                    known.read.extend(file.read);
                    known.prompts += file.prompts;
                }
                None => {
                    self.files.insert(path, file);
                }
            }
        }
        self.folders.extend(other.folders);
    }

    /// The folders in which their prompts may be.
    pub fn folders(&self) -> Vec<PathBuf> {
        self.folders.iter().cloned().collect()
    }

    /// What nobody reads: the file, its text, and the problems in it.
    pub fn unused(self) -> Vec<(PathBuf, Option<Arc<str>>, Vec<Problem>)> {
        let problems = |file: &SharedFile| {
            let reader = file.reader();
            let problems = match &file.content {
                Content::Inputs(inputs) => unused_inputs(inputs, &file.read, &reader),
                Content::Variables(variables) => unused_variables(variables, &file.read, &reader),
            };
            problems.into_iter().filter_map(|problem| file.as_told(problem)).collect()
        };
        let unused = self.files.into_iter().map(|(path, file)| {
            let problems: Vec<Problem> = problems(&file);
            (path, file.text, problems)
        });
        unused.filter(|(_, _, problems)| !problems.is_empty()).collect()
    }
}

impl SharedFile {
    fn reader(&self) -> String {
        match self.prompts {
            1 => {
                let name = self.prompt.strip_prefix(&self.folder).unwrap_or(&self.prompt);
                name.display().to_string()
            }
            prompts => format!("any of the {prompts} prompts that share this file"),
        }
    }

    /// The problem as grave as the config says, in the only file of its sources.
    fn as_told(&self, mut problem: Problem) -> Option<Problem> {
        problem.location.file = FileId::PROMPT;
        self.severities.apply(problem)
    }
}
