//! `promptls init`: rules for `promptls.toml`, and first inputs files for prompts without any.
//!
//! All changes are computed first, as if the rules were already written. They are shown, and
//! written only after confirmation. Nothing is ever overwritten: rules are appended to existing
//! ones, and existing files stay unchanged.

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
use crate::output::counted::counted;
use crate::output::terminal::{self, complain};
use crate::output::unread::require_config;
use crate::output::visible::visible;
use crate::output::write;
use crate::paths::Paths;
use promptls_workspace::{
    CONFIG_NAME, Config, Configs, DISK, Disk, DiskOnce, Files, Guess, Overrides, Project, Prompt,
    PromptFile, Standing, WithTexts, default_inputs, kind_of, project_engines,
};

use promptls_writer::Writer;

use candidates::{Candidate, FolderCandidates};

/// Proposes missing rules and inputs files for a folder, and writes them after confirmation.
pub fn run(args: &InitArgs) -> Result<ExitCode, CommandError> {
    let mut paths = Paths::new()?;
    let folder = paths.absolute(&args.folder);
    if !Disk.stamp(&args.folder)?.is_folder {
        return Err(CommandError::NotAFolder(args.folder.display().to_string()));
    }
    let proposal = Proposal::new(&folder)?;
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
    /// The inputs files to create, with their texts.
    inputs: BTreeMap<PathBuf, String>,
    /// The files that may be prompts but get no rule, each with the reason.
    passed_over: Vec<(PathBuf, String)>,
    /// One of them that an inputs file would make a prompt.
    unclear: Option<PathBuf>,
    /// A prompt for the example command.
    example: Option<PathBuf>,
    /// The number of prompts, including new ones.
    prompts: usize,
    in_strings: InStrings,
}

impl Proposal {
    fn new(folder: &Path) -> Result<Proposal, CommandError> {
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
        let First { count, inputs, in_strings } =
            first_inputs(&prompts, project, &mut found.failures);
        // For a file with several prompts, the command would need a prompt name.
        let is_prompt_itself =
            |path: &&PathBuf| kind_of(path, None, project).is_none_or(|kind| kind.reader.is_none());
        let mut examples = prompts.iter().filter(is_prompt_itself);
        let has_new_inputs = |path: &&PathBuf| inputs.contains_key(&default_inputs(path));
        let example = examples.clone().find(has_new_inputs).or(examples.next());
        Ok(Proposal {
            example: example.cloned(),
            prompts: count,
            in_strings,
            found,
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

    /// Prints the rules on stdout, so that they can be piped, and all other text on stderr.
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
                let place = match language {
                    Some(language) => {
                        format!("strings of {} of {language}", counted(*files, "file"))
                    }
                    None => format!("{} that code reads", counted(*files, "text file")),
                };
                format!("{dialect}: {prompts} in {place}; no rule is needed")
            },
        ));
        lines.extend(self.lines_of_passed_over(paths));
        lines.iter().for_each(|line| complain(line));
        Ok(())
    }

    /// The lines about files that get no rule.
    fn lines_of_passed_over(&self, paths: &Paths) -> Vec<String> {
        /// More lines would hide the files to be written.
        const SHOWN: usize = 20;
        if self.passed_over.is_empty() {
            return Vec::new();
        }
        let looked_at = match self.found.candidates.len() {
            1 => "1 text file was searched".to_owned(),
            count => format!("{count} text files were searched"),
        };
        let mut lines = vec![format!("{looked_at}; these are skipped:")];
        let line = |(path, why): &(PathBuf, String)| format!("  {}: {why}", paths.shown(path));
        lines.extend(self.passed_over.iter().take(SHOWN).map(line));
        if let Some(more) = self.passed_over.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            lines.push(format!("  and {more} more"));
        }
        lines.push(match &self.unclear {
            None => "Add a rule to make one of them a prompt.".to_owned(),
            Some(unclear) => format!(
                "Add a rule to make one of them a prompt, or an inputs file with one of its names, such as {}.",
                paths.shown(&default_inputs(unclear))
            ),
        });
        lines
    }

    fn nothing(&self, paths: &Paths, folder: &Path) -> String {
        match self.prompts {
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

/// Counts of prompts in strings for a dialect and a language.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    prompts: usize,
    files: usize,
}

/// Counts of prompts in strings, by the title of the dialect and the language of the files; without a
/// language for text files that code reads.
type InStrings = BTreeMap<(&'static str, Option<&'static str>), Counts>;

/// The existing prompts, and the files to create for them.
struct First {
    /// The number of prompts in the files, counted as in `check`.
    count: usize,
    /// The missing inputs files, by path.
    inputs: BTreeMap<PathBuf, String>,
    in_strings: InStrings,
}

fn first_inputs(prompts: &[PathBuf], project: Project<'_>, failures: &mut Vec<String>) -> First {
    let mut count = 0;
    let mut in_strings = InStrings::new();
    let mut without_inputs: BTreeMap<PathBuf, Vec<Snapshot>> = BTreeMap::new();
    for path in prompts {
        let text = match project.files.read(path) {
            Ok(text) => text,
            Err(error) => {
                failures.push(error.to_string());
                continue;
            }
        };
        let overrides = Overrides::default();
        let file = PromptFile::read(project, path, text.into(), &overrides, None);
        count += file.count();
        let rule = file.config().and_then(|config| config.rule_for(path));
        // If a rule names inputs, they have a place already.
        let has_rule = rule.is_some_and(|rule| !rule.inputs.is_empty());
        if has_rule || !file.broken_cases().is_empty() {
            continue;
        }
        let mut dialects = BTreeSet::new();
        for Prompt { snapshot, .. } in file.prompts.iter().filter(|it| it.snapshot.is_in_program())
        {
            let language = (!file.is_read_by_code()).then(|| file.language());
            let key = (snapshot.dialect().spec().title, language);
            let counts = in_strings.entry(key).or_default();
            counts.prompts += 1;
            counts.files += usize::from(dialects.insert(snapshot.dialect()));
        }
        // Prompts in strings need no inputs: for most of them, a framework supplies the values.
        let files_themselves = file.prompts.into_iter().filter(|it| !it.snapshot.is_in_program());
        for Prompt { snapshot, .. } in files_themselves {
            // A text that may be in another language needs no inputs files.
            let is_ours = snapshot.foreign.is_none() && snapshot.alike.is_empty();
            if snapshot.cases.is_empty() && is_ours {
                without_inputs.entry(default_inputs(path)).or_default().push(snapshot);
            }
        }
    }
    let texts = without_inputs.into_iter().map(|(path, prompts)| (path, skeleton_of_all(&prompts)));
    // A prompt without placeholders needs no inputs.
    let inputs = texts.filter(|(_, text)| text.trim() != "{}").collect();
    First { count, inputs, in_strings }
}
