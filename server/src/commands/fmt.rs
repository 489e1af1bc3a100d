//! `promptls fmt`: formats prompts, inputs, variables and `promptls.toml`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use promptls_workspace::folder_of;
use promptls_workspace::{
    CONFIG_NAME, Configs, Disk, DiskOnce, FormattedFiles, Layout, Project, Walking, find_walking,
    format_files, kind_of,
};

use crate::args::{COULD_NOT_RUN, FmtArgs};
use crate::commands::check::walk::first_named;
use crate::errors::CommandError;
use crate::output::counted::counted;
use crate::output::rewritten::{diffs, write_all};
use crate::output::terminal::{self, complain};
use crate::output::unread::{broken_configs, lines};
use crate::output::visible::visible_line;
use crate::paths::Paths;

/// Formats files, or reports which ones would change.
pub fn run(args: &FmtArgs) -> Result<ExitCode, CommandError> {
    let mut paths = Paths::new()?;
    let (disk, configs) = (DiskOnce::default(), Configs::default());
    let project = disk.project(&configs);
    let mut found = FormatTargets::default();
    let here = [PathBuf::from(".")];
    let named = if args.paths.is_empty() { &here[..] } else { &args.paths };
    for written in named {
        found.add(project, written, &mut paths);
    }
    let files = found.files(project);
    let FormattedFiles { rewritten, unread, foreign } = format_files(project, &files);
    let broken = broken_configs(&found.of_configs(&files), project, &paths);
    for line in broken.into_iter().chain(lines(unread, &paths)) {
        // A config may also be a file to format.
        if !found.failures.contains(&line) {
            found.failures.push(line);
        }
    }
    found.skipped.extend(foreign.iter().map(|path| paths.shown(path)));

    let mut changed = rewritten.len();
    let changes_nothing = args.check || args.diff;
    if args.diff {
        terminal::print_text(&diffs(&rewritten, &paths))?;
    } else if args.check {
        let names = rewritten.keys().map(|path| visible_line(&paths.shown(path)) + "\n");
        terminal::print_lines(&names.collect::<String>())?;
    } else {
        let written = write_all(&rewritten, &files, &paths, args.writing.force);
        changed = written.count;
        found.failures.extend(written.failures);
    }
    for failure in &found.failures {
        complain(&format!("promptls: {failure}"));
    }
    if let Some(named) = first_named(&found.skipped) {
        let verb = if found.skipped.len() == 1 { "is" } else { "are" };
        complain(&format!(
            "promptls: {named} {verb} skipped; only prompts, inputs, variables and {CONFIG_NAME} are formatted"
        ));
    }
    let done = if changes_nothing { "would change" } else { "formatted" };
    let all = files.len() - foreign.len();
    complain(&format!("{} {done} of {all}", counted(changed, "file")));
    Ok(match (found.failures.is_empty(), changes_nothing && !rewritten.is_empty()) {
        (false, _) => ExitCode::from(COULD_NOT_RUN),
        (true, true) => ExitCode::FAILURE,
        (true, false) => ExitCode::SUCCESS,
    })
}

/// The files of the command line.
#[derive(Default)]
struct FormatTargets {
    folders: Vec<PathBuf>,
    /// Files of formats that promptls lays out, as absolute paths.
    named: Vec<PathBuf>,
    /// Files of other programs, as absolute paths.
    others: Vec<PathBuf>,
    /// Files of other programs, human-readable.
    skipped: Vec<String>,
    /// What could not be read, human-readable.
    failures: Vec<String>,
}

impl FormatTargets {
    fn add(&mut self, project: Project<'_>, written: &Path, paths: &mut Paths) {
        let path = paths.absolute(written);
        let shown = written.display().to_string();
        match Disk.stamp(&path) {
            Ok(stamp) if stamp.is_folder => self.folders.push(path),
            Ok(_) => self.file(project, shown, path),
            // Not every shell expands globs.
            Err(_) if shown.contains(['*', '?', '[']) => {
                for path in project.files.glob(paths.current(), &shown).iter() {
                    self.file(project, paths.shown(path), path.clone());
                }
            }
            Err(error) => self.failures.push(format!("{shown} {}", error.reason())),
        }
    }

    /// A hook passes all kinds of files; those of other programs are ignored.
    fn file(&mut self, project: Project<'_>, shown: String, path: PathBuf) {
        let config = project.configs.nearest(project.files, folder_of(&path));
        if Layout::of(&path).is_some() || kind_of(&path, config.as_deref(), project).is_some() {
            self.named.push(path);
        } else {
            self.skipped.push(shown);
            self.others.push(path);
        }
    }

    /// All files whose configs apply. A broken config may have a rule for a skipped file, or for
    /// the only files of a folder.
    fn of_configs(&self, files: &[PathBuf]) -> Vec<PathBuf> {
        let folders = self.folders.iter().map(|folder| folder.join(CONFIG_NAME));
        folders.chain(files.iter().chain(&self.others).cloned()).collect()
    }

    /// All files to format, sorted.
    fn files(&mut self, project: Project<'_>) -> Vec<PathBuf> {
        let mut all = std::mem::take(&mut self.named);
        if !self.folders.is_empty() {
            let found = find_walking(&Walking::default(), &self.folders, project);
            let beside = found.sidecars.into_iter().chain(found.configs);
            all.extend(beside.filter(|path| Layout::of(path).is_some()));
            all.extend(found.prompts);
            self.failures.extend(found.failures);
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}
