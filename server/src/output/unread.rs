//! Files that a command could not read, a line for each, for commands whose output is not problems.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::position::Encoding;
use promptls_resolver::{Code, FileId, Problem, Severity};
use promptls_workspace::{
    Config, FileProblems, Project, PromptFile, ReadError, Sources, in_parallel,
};

use crate::errors::CommandError;
use crate::output::counted::counted;
use crate::output::terminal::complain;
use crate::paths::Paths;

/// The lines about the unreadable parts of a file of prompts, and about files that its rule names.
pub fn unread_in(file: &PromptFile, paths: &Paths) -> Vec<String> {
    let sources = Sources::of(file, Encoding::Utf32, |path| paths.shown(path));
    let unread = file.unread().into_iter().chain(file.unread_of_rule());
    unread.map(|problem| in_line(&problem, &sources)).collect()
}

/// The lines about errors in the inputs and variables of a file, such as values of missing files.
pub fn sidecar_errors(file: &PromptFile, paths: &Paths) -> Vec<String> {
    let sources = Sources::of(file, Encoding::Utf32, |path| paths.shown(path));
    let problems = file.own_prompts().flat_map(|prompt| &prompt.snapshot.file_problems);
    let is_error = |it: &&Problem| {
        it.severity == Severity::Error
            && it.location.file != FileId::PROMPT
            && it.code != Code::UnreadableFile
    };
    problems.filter(is_error).map(|problem| in_line(problem, &sources)).collect()
}

/// The lines about prompts of a file whose text only the running program has.
pub fn computed_in(file: &PromptFile, paths: &Paths) -> Vec<String> {
    let sources = Sources::of(file, Encoding::Utf32, |path| paths.shown(path));
    file.computed().iter().map(|problem| in_line(problem, &sources)).collect()
}

/// The line before those of [`computed_in`].
pub fn computed_headline(count: usize) -> String {
    format!("{} not read:", counted(count, "prompt"))
}

/// Prints the number of prompts that were found and not read, and a line for each.
pub fn complain_computed(lines: &[String]) {
    if !lines.is_empty() {
        complain(&computed_headline(lines.len()));
        lines.iter().for_each(|line| complain(&format!("  {line}")));
    }
}

/// The lines about a file of prompts that cannot be read at all.
pub fn unread_file(
    error: &ReadError,
    path: &Path,
    project: Project<'_>,
    paths: &Paths,
) -> Vec<String> {
    lines(vec![project.unread(path, error)], paths)
}

/// The lines about configs that apply to some files, and cannot be read or contain unknown keys.
pub fn broken_configs(files: &[PathBuf], project: Project<'_>, paths: &Paths) -> Vec<String> {
    lines(project.broken_configs(&project.configs_of(files.iter())), paths)
}

/// The lines about all files of prompts that cannot be read, wholly or in part.
///
/// Cost: reads each file.
pub fn unread_prompts(prompts: &[PathBuf], project: Project<'_>, paths: &Paths) -> Vec<String> {
    let read = in_parallel(prompts, |path| match project.read(path) {
        Ok(file) => unread_in(&file, paths),
        Err(error) => unread_file(&error, path, project, paths),
    });
    without_repeats(read.into_iter().flatten())
}

/// The lines, each once: many prompts may share a file.
pub fn without_repeats(lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut known = HashSet::new();
    lines.into_iter().filter(|line| known.insert(line.clone())).collect()
}

/// Fails if a config, or one that it extends, cannot be read or contains unknown keys: it may
/// change which files are prompts, or their values.
pub fn require_config(config: &Arc<Config>, project: Project<'_>) -> Result<(), CommandError> {
    let broken = project.broken_configs(std::slice::from_ref(config));
    match broken.is_empty() {
        true => Ok(()),
        false => Err(CommandError::UnreadConfig(lines(broken, &Paths::new()?))),
    }
}

/// Lines about the problems of files.
pub fn lines(files: Vec<FileProblems>, paths: &Paths) -> Vec<String> {
    let of_file = |FileProblems { path, text, problems }: FileProblems| {
        let sources = Sources::of_file(paths.shown(&path), text, Encoding::Utf32);
        problems.iter().map(|problem| in_line(problem, &sources)).collect::<Vec<_>>()
    };
    files.into_iter().flat_map(of_file).collect()
}

/// A problem in one line, with its place.
pub fn in_line(problem: &Problem, sources: &Sources) -> String {
    let place = sources.positions(&problem.location).start;
    let name = sources.name(problem.location.file);
    format!("{name}:{}:{}: {}", place.line + 1, place.column + 1, problem.message)
}
