//! `promptls check --list`: which files are prompts, and why.

use std::path::Path;

use promptls_protocol::{ListOutput, ListedBy, ListedPrompt, ListedRule};
use promptls_workspace::{PromptFile, PromptReader, kind_of};

use super::Check;
use super::walk::Walked;
use crate::args::CheckFormat;
use crate::errors::CommandError;
use crate::output::columns::{self, Align};
use crate::output::counted::counted;
use crate::output::prompt_address::prompt_address;
use crate::output::terminal::{self, complain};
use crate::output::unread::{
    broken_configs, complain_computed, computed_in, unread_file, unread_in, without_repeats,
};
use crate::output::visible::visible_line;

/// What a file contributes to the list.
#[derive(Default)]
struct ListedFile {
    prompts: Vec<ListedPrompt>,
    /// Prompts whose text only the running program has, a line each.
    computed: Vec<String>,
    unread: Vec<String>,
}

impl ListedFile {
    fn is_empty(&self) -> bool {
        self.prompts.is_empty() && self.computed.is_empty() && self.unread.is_empty()
    }
}

impl Check<'_> {
    /// Prints the prompts. Returns what could not be read, and which named files contain none.
    pub fn list(&self, walked: &Walked) -> Result<(Vec<String>, Option<String>), CommandError> {
        let check = self.project();
        let read = walked.prompts.iter().map(|path| match check.read(path) {
            Ok(file) => ListedFile {
                prompts: self.listed(path, &file),
                computed: computed_in(&file, &self.paths),
                unread: unread_in(&file, &self.paths),
            },
            Err(error) => ListedFile {
                unread: unread_file(&error, path, check, &self.paths),
                ..ListedFile::default()
            },
        });
        let read: Vec<ListedFile> = read.collect();
        let without_prompts = walked.without_prompts(&read, ListedFile::is_empty);
        let mut failures = walked.failures.clone();
        let (mut prompts, mut computed) = (Vec::new(), Vec::new());
        for listed in read {
            prompts.extend(listed.prompts);
            computed.extend(listed.computed);
            failures.extend(listed.unread);
        }
        let files = walked.files();
        failures.extend(broken_configs(&files, self.project(), &self.paths));
        match self.args.format {
            CheckFormat::Json => terminal::print_json(&ListOutput { prompts })?,
            // The other values report problems.
            _ => {
                terminal::print(&in_columns(&prompts))?;
                if !prompts.is_empty() {
                    complain(&counted(prompts.len(), "prompt"));
                }
            }
        }
        complain_computed(&computed);
        Ok((without_repeats(failures), without_prompts))
    }

    /// The prompts of a file.
    pub(super) fn listed(&self, path: &Path, file: &PromptFile) -> Vec<ListedPrompt> {
        let kind = kind_of(path, file.config().map(|config| &**config), self.project());
        let rule = kind.and_then(|kind| kind.rule);
        let by = match (kind, rule) {
            (None, _) => ListedBy::Force,
            (Some(_), Some(_)) => ListedBy::Rule,
            (Some(kind), None)
                if kind.reader.is_some() && PromptReader::by_name(path).is_none() =>
            {
                ListedBy::Content
            }
            (Some(_), None) => ListedBy::Name,
        };
        let rule = rule.map(|rule| ListedRule {
            file: self.paths.shown(&rule.config),
            number: rule.position + 1,
        });
        let broken = file.broken_cases().iter().map(|(name, _)| name.clone());
        let listed = |prompt: &promptls_workspace::Prompt| {
            let snapshot = &prompt.snapshot;
            let cases = snapshot.cases.iter().map(|case| case.name.to_string());
            ListedPrompt {
                file: self.paths.shown(path),
                task: prompt.name.as_deref().map(str::to_owned),
                by,
                rule: rule.clone(),
                dialect: snapshot.dialect().spec().id,
                engine: snapshot.engine_name(),
                is_guessed: snapshot.is_guessed(),
                cases: cases.chain(broken.clone()).collect(),
            }
        };
        file.own_prompts().map(listed).collect()
    }
}

/// A line for each prompt: `a.txt   adk   rule 1 of promptls.toml   default, angry`.
pub(super) fn in_columns(prompts: &[ListedPrompt]) -> String {
    let row = |prompt: &ListedPrompt| {
        let guessed = if prompt.is_guessed { " (guessed)" } else { "" };
        let by = match (&prompt.rule, prompt.by) {
            (Some(rule), _) => format!("rule {} of {}", rule.number, rule.file),
            (None, ListedBy::Content) => "its content".to_owned(),
            (None, ListedBy::Force) => "--as-prompts".to_owned(),
            (None, ListedBy::Name | ListedBy::Rule) => "its name".to_owned(),
        };
        let cases = match prompt.cases.is_empty() {
            true => "no cases".to_owned(),
            false => prompt.cases.join(", "),
        };
        let file = prompt_address(&prompt.file, prompt.task.as_deref());
        let read_as = prompt.engine.as_deref().unwrap_or(prompt.dialect);
        let cells = [file, format!("{read_as}{guessed}"), by, cases];
        cells.iter().map(|cell| visible_line(cell)).collect::<Vec<String>>()
    };
    columns::in_columns(&prompts.iter().map(row).collect::<Vec<_>>(), |_| Align::Left)
}
