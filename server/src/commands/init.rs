//! `promptls init`: rules for `promptls.toml`, and first inputs for prompts without any.
//!
//! Everything is worked out first, with the rules as if they were written, then
//! shown, and written only after a yes. Nothing is ever overwritten: rules are
//! added behind those that are there, and files that exist stay as they are.

mod candidates;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use promptls_analysis::{Snapshot, skeleton_of_all};

use crate::args::{COULD_NOT_RUN, InitArgs};
use crate::errors::CommandError;
use crate::output::terminal::{self, complain};
use crate::output::unread::require_config;
use crate::output::visible::visible;
use crate::output::write;
use crate::paths::Paths;
use promptls_workspace::{
    CONFIG_NAME, Check, Config, Configs, Disk, DiskOnce, Files, Guess, Overrides, Prompt,
    PromptFile, Standing, WithTexts, default_inputs, kind_of, project_engines,
};

use promptls_writer::Writer;

use candidates::{Candidate, Looked};

/// Proposes what a folder of prompts lacks, and writes it after a yes.
pub fn run(args: &InitArgs) -> Result<ExitCode, CommandError> {
    let mut paths = Paths::new()?;
    let folder = paths.absolute(&args.folder);
    if !Disk.stamp(&args.folder)?.is_folder {
        return Err(CommandError::NotAFolder(args.folder.display().to_string()));
    }
    let proposal = Proposal::new(&folder)?;
    proposal.show(&paths)?;
    for failure in &proposal.looked.failures {
        complain(&format!("promptls: {failure}"));
    }
    let is_complete = proposal.looked.failures.is_empty();
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
            complain("promptls: nothing is written, as nobody can be asked; add --yes to write it");
            return Ok(ExitCode::from(COULD_NOT_RUN));
        }
        if !asked(&format!("Write {}?", proposal.what(&paths)))? {
            complain("nothing is written");
            return Ok(code);
        }
    }
    proposal.write(&paths, &write::writer(args.writing.force))?;
    Ok(code)
}

/// Asks a question on the terminal; everything but a yes is a no.
pub(super) fn asked(question: &str) -> Result<bool, CommandError> {
    let mut stderr = io::stderr().lock();
    write!(stderr, "{} [y/N] ", visible(question))?;
    stderr.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// What is to be written.
struct Proposal {
    looked: Looked,
    /// The config that is there, or is to be.
    config: PathBuf,
    /// Its text, if it is there.
    old: Option<Arc<str>>,
    /// The rules to be added, as text; empty if there are none.
    rules: String,
    /// Inputs files to be made, with their texts.
    inputs: BTreeMap<PathBuf, String>,
    /// The files that may be prompts and get no rule, each with the reason.
    passed_over: Vec<(PathBuf, String)>,
    /// One of them that inputs would make a prompt.
    unclear: Option<PathBuf>,
    /// A prompt to try.
    example: Option<PathBuf>,
    /// How many prompts there are, the new ones among them.
    prompts: usize,
    in_strings: InStrings,
}

impl Proposal {
    fn new(folder: &Path) -> Result<Proposal, CommandError> {
        let disk = DiskOnce::default();
        let configs = Configs::default();
        let mut looked = candidates::look(folder, &disk, &configs);
        // Where one counts already, more rules go there.
        let nearest = configs.nearest(&disk, folder);
        if let Some(config) = &nearest {
            require_config(config, Check { files: &disk, configs: &configs })?;
        }
        let nearest = nearest.map(|config| config.path.clone());
        let config = nearest.unwrap_or_else(|| folder.join(CONFIG_NAME));
        let base = config.parent().unwrap_or(folder);
        let old = match disk.list(base).iter().any(|name| name == CONFIG_NAME) {
            true => Some(disk.read(&config)?),
            false => None,
        };
        let top = configs.reach().root(&disk, base).0.clone();
        let engines_near = |folder: &Path| project_engines(&disk, configs.reach(), folder, &top);
        let project = rules::project_dialect(&engines_near(folder));
        let proposed = rules::propose(&looked.candidates, base, project.as_ref(), engines_near);
        let passed_over = passed_over(&looked, &proposed.unclear);
        let unclear = proposed.unclear.first().map(|(candidate, _)| candidate.path.clone());
        let rules = rules::to_toml(&proposed.rules);
        let text = with_rules(old.as_deref(), &rules);
        // Rules in another form, `prompts = [{ … }]`, cannot be followed by ours.
        if !Config::parse(&config, &text).problems.is_empty() {
            let path = config.display().to_string();
            return Err(CommandError::CannotAddRules { path, rules });
        }

        // As they would be with the proposed config.
        let texts = BTreeMap::from([(config.clone(), text.into())]);
        let files = WithTexts { files: &disk, texts };
        let configs = Configs::default();
        let mut prompts = std::mem::take(&mut looked.prompts);
        prompts.extend(looked.candidates.iter().map(|candidate| candidate.path.clone()));
        prompts.retain(|path| {
            let config = configs.nearest(&files, path.parent().unwrap_or(folder));
            kind_of(path, config.as_deref(), &files).is_some()
        });
        prompts.sort();
        prompts.dedup();
        let First { count, inputs, in_strings } =
            first_inputs(&prompts, &files, &configs, &mut looked.failures);
        // Of a file that holds several, one would have to say which prompt.
        let is_prompt_itself =
            |path: &&PathBuf| kind_of(path, None, &files).is_none_or(|kind| kind.reader.is_none());
        let mut examples = prompts.iter().filter(is_prompt_itself);
        let has_new_inputs = |path: &&PathBuf| inputs.contains_key(&default_inputs(path));
        let example = examples.clone().find(has_new_inputs).or(examples.next());
        Ok(Proposal {
            example: example.cloned(),
            prompts: count,
            in_strings,
            looked,
            config,
            old,
            rules,
            inputs,
            passed_over,
            unclear,
        })
    }

    fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.inputs.is_empty()
    }

    /// Prints the rules on stdout, so that they can be piped, and all else on stderr.
    fn show(&self, paths: &Paths) -> Result<(), CommandError> {
        terminal::print_lines(&visible(&self.rules))?;
        let mut lines = Vec::new();
        if !self.inputs.is_empty() {
            lines.push("Inputs files for prompts without any:".to_owned());
            lines.extend(self.inputs.keys().map(|path| format!("  {}", paths.shown(path))));
        }
        lines.extend(self.in_strings.iter().map(
            |((dialect, language), Counts { prompts, files })| {
                let prompts = counted(*prompts, "prompt");
                let files = counted(*files, "file");
                format!(
                    "{dialect}: {prompts} in strings of {files} of {language}; that needs no rule"
                )
            },
        ));
        lines.extend(self.lines_of_passed_over(paths));
        lines.iter().for_each(|line| complain(line));
        Ok(())
    }

    /// What was looked at and gets no rule, in lines.
    fn lines_of_passed_over(&self, paths: &Paths) -> Vec<String> {
        /// More would hide what is to be written.
        const SHOWN: usize = 20;
        if self.passed_over.is_empty() {
            return Vec::new();
        }
        let looked_at = match self.looked.candidates.len() {
            1 => "1 text file was looked at".to_owned(),
            count => format!("{count} text files were looked at"),
        };
        let mut lines = vec![format!("{looked_at}; these are passed over:")];
        let line = |(path, why): &(PathBuf, String)| format!("  {}: {why}", paths.shown(path));
        lines.extend(self.passed_over.iter().take(SHOWN).map(line));
        if let Some(more) = self.passed_over.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            lines.push(format!("  and {more} more"));
        }
        lines.push(match &self.unclear {
            None => "A rule that you write makes one a prompt.".to_owned(),
            Some(unclear) => format!(
                "A rule that you write makes one a prompt; so does an inputs file with one of its names, as {}.",
                paths.shown(&default_inputs(unclear))
            ),
        });
        lines
    }

    fn nothing(&self, paths: &Paths, folder: &Path) -> String {
        match self.prompts {
            0 => format!(
                "promptls: no prompts found under {}; a prompt ends in .prompt, holds what only one dialect means, or has an inputs file with one of its names beside it",
                paths.shown(folder)
            ),
            1 => "nothing is missing: 1 prompt".to_owned(),
            prompts => format!("nothing is missing: {prompts} prompts"),
        }
    }

    /// What would be written, in words.
    fn what(&self, paths: &Paths) -> String {
        let config = (!self.rules.is_empty()).then(|| paths.shown(&self.config));
        let inputs = match self.inputs.len() {
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
        for (path, text) in &self.inputs {
            writer.create(path, text.as_bytes()).map_err(failed(path))?;
        }
        complain(&format!("written: {}", self.what(paths)));
        let fill_in = if self.inputs.is_empty() { "" } else { "fill in the values, then " };
        complain(&format!("Next: {fill_in}try"));
        if let Some(example) = &self.example {
            complain(&format!("  promptls preview {}", paths.shown(example)));
        }
        complain("  promptls check");
        Ok(())
    }
}

/// What may be a prompt and gets no rule, in the order of paths, and why.
fn passed_over(looked: &Looked, unclear: &[(&Candidate, &Guess)]) -> Vec<(PathBuf, String)> {
    let mut passed_over: Vec<(PathBuf, String)> = unclear
        .iter()
        .map(|(candidate, guess)| (candidate.path.clone(), guess.why_unclear()))
        .collect();
    passed_over.extend(looked.candidates.iter().filter_map(|candidate| {
        let Standing::OtherLanguage(language) = candidate.standing else { return None };
        Some((candidate.path.clone(), language.reads_like()))
    }));
    passed_over.sort();
    passed_over
}

/// The text of a config with more rules behind its own.
fn with_rules(old: Option<&str>, rules: &str) -> String {
    match old {
        Some(old) if rules.is_empty() => old.to_owned(),
        Some(old) if !old.trim().is_empty() => format!("{}\n\n{rules}", old.trim_end()),
        _ => rules.to_owned(),
    }
}

/// Strings of a dialect in files of a language.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    prompts: usize,
    files: usize,
}

/// Strings that are prompts, by the title of their dialect and the language of their files.
type InStrings = BTreeMap<(&'static str, &'static str), Counts>;

/// What there is of prompts, and what they lack.
struct First {
    /// How many prompts the files hold, counted as `check` does.
    count: usize,
    /// The inputs files that they lack, by path.
    inputs: BTreeMap<PathBuf, String>,
    in_strings: InStrings,
}

fn first_inputs(
    prompts: &[PathBuf],
    files: &WithTexts<'_>,
    configs: &Configs,
    failures: &mut Vec<String>,
) -> First {
    let mut count = 0;
    let mut in_strings = InStrings::new();
    let mut lacking: BTreeMap<PathBuf, Vec<Snapshot>> = BTreeMap::new();
    for path in prompts {
        let text = match files.read(path) {
            Ok(text) => text,
            Err(error) => {
                failures.push(error.to_string());
                continue;
            }
        };
        let overrides = Overrides::default();
        let file = PromptFile::read(files, configs, path, text.into(), &overrides, None);
        count += file.count();
        let rule = file.config().and_then(|config| config.rule_for(path));
        // Where a rule names inputs, its author knows where they belong.
        let has_rule = rule.is_some_and(|rule| !rule.inputs.is_empty());
        if has_rule || !file.broken_cases().is_empty() {
            continue;
        }
        let mut dialects = BTreeSet::new();
        for Prompt { snapshot, .. } in file.prompts.iter().filter(|it| it.snapshot.host.is_some()) {
            let key = (snapshot.dialect().spec().title, file.language());
            let counts = in_strings.entry(key).or_default();
            counts.prompts += 1;
            counts.files += usize::from(dialects.insert(snapshot.dialect()));
        }
        // Strings need no inputs, and a framework gives most of them none.
        let files_themselves = file.prompts.into_iter().filter(|it| it.snapshot.host.is_none());
        for Prompt { snapshot, .. } in files_themselves {
            // What may be another language has no need of ours.
            let is_ours = snapshot.foreign.is_none() && snapshot.alike.is_empty();
            if snapshot.cases.is_empty() && is_ours {
                lacking.entry(default_inputs(path)).or_default().push(snapshot);
            }
        }
    }
    let texts = lacking.into_iter().map(|(path, prompts)| (path, skeleton_of_all(&prompts)));
    // A prompt that reads nothing needs nothing.
    let inputs = texts.filter(|(_, text)| text.trim() != "{}").collect();
    First { count, inputs, in_strings }
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
