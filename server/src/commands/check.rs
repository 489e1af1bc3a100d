//! `promptls check`: problems of many prompts and their inputs.
//!
//! The prompts are found first (`walk.rs`), then checked as in an editor
//! ([`promptls_workspace::Project`]). Each thread converts problems into [`Finding`]s at once, so
//! that no text stays in memory. At the end they are sorted and printed once.

mod add_ignores;
#[cfg(feature = "stores")]
mod against;
mod baseline;
mod finding;
mod fix;
mod list;
mod looking;
mod of_file;
pub mod walk;
mod watch;
pub mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use promptls_analysis::{DEFAULT_MAX_PROBLEMS, Sureness};
use promptls_resolver::{Code, FileId, Problem, Severity};

use crate::args::{COULD_NOT_RUN, CheckArgs, CheckFormat};
use crate::errors::CommandError;
use crate::output::excerpts::Excerpts;
use crate::output::files_read::FilesRead;
use crate::output::formats;
use crate::output::json::file_problem;
use crate::output::problem_key::ProblemKey;
use crate::output::progress::Progress;
use crate::output::report_root::ReportRoot;
use crate::output::terminal::{self, StreamText, Terminal};
use crate::output::write;
use crate::paths::Paths;
use promptls_protocol::{CHECK_OUTPUT_VERSION, CheckOutput, CheckSummary, ListedPrompt};
use promptls_workspace::Sources;
use promptls_workspace::{
    Config, Configs, FileProblems, Files as _, Project, PromptFile, ReadError, SharedReads,
    UsedIgnores, WithTexts, fixable,
};

use crate::output::counted::counted;
use baseline::Baseline;
use finding::Finding;
use fix::AfterFixes;
use looking::Looking;
use walk::Walked;
use words::{concise, in_words, statistics, summary};

/// Checks prompts and prints their problems.
pub fn run(args: &CheckArgs) -> Result<ExitCode, CommandError> {
    let mut paths = Paths::new()?;
    let sureness = args.fixes.sureness();
    if args.watch || (sureness.is_some() && !args.fixes.diff) {
        walk::require_files(&args.paths)?;
    }
    let looking = Looking::new(&args.looking, &args.paths, &paths)?;
    let fixed = match sureness {
        Some(sureness) => fix::fix(args, sureness, &looking, &mut paths)?,
        None => AfterFixes::Report { all_written: true },
    };
    match fixed {
        AfterFixes::End(code) => Ok(code),
        _ if args.watch => watch::run(args, &looking, &paths),
        AfterFixes::Report { all_written } => {
            let checked = once(args, &looking, paths)?;
            terminal::print_all(&checked.output)?;
            Ok(if all_written { checked.code } else { ExitCode::from(COULD_NOT_RUN) })
        }
    }
}

/// The result of a check.
struct CheckResult {
    code: ExitCode,
    /// The output to print, in order.
    output: Vec<StreamText>,
    /// The files that were read, for --watch.
    read: BTreeSet<PathBuf>,
}

/// Checks the current state of the files.
fn once(
    args: &CheckArgs,
    looking: &Looking,
    mut paths: Paths,
) -> Result<CheckResult, CommandError> {
    let disk = looking.disk();
    let (files, configs) = (looking.files(&disk), looking.configs());
    let walked = looking.walk_with_texts(args, &mut paths, files.project(&configs));
    let root = report_root(args, &paths)?;
    let excerpts = Excerpts::new(Terminal::of_stdout());
    let check = Check { files, configs, paths, root, args, excerpts };
    let (outcome, without_prompts) = match args.list {
        true => {
            let (failures, without_prompts) = check.list(&walked)?;
            (Outcome { failures, ..Outcome::default() }, without_prompts)
        }
        false => (check.report(&walked)?, walk::skipped_in_words(&walked.skipped)),
    };
    let Outcome { failures, is_bad, is_unread, read, mut output, .. } = outcome;
    let complaints = failures.iter().cloned().chain(without_prompts);
    output.extend(complaints.map(|it| StreamText::Stderr(format!("promptls: {it}"))));
    let is_in_vain = failures.is_empty() && check.looked_in_vain(&walked, &mut output);
    let code = match (failures.is_empty() && !is_unread && !is_in_vain, is_bad) {
        (false, _) => ExitCode::from(COULD_NOT_RUN),
        (true, true) if !args.exit_zero => ExitCode::FAILURE,
        (true, _) => ExitCode::SUCCESS,
    };
    Ok(CheckResult { code, output, read })
}

/// What a check has found.
#[derive(Debug, Default)]
struct Outcome {
    /// The number of prompts that could be read.
    checked: usize,
    findings: Vec<Finding>,
    /// Files and folders that could not be read.
    failures: Vec<String>,
    shared: SharedReads,
    used_ignores: UsedIgnores,
    /// All files that were read, for --watch and --baseline.
    read: BTreeSet<PathBuf>,
    /// The problems that only `--fix-unsafe` fixes, after `--fix`.
    fixable: BTreeSet<(PathBuf, usize, Code)>,
    /// The files with prompts that are sent by the engine of --engine, if its version is unknown.
    sent_by_unknown: BTreeSet<PathBuf>,
    /// What was checked, for --verbose.
    listed: Vec<ListedPrompt>,
    /// Whether there are errors, or warnings with --deny-warnings.
    is_bad: bool,
    /// Whether some file was not read, so that other problems may be hidden.
    is_unread: bool,
    /// The output to print, in order.
    output: Vec<StreamText>,
}

impl Outcome {
    fn complain(&mut self, line: String) {
        self.output.push(StreamText::Stderr(line));
    }

    fn add(&mut self, other: Outcome) {
        self.checked += other.checked;
        self.findings.extend(other.findings);
        self.failures.extend(other.failures);
        self.shared.add(other.shared);
        self.used_ignores.add(other.used_ignores);
        self.read.extend(other.read);
        self.fixable.extend(other.fixable);
        self.sent_by_unknown.extend(other.sent_by_unknown);
        self.listed.extend(other.listed);
    }
}

/// The folder that file names in a report are relative to; `None` for names relative to the current
/// folder.
fn report_root(args: &CheckArgs, paths: &Paths) -> Result<Option<ReportRoot>, CommandError> {
    match &args.relative_to {
        Some(folder) => ReportRoot::folder(paths, folder).map(Some),
        None => Ok(args.format.is_of_repository().then(|| ReportRoot::of_repository(paths))),
    }
}

/// Read-only state that all threads share.
struct Check<'a> {
    files: WithTexts<'a>,
    configs: Configs,
    paths: Paths,
    root: Option<ReportRoot>,
    args: &'a CheckArgs,
    excerpts: Excerpts,
}

impl Check<'_> {
    /// Checks the prompts and prepares the report.
    fn report(&self, walked: &Walked) -> Result<Outcome, CommandError> {
        let args = self.args;
        let baseline = args.baseline.as_deref().map(|file| Baseline::read(file, &self.paths));
        let mut baseline = baseline.transpose()?;
        let mut outcome = self.prompts(&walked.prompts);
        outcome.failures.extend(walked.failures.iter().cloned());
        let (project, configs) = (self.project(), self.configs_of(walked));
        let shared = std::mem::take(&mut outcome.shared);
        let Walked { prompts, folders, sidecars, .. } = walked;
        let mut used = std::mem::take(&mut outcome.used_ignores);
        self.around(project.unused_in_shared(shared, prompts, folders, &mut used), &mut outcome);
        self.around(project.broken_configs(&configs), &mut outcome);
        self.around(project.orphans(sidecars, &configs, &mut used), &mut outcome);
        self.around(project.unused_rules(prompts, &configs, folders, &mut used), &mut outcome);
        self.around(project.unused_ignores(&configs, folders, &used), &mut outcome);
        self.engine(&mut outcome);
        #[cfg(feature = "stores")]
        if let Some(address) = &args.against {
            self.against(address, &walked.prompts, &mut outcome)?;
        }
        outcome.findings.sort();
        outcome.findings.dedup();
        outcome.failures.sort();
        outcome.is_unread = outcome.findings.iter().any(|finding| finding.hides_others);
        if let Some(file) = &args.write_baseline {
            let mut baseline = Baseline::empty(file, &self.paths);
            // A problem that hides others is never in a baseline.
            let unread = outcome.findings.extract_if(.., |finding| finding.hides_others);
            let lines =
                unread.map(|finding| StreamText::Stderr(concise(&finding).trim_end().to_owned()));
            outcome.output.extend(lines);
            baseline.note(&outcome.findings);
            let read = self.files_read(&outcome.read, walked);
            baseline.write(file, args.writing.force, &read)?;
            let count = counted(outcome.findings.len(), "problem");
            outcome.complain(format!("{count} written to {}", file.display()));
            return Ok(outcome);
        }
        if let Some(reason) = &args.fixes.add_ignores {
            self.add_ignores(&mut outcome.findings, reason)?;
        }
        if let Some(baseline) = &mut baseline {
            baseline.take_out(&mut outcome.findings);
        }

        let mut summary = summary(outcome.checked, &outcome.findings);
        summary.unread += outcome.failures.len();
        if args.verbose {
            outcome.listed.sort_by(|a, b| a.file.cmp(&b.file));
            let listed = list::in_columns(&outcome.listed);
            outcome.complain(listed.trim_end().to_owned());
        }
        let read = self.files_read(&outcome.read, walked);
        read.add(&args.baseline);
        let report = self.print(std::mem::take(&mut outcome.findings), summary, &read)?;
        outcome.output.extend(report);
        // A file that should have prompts, and has none, is mentioned by the count.
        let is_checked = !walked.prompts.is_empty() || !walked.named_configs.is_empty();
        let has_problems = summary.errors + summary.warnings + summary.infos + summary.hints > 0;
        if (is_checked || has_problems) && args.format.is_for_people() && !args.quiet {
            outcome.complain(in_words(summary, walked.named_configs.len()));
            if !outcome.fixable.is_empty() {
                outcome.complain(fix::more_with_unsafe(outcome.fixable.len()));
            }
            let is_checked =
                |key: &ProblemKey, file: &Path| self.is_checked(key, file, &outcome.read, walked);
            let gone = baseline.map(|baseline| baseline.left(is_checked));
            if let Some(gone) = gone.filter(|gone| *gone > 0) {
                let gone = counted(gone, "problem");
                let gone = format!("{gone} of the baseline fixed; --write-baseline updates it");
                outcome.complain(gone);
            }
        }
        outcome.is_bad = summary.errors > 0 || (args.deny_warnings && summary.warnings > 0);
        Ok(outcome)
    }

    /// Reports that there are no prompts where some were expected. Returns whether that is a
    /// failure.
    fn looked_in_vain(&self, walked: &Walked, output: &mut Vec<StreamText>) -> bool {
        let args = self.args;
        if !walked.prompts.is_empty() || walked.searched.is_empty() {
            return false;
        }
        let has_rules =
            self.configs_of(walked).iter().any(|config| config.rules().next().is_some());
        let is_failure = !args.allow_empty && (!args.paths.is_empty() || has_rules);
        let places = walked.searched.join(", ");
        let why = match has_rules {
            true => "no rule of promptls.toml matches a file there, and none ends in .prompt",
            false => "a prompt ends in .prompt, or a rule in promptls.toml names it",
        };
        output.push(StreamText::Stderr(match is_failure {
            true => format!(
                "promptls: no prompts found under {places}; {why}; --allow-empty accepts that"
            ),
            false => terminal::warning(&format!("no prompts found under {places}; {why}")),
        }));
        is_failure
    }

    /// The files and configs of the check.
    fn project(&self) -> Project<'_> {
        self.files.project(&self.configs)
    }

    fn prompts(&self, prompts: &[PathBuf]) -> Outcome {
        let progress = Progress::of_prompts(prompts.len());
        let note = |outcome: &mut Outcome, path: &Path, read| {
            self.prompt(path, read, outcome);
            progress.step();
        };
        let mut all = Outcome::default();
        self.project().read_all(prompts, note).into_iter().for_each(|outcome| all.add(outcome));
        all
    }

    fn prompt(&self, path: &Path, read: Result<PromptFile, ReadError>, outcome: &mut Outcome) {
        let file = match read {
            Ok(file) => file,
            Err(error) => {
                self.around(vec![self.project().unread(path, &error)], outcome);
                return;
            }
        };
        outcome.checked += file.count();
        outcome.shared.note(&file);
        self.note_engine(path, &file, outcome);
        let has_output = self.args.output.is_some() || self.args.write_baseline.is_some();
        if self.args.watch || self.args.baseline.is_some() || has_output {
            outcome.read.extend(file.all_files().cloned());
        }
        if self.args.verbose {
            outcome.listed.extend(self.listed(path, &file));
        }
        if self.args.fixes.sureness() == Some(Sureness::Safe) {
            let is_selected = |problem: &Problem| self.args.reports(problem.code);
            outcome.fixable.extend(fixable(&file, Sureness::Likely, &is_selected));
        }
        let (problems, used) = file.problems_and_ignores(DEFAULT_MAX_PROBLEMS);
        outcome.used_ignores.add(used);
        if !problems.is_empty() {
            let sources = Sources::of(&file, self.args.format.columns(), |path| self.name(path));
            let path_of = |id| file.path_of(id).map_or(path, PathBuf::as_path);
            self.findings(&problems, &sources, path_of, outcome);
        }
    }

    /// The name of a file in the report.
    fn name(&self, path: &Path) -> String {
        match &self.root {
            Some(root) => root.name(path),
            None => self.paths.shown(path),
        }
    }

    fn findings<'p>(
        &self,
        problems: &[Problem],
        sources: &Sources,
        path_of: impl Fn(FileId) -> &'p Path,
        outcome: &mut Outcome,
    ) {
        let selected = problems.iter().filter(|problem| self.args.reports(problem.code));
        outcome.findings.extend(selected.map(|problem| {
            let is_strict = self.args.strict_found && problem.code == Code::ComputedPrompt;
            let severity = if is_strict { Severity::Error } else { problem.severity };
            let raised = is_strict.then(|| Problem { severity, ..problem.clone() });
            let problem = raised.as_ref().unwrap_or(problem);
            Finding {
                severity,
                hides_others: problem.code.hides_others() && severity == Severity::Error,
                path: path_of(problem.location.file).to_owned(),
                problem: file_problem(problem, sources),
                excerpt: match self.args.format {
                    CheckFormat::Human => self.excerpts.show(problem, sources),
                    _ => String::new(),
                },
            }
        }));
    }

    fn around(&self, found: Vec<FileProblems>, outcome: &mut Outcome) {
        for FileProblems { path, text, problems } in found {
            let sources = Sources::of_file(self.name(&path), text, self.args.format.columns());
            self.findings(&problems, &sources, |_| &path, outcome);
        }
    }

    fn configs_of(&self, walked: &Walked) -> Vec<Arc<Config>> {
        self.project().configs_of(walked.files().iter())
    }

    /// The files that an output must not replace.
    fn files_read(&self, read: &BTreeSet<PathBuf>, walked: &Walked) -> FilesRead {
        let files = FilesRead::default();
        if self.args.output.is_some() || self.args.write_baseline.is_some() {
            files.add(read);
            files.add(walked.files());
            files.add(self.configs_of(walked).iter().map(|config| &config.path));
        }
        files
    }

    /// Whether a problem of a baseline would have been found if it still existed. This requires
    /// that its file was read, or was deleted from a searched folder.
    fn is_checked(
        &self,
        known: &ProblemKey,
        file: &Path,
        read: &BTreeSet<PathBuf>,
        walked: &Walked,
    ) -> bool {
        let is_selected = Code::from_id(&known.code).is_none_or(|code| self.args.reports(code));
        let is_read = || {
            let named = walked.configs.iter().chain(&walked.sidecars);
            read.contains(file) || named.into_iter().any(|path| path == file)
        };
        let is_gone = || {
            let is_below = walked.folders.iter().any(|folder| file.starts_with(folder));
            is_below && !self.files.is_there(file)
        };
        is_selected && (is_read() || is_gone())
    }

    /// Writes the problems into the file of --output; without one, returns them as text for stdout.
    fn print(
        &self,
        findings: Vec<Finding>,
        summary: CheckSummary,
        read: &FilesRead,
    ) -> Result<Option<StreamText>, CommandError> {
        let args = self.args;
        let text = match args.format {
            _ if args.statistics => statistics(&findings),
            CheckFormat::Human => {
                let excerpts: Vec<&str> =
                    findings.iter().map(|finding| finding.excerpt.as_str()).collect();
                excerpts.join("\n")
            }
            CheckFormat::Concise => findings.iter().map(concise).collect(),
            format => {
                let problems = findings.into_iter().map(|finding| finding.problem).collect();
                let report = CheckOutput { version: CHECK_OUTPUT_VERSION, problems, summary };
                let root = self.root.as_ref().map_or(self.paths.current(), ReportRoot::path);
                formats::text(format, report, root)?
            }
        };
        match &args.output {
            None => Ok(Some(StreamText::Stdout(text))),
            Some(file) => {
                write::named_output(file, text.as_bytes(), args.writing.force, read)?;
                Ok(None)
            }
        }
    }
}
