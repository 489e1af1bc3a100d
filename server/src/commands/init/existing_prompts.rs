//! The prompts that a folder has with the new rules: those in code with their names, those that are
//! not read, and the inputs files that are missing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use promptls_analysis::{Snapshot, misspelt_names, skeleton_of_all};
use promptls_workspace::{Overrides, Project, Prompt, PromptFile, default_inputs};

use crate::output::counted::counted;
use crate::output::prompt_address::prompt_address;
use crate::output::unread::{computed_headline, computed_in, unread_in};
use crate::paths::Paths;

/// More lines of a list would hide the files to be written.
pub const SHOWN: usize = 20;

/// The prompts in strings of a dialect and a language.
#[derive(Debug, Default)]
struct InStrings {
    /// Their names on the command line.
    prompts: Vec<String>,
    files: usize,
}

/// The existing prompts, and the files to create for them.
#[derive(Debug, Default)]
pub struct ExistingPrompts {
    /// The number of prompts in the files, counted as in `check`.
    pub count: usize,
    /// The missing inputs files, by path.
    pub inputs: BTreeMap<PathBuf, String>,
    /// The prompts in strings, by the title of the dialect and the language of the files; without a
    /// language for text files that code reads.
    in_strings: BTreeMap<(&'static str, Option<&'static str>), InStrings>,
    /// The prompts whose text only the running program has, a line for each.
    computed: Vec<String>,
    /// The names that new inputs files omit, a line for each.
    misspelt: Vec<String>,
}

impl ExistingPrompts {
    /// Reads files of prompts. What cannot be read is added to `failures`.
    pub fn read(
        prompts: &[PathBuf],
        project: Project<'_>,
        paths: &Paths,
        failures: &mut Vec<String>,
    ) -> ExistingPrompts {
        let mut existing = ExistingPrompts::default();
        let mut without_inputs: BTreeMap<PathBuf, Vec<Snapshot>> = BTreeMap::new();
        for path in prompts {
            let text = match project.files.read(path) {
                Ok(text) => text,
                Err(error) => {
                    failures.push(error.to_string());
                    continue;
                }
            };
            let file = PromptFile::read(project, path, text.into(), &Overrides::default(), None);
            existing.count += file.count();
            failures.extend(unread_in(&file, paths));
            existing.computed.extend(computed_in(&file, paths));
            existing.note_strings(&file, &paths.shown(path));
            let rule = file.config().and_then(|config| config.rule_for(path));
            // If a rule names inputs, they have a place already.
            let has_rule = rule.is_some_and(|rule| !rule.inputs.is_empty());
            if !has_rule && file.broken_cases().is_empty() {
                let missing = snapshots_without_inputs(file);
                existing.note_misspelt(&paths.shown(path), &missing);
                if !missing.is_empty() {
                    without_inputs.entry(default_inputs(path)).or_default().extend(missing);
                }
            }
        }
        let texts =
            without_inputs.into_iter().map(|(path, prompts)| (path, skeleton_of_all(&prompts, [])));
        // A prompt without placeholders needs no inputs.
        existing.inputs = texts.filter(|(_, text)| text.trim() != "{}").collect();
        existing
    }

    /// Adds the prompts of a file that are in strings, or in a text that code reads.
    fn note_strings(&mut self, file: &PromptFile, shown: &str) {
        let mut dialects = BTreeSet::new();
        for prompt in file.prompts.iter().filter(|it| it.snapshot.is_in_program()) {
            let language = (!file.is_read_by_code()).then(|| file.language());
            let dialect = prompt.snapshot.dialect();
            let found = self.in_strings.entry((dialect.spec().title, language)).or_default();
            found.prompts.push(prompt_address(shown, prompt.name.as_deref()));
            found.files += usize::from(dialects.insert(dialect));
        }
    }

    /// Adds the names that the first inputs of a file omit.
    fn note_misspelt(&mut self, shown: &str, prompts: &[Snapshot]) {
        let names: BTreeMap<String, String> = prompts.iter().flat_map(misspelt_names).collect();
        let line = |(name, known)| format!("{shown}: `{name}` looks like `{known}`");
        self.misspelt.extend(names.into_iter().map(line));
    }

    /// The lines about prompts that need neither a rule nor inputs, and about what is left out.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for ((dialect, language), InStrings { prompts, files }) in &self.in_strings {
            let place = match language {
                Some(language) => {
                    format!("strings of {} of {language}", counted(*files, "file"))
                }
                None => format!("{} that code reads", counted(*files, "text file")),
            };
            let count = counted(prompts.len(), "prompt");
            lines.push(format!("{dialect}: {count} in {place}; no rule is needed"));
            lines.extend(listed(prompts));
        }
        if !self.computed.is_empty() {
            lines.push(computed_headline(self.computed.len()));
            lines.extend(listed(&self.computed));
        }
        if !self.misspelt.is_empty() {
            let count = counted(self.misspelt.len(), "name");
            lines.push(format!("{count} left out of the inputs files:"));
            lines.extend(listed(&self.misspelt));
        }
        lines
    }
}

/// Indented lines, and the number of omitted ones.
pub fn listed(all: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = all.iter().take(SHOWN).map(|line| format!("  {line}")).collect();
    if let Some(more) = all.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        lines.push(format!("  and {more} more"));
    }
    lines
}

/// The prompts of a file that need inputs and have none. For most prompts in strings, a framework
/// supplies the values; a text that may be in another language needs none either.
fn snapshots_without_inputs(file: PromptFile) -> Vec<Snapshot> {
    let snapshots = file.prompts.into_iter().map(|Prompt { snapshot, .. }| snapshot);
    let needs_inputs = |it: &Snapshot| {
        let is_ours = it.foreign.is_none() && it.alike.is_empty();
        !it.is_in_program() && it.cases.is_empty() && is_ours
    };
    snapshots.filter(needs_inputs).collect()
}

/// The prompt for the example of a command: rather one that gets its first inputs.
pub fn example<'p>(
    prompts: &'p [PathBuf],
    existing: &ExistingPrompts,
    is_one: impl Fn(&Path) -> bool,
) -> Option<&'p PathBuf> {
    // For a file with several prompts, the command would need a prompt name.
    let mut examples = prompts.iter().filter(|path| is_one(path));
    let has_new_inputs = |path: &&PathBuf| existing.inputs.contains_key(&default_inputs(path));
    examples.clone().find(has_new_inputs).or(examples.next())
}
