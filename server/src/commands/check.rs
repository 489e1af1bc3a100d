//! `promptls check`: what is wrong with many prompts and their inputs.
//!
//! The prompts are found first (`walk.rs`), then read by several threads that take
//! one after the other. Each thread turns problems into [`Finding`]s at once, so
//! that no text stays in memory; in the end these are sorted, and said once.

mod shared;
mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_analysis::position::Encoding;
use promptls_resolver::{Problem, Severity};

use crate::args::{COULD_NOT_RUN, CheckArgs, CheckFormat};
use crate::errors::CommandError;
use crate::output::excerpts::Excerpts;
use crate::output::json::file_problem;
use crate::output::sources::Sources;
use crate::output::terminal::{self, Terminal, complain};
use crate::output::visible::visible_line;
use crate::paths::Paths;
use promptls_protocol::{CheckOutput, CheckSummary, FileProblem};
use promptls_workspace::{
    Config, Configs, DiskOnce, Files, Overrides, PromptFile, ReadError, by_bytes, prompts_in,
};

use shared::SharedFiles;

/// Checks prompts and prints what is wrong.
pub fn run(args: &CheckArgs) -> Result<ExitCode, CommandError> {
    let mut paths = Paths::new()?;
    let disk = DiskOnce::default();
    let configs = Configs::default();
    let walked = walk::walk(&args.paths, &mut paths, &disk, &configs);
    let check = Check {
        disk,
        configs,
        paths,
        format: args.format,
        excerpts: Excerpts::new(Terminal::of_stdout()),
    };

    let mut outcome = check.prompts(&walked.prompts);
    outcome.failures.extend(walked.failures);
    check.shared_files(&walked.prompts, &walked.folders, &mut outcome);
    check.configs_of(&walked.prompts, &walked.configs, &mut outcome);
    outcome.findings.sort();
    outcome.findings.dedup();
    outcome.failures.sort();

    let summary = summary(outcome.checked, &outcome.findings);
    print(args.format, outcome.findings, summary)?;
    for failure in &outcome.failures {
        complain(&format!("promptls: {failure}"));
    }
    if walked.prompts.is_empty() && outcome.failures.is_empty() {
        let places: Vec<String> =
            args.paths.iter().map(|path| path.display().to_string()).collect();
        complain(&format!(
            "promptls: no prompts found under {}; a prompt ends in .prompt, or a rule in promptls.toml names it",
            places.join(", ")
        ));
    } else if outcome.checked > 0 && args.format != CheckFormat::Json {
        complain(&in_words(summary));
    }
    let is_bad = summary.errors > 0 || (args.deny_warnings && summary.warnings > 0);
    Ok(match (outcome.failures.is_empty(), is_bad) {
        (false, _) => ExitCode::from(COULD_NOT_RUN),
        (true, true) => ExitCode::FAILURE,
        (true, false) => ExitCode::SUCCESS,
    })
}

/// A problem, ready to be sorted and printed.
#[derive(Debug)]
struct Finding {
    severity: Severity,
    problem: FileProblem,
    /// With lines of its file; empty where the format does not show them.
    excerpt: String,
}

impl Finding {
    /// Problems sort by their places. Two that agree in all of this are one.
    fn key(&self) -> (&str, usize, usize, &str, &str) {
        let FileProblem { file, range, code, message, .. } = &self.problem;
        (file, range.start.byte, range.end.byte, code, message)
    }
}

impl PartialEq for Finding {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Finding {}

impl PartialOrd for Finding {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Finding {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// What a check came across.
#[derive(Debug, Default)]
struct Outcome {
    /// How many prompts could be read.
    checked: usize,
    findings: Vec<Finding>,
    /// Files and folders that could not be read.
    failures: Vec<String>,
    shared: SharedFiles,
}

impl Outcome {
    fn add(&mut self, other: Outcome) {
        self.checked += other.checked;
        self.findings.extend(other.findings);
        self.failures.extend(other.failures);
        self.shared.add(other.shared);
    }
}

/// What all threads have in common.
struct Check {
    disk: DiskOnce,
    configs: Configs,
    paths: Paths,
    format: CheckFormat,
    excerpts: Excerpts,
}

impl Check {
    /// Checks prompts, in as many threads as there are cores.
    fn prompts(&self, prompts: &[PathBuf]) -> Outcome {
        /// Fewer prompts are not worth a thread of their own.
        const AT_LEAST: usize = 16;
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.min(prompts.len().div_ceil(AT_LEAST)).max(1);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut outcome = Outcome::default();
            while let Some(path) = prompts.get(next.fetch_add(1, Ordering::Relaxed)) {
                self.prompt(path, &mut outcome);
            }
            outcome
        };
        let mut outcome = Outcome::default();
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            outcome.add(work());
            for other in others {
                match other.join() {
                    Ok(found) => outcome.add(found),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        outcome
    }

    fn prompt(&self, path: &Path, outcome: &mut Outcome) {
        let file = match self.load(path) {
            Ok(file) => file,
            Err(failure) => {
                outcome.failures.push(failure);
                return;
            }
        };
        // One that is broken has prompts all the same, if only we could see them.
        outcome.checked += file.prompts.len().max(usize::from(file.is_broken));
        outcome.shared.note(&file);
        let problems = file.problems(DEFAULT_MAX_PROBLEMS);
        if !problems.is_empty() {
            let sources = Sources::of(&file, Encoding::Utf16, |path| self.paths.shown(path));
            self.findings(&problems, &sources, outcome);
        }
    }

    fn load(&self, path: &Path) -> Result<PromptFile, String> {
        let failure = |error: ReadError| format!("{} {}", self.paths.shown(path), error.reason());
        let text = self.disk.read(path).map_err(failure)?.into();
        let (disk, configs, overrides) = (&self.disk, &self.configs, Overrides::default());
        Ok(PromptFile::read(disk, configs, path, text, &overrides, None))
    }

    fn findings(&self, problems: &[Problem], sources: &Sources, outcome: &mut Outcome) {
        outcome.findings.extend(problems.iter().map(|problem| Finding {
            severity: problem.severity,
            problem: file_problem(problem, sources),
            excerpt: match self.format {
                CheckFormat::Human => self.excerpts.show(problem, sources),
                CheckFormat::Concise | CheckFormat::Json => String::new(),
            },
        }));
    }

    /// Reports what nobody reads in files that several prompts share.
    fn shared_files(&self, checked: &[PathBuf], folders: &[PathBuf], outcome: &mut Outcome) {
        let mut shared = std::mem::take(&mut outcome.shared);
        // Prompts outside of what is checked read them, too.
        let is_walked = |folder: &PathBuf| folders.iter().any(|walked| folder.starts_with(walked));
        let others = shared.folders().into_iter().filter(|folder| !is_walked(folder));
        let others: BTreeSet<PathBuf> =
            others.flat_map(|folder| prompts_in(&folder, &self.disk, &self.configs)).collect();
        for path in others {
            if checked.binary_search_by(|other| by_bytes(other, &path)).is_err()
                && self.has_shared_files(&path)
                && let Ok(file) = self.load(&path)
            {
                shared.note(&file);
            }
        }
        for (path, text, problems) in shared.unused() {
            let name = self.paths.shown(&path);
            let sources = Sources::of_file(name, text, Encoding::Utf16);
            self.findings(&problems, &sources, outcome);
        }
    }

    fn has_shared_files(&self, prompt: &Path) -> bool {
        let folder = prompt.parent().unwrap_or(Path::new("/"));
        let config = self.configs.nearest(&self.disk, folder);
        let rule = config.as_deref().and_then(|config| config.rule_for(prompt));
        rule.is_some_and(|rule| rule.has_shared_files())
    }

    /// Reports what is wrong with the configs that count.
    fn configs_of(&self, prompts: &[PathBuf], walked: &[PathBuf], outcome: &mut Outcome) {
        let folders: BTreeSet<&Path> =
            prompts.iter().chain(walked).filter_map(|path| path.parent()).collect();
        let nearest: Vec<Arc<Config>> = folders
            .into_iter()
            .filter_map(|folder| self.configs.nearest(&self.disk, folder))
            .collect();
        let configs: BTreeMap<&Path, &Config> = nearest
            .iter()
            .flat_map(|config| config.and_outer())
            .map(|config| (&*config.path, config))
            .collect();
        for (path, config) in configs {
            if config.problems.is_empty() {
                continue;
            }
            let text = self.disk.read(path).ok();
            let sources = Sources::of_file(self.paths.shown(path), text, Encoding::Utf16);
            self.findings(&config.problems, &sources, outcome);
        }
    }
}

/// How much was found.
fn summary(prompts: usize, findings: &[Finding]) -> CheckSummary {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    CheckSummary {
        prompts,
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        infos: count(Severity::Information),
        hints: count(Severity::Hint),
    }
}

/// `3 prompts checked: 1 error, 2 warnings`
fn in_words(summary: CheckSummary) -> String {
    let counted = |count: usize, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {what}{plural}")
    };
    let found: Vec<String> = [
        (summary.errors, "error"),
        (summary.warnings, "warning"),
        (summary.infos, "info"),
        (summary.hints, "hint"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| counted(count, what))
    .collect();
    let found = if found.is_empty() { "no problems".to_owned() } else { found.join(", ") };
    format!("{} checked: {found}", counted(summary.prompts, "prompt"))
}

fn print(
    format: CheckFormat,
    findings: Vec<Finding>,
    summary: CheckSummary,
) -> Result<(), CommandError> {
    match format {
        CheckFormat::Human => {
            let excerpts: Vec<&str> =
                findings.iter().map(|finding| finding.excerpt.as_str()).collect();
            terminal::print(&excerpts.join("\n"))
        }
        CheckFormat::Concise => terminal::print(&findings.iter().map(concise).collect::<String>()),
        CheckFormat::Json => {
            let problems = findings.into_iter().map(|finding| finding.problem).collect();
            terminal::print_json(&CheckOutput { problems, summary })
        }
    }
}

/// `PATH:LINE:COL: SEVERITY [CODE] MESSAGE`
fn concise(finding: &Finding) -> String {
    let FileProblem { file, range, code, message, .. } = &finding.problem;
    let severity = finding.severity.id();
    let (line, column) = (range.start.line + 1, range.start.character + 1);
    // A name may hold a line break, and each problem has one line.
    let (file, message) = (visible_line(file), visible_line(message));
    format!("{file}:{line}:{column}: {severity} [{code}] {message}\n")
}
