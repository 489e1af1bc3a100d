//! `promptls init`: rules for `promptls.toml`, and first inputs files for prompts without any.
//!
//! All changes are computed first, as if the rules were already written. They are shown, and
//! written only after confirmation. Nothing is ever overwritten: rules are appended to existing
//! ones, and existing files stay unchanged.

mod candidates;
mod existing_prompts;
mod rules;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use crate::args::{COULD_NOT_RUN, InitArgs};
use crate::commands::check::walk::first_named;
use crate::errors::CommandError;
use crate::output::terminal::{self, complain};
use crate::output::unread::require_config;
use crate::output::visible::visible;
use crate::output::write;
use crate::paths::Paths;
use promptls_workspace::{
    CONFIG_NAME, Config, Configs, DISK, Disk, DiskOnce, Files, Guess, Standing, WithTexts,
    default_inputs, kind_of, project_engines,
};

use promptls_writer::Writer;

use candidates::{Candidate, FolderCandidates};
use existing_prompts::{ExistingPrompts, example, listed};

/// Proposes missing rules and inputs files for a folder, and writes them after confirmation.
pub fn run(args: &InitArgs) -> Result<ExitCode, CommandError> {
    let mut paths = Paths::new()?;
    let folder = paths.absolute(&args.folder);
    if !Disk.stamp(&args.folder)?.is_folder {
        return Err(CommandError::NotAFolder(args.folder.display().to_string()));
    }
    let proposal = Proposal::new(&folder, &paths)?;
    proposal.show(&paths)?;
    for failure in &proposal.found.failures {
        complain(&format!("promptls: {failure}"));
    }
    let is_complete = proposal.found.failures.is_empty();
    let code = if is_complete { ExitCode::SUCCESS } else { ExitCode::from(COULD_NOT_RUN) };
    if proposal.is_empty() {
        complain(&proposal.nothing(&paths, &folder));
        return Ok(code);
    }
    if args.dry_run {
        complain("nothing is written, because of --dry-run");
        return Ok(code);
    }
    if !args.yes {
        if !io::stdin().is_terminal() {
            complain(
                "promptls: nothing is written: stdin is not a terminal; add --yes to write without confirmation",
            );
            return Ok(ExitCode::from(COULD_NOT_RUN));
        }
        if !confirm(&format!("Write {}?", proposal.what(&paths)))? {
            complain("nothing is written");
            return Ok(code);
        }
    }
    proposal.write(&paths, &write::writer(args.writing.force))?;
    Ok(code)
}

/// Confirms an action on the terminal. Every answer other than yes means no.
pub(super) fn confirm(question: &str) -> Result<bool, CommandError> {
    let mut stderr = io::stderr().lock();
    write!(stderr, "{} [y/N] ", visible(question))?;
    stderr.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// The config and the inputs files to write, shown before confirmation.
struct Proposal {
    found: FolderCandidates,
    /// The path of the existing or new config.
    config: PathBuf,
    /// The text of the config, if it exists.
    old: Option<Arc<str>>,
    /// The rules to add, as text; empty if there are none.
    rules: String,
    /// The prompts, including new ones, and the inputs files to create.
    existing: ExistingPrompts,
    /// The files that may be prompts but get no rule, each with the reason.
    passed_over: Vec<(PathBuf, String)>,
    /// One of them that an inputs file would make a prompt.
    unclear: Option<PathBuf>,
    /// A prompt for the example command.
    example: Option<PathBuf>,
}

impl Proposal {
    fn new(folder: &Path, paths: &Paths) -> Result<Proposal, CommandError> {
        let disk = DiskOnce::default();
        let configs = Configs::default();
        let mut found = candidates::find_candidates(folder, &disk, &configs);
        // If a config already applies, rules are added to it.
        let nearest = configs.nearest(&disk, folder);
        if let Some(config) = &nearest {
            require_config(config, disk.project(&configs))?;
        }
        let nearest = nearest.map(|config| config.path.clone());
        let config = nearest.unwrap_or_else(|| folder.join(CONFIG_NAME));
        let base = config.parent().unwrap_or(folder);
        let old = match disk.list(base).iter().any(|name| name == CONFIG_NAME) {
            true => Some(DISK.read(&config)?),
            false => None,
        };
        let top = configs.reach().root(&disk, base).0.clone();
        let engines_near = |folder: &Path| project_engines(&disk, configs.reach(), folder, &top);
        let project = rules::project_dialect(&engines_near(folder));
        let proposed = rules::propose(&found.candidates, base, project.as_ref(), engines_near);
        let passed_over = passed_over(&found, &proposed.unclear);
        let unclear = proposed.unclear.first().map(|(candidate, _)| candidate.path.clone());
        let rules = rules::to_toml(&proposed.rules);
        let text = with_rules(old.as_deref(), &rules);
        // Rules in another form, `prompts = [{ … }]`, cannot be followed by `[[prompts]]`.
        if !Config::parse(&config, &text).problems.is_empty() {
            let path = config.display().to_string();
            return Err(CommandError::CannotAddRules { path, rules });
        }

        // The files as they would be with the proposed config.
        let texts = BTreeMap::from([(config.clone(), text.into())]);
        let files = WithTexts { files: &disk, program: &disk, texts };
        let configs = Configs::default();
        let project = files.project(&configs);
        let mut prompts = std::mem::take(&mut found.prompts);
        prompts.extend(found.candidates.iter().map(|candidate| candidate.path.clone()));
        prompts.retain(|path| {
            let config = configs.nearest(&files, path.parent().unwrap_or(folder));
            kind_of(path, config.as_deref(), project).is_some()
        });
        prompts.sort();
        prompts.dedup();
        let existing = ExistingPrompts::read(&prompts, project, paths, &mut found.failures);
        let is_prompt_itself =
            |path: &Path| kind_of(path, None, project).is_none_or(|kind| kind.reader.is_none());
        let example = example(&prompts, &existing, is_prompt_itself);
        Ok(Proposal {
            example: example.cloned(),
            found,
            config,
            old,
            rules,
            existing,
            passed_over,
            unclear,
        })
    }

    fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.existing.inputs.is_empty()
    }

    /// Prints the rules on stdout, so that they can be piped, and all other text on stderr.
    fn show(&self, paths: &Paths) -> Result<(), CommandError> {
        terminal::print_lines(&visible(&self.rules))?;
        let mut lines = Vec::new();
        let inputs = &self.existing.inputs;
        if !inputs.is_empty() {
            lines.push("Inputs files for prompts without any:".to_owned());
            lines.extend(inputs.keys().map(|path| format!("  {}", paths.shown(path))));
        }
        lines.extend(self.existing.lines());
        lines.extend(self.lines_of_passed_over(paths));
        lines.extend(self.line_of_documents(paths));
        lines.iter().for_each(|line| complain(line));
        Ok(())
    }

    /// The lines about files that get no rule.
    fn lines_of_passed_over(&self, paths: &Paths) -> Vec<String> {
        if self.passed_over.is_empty() {
            return Vec::new();
        }
        let looked_at = match self.found.candidates.len() {
            1 => "1 text file was searched".to_owned(),
            count => format!("{count} text files were searched"),
        };
        let mut lines = vec![format!("{looked_at}; these are skipped:")];
        let line = |(path, why): &(PathBuf, String)| format!("{}: {why}", paths.shown(path));
        lines.extend(listed(&self.passed_over.iter().map(line).collect::<Vec<_>>()));
        lines.push(match &self.unclear {
            None => "Add a rule to make one of them a prompt.".to_owned(),
            Some(unclear) => format!(
                "Add a rule to make one of them a prompt, or an inputs file with one of its names, such as {}.",
                paths.shown(&default_inputs(unclear))
            ),
        });
        lines
    }

    /// The line about texts that describe placeholders; `None` without any.
    fn line_of_documents(&self, paths: &Paths) -> Option<String> {
        let documents = self
            .found
            .candidates
            .iter()
            .filter(|candidate| matches!(candidate.standing, Standing::Documentation));
        let names: Vec<String> = documents.map(|it| paths.shown(&it.path)).collect();
        let named = first_named(&names)?;
        let verb = if names.len() == 1 { "describes" } else { "describe" };
        Some(format!("{named} {verb} placeholders, so no rule is proposed"))
    }

    fn nothing(&self, paths: &Paths, folder: &Path) -> String {
        match self.existing.count {
            0 => format!(
                "promptls: no prompts found under {}; a prompt ends in .prompt, contains syntax of only one dialect, or has an inputs file with one of its names beside it",
                paths.shown(folder)
            ),
            1 => "nothing is missing: 1 prompt".to_owned(),
            prompts => format!("nothing is missing: {prompts} prompts"),
        }
    }

    /// A summary of what would be written.
    fn what(&self, paths: &Paths) -> String {
        let config = (!self.rules.is_empty()).then(|| paths.shown(&self.config));
        let inputs = match self.existing.inputs.len() {
            0 => None,
            1 => Some("1 inputs file".to_owned()),
            count => Some(format!("{count} inputs files")),
        };
        config.into_iter().chain(inputs).collect::<Vec<_>>().join(" and ")
    }

    fn write(&self, paths: &Paths, writer: &Writer) -> Result<(), CommandError> {
        let failed = |path: &Path| write::failed(paths.shown(path));
        if !self.rules.is_empty() {
            let text = with_rules(self.old.as_deref(), &self.rules);
            let written = match &self.old {
                None => writer.create(&self.config, text.as_bytes()),
                Some(old) => writer.replace(&self.config, old.as_bytes(), text.as_bytes()),
            };
            written.map_err(failed(&self.config))?;
        }
        for (path, text) in &self.existing.inputs {
            writer.create(path, text.as_bytes()).map_err(failed(path))?;
        }
        complain(&format!("written: {}", self.what(paths)));
        let fill_in =
            if self.existing.inputs.is_empty() { "" } else { "fill in the values, then " };
        complain(&format!("Next: {fill_in}try"));
        if let Some(example) = &self.example {
            complain(&format!("  promptls preview {}", paths.shown(example)));
        }
        complain("  promptls check");
        Ok(())
    }
}

/// Files that may be prompts but get no rule, sorted by path, with reasons.
fn passed_over(
    found: &FolderCandidates,
    unclear: &[(&Candidate, &Guess)],
) -> Vec<(PathBuf, String)> {
    let mut passed_over: Vec<(PathBuf, String)> = unclear
        .iter()
        .map(|(candidate, guess)| (candidate.path.clone(), guess.why_unclear()))
        .collect();
    passed_over.extend(found.candidates.iter().filter_map(|candidate| {
        let Standing::OtherLanguage(language) = candidate.standing else { return None };
        Some((candidate.path.clone(), language.reads_like()))
    }));
    passed_over.sort();
    passed_over
}

/// The text of a config with the new rules appended.
fn with_rules(old: Option<&str>, rules: &str) -> String {
    match old {
        Some(old) if rules.is_empty() => old.to_owned(),
        Some(old) if !old.trim().is_empty() => format!("{}\n\n{rules}", old.trim_end()),
        _ => rules.to_owned(),
    }
}
