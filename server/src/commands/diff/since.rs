//! Prompts of files and folders at two revisions: the effect of a change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use promptls_protocol::{DIFF_OUTPUT_VERSION, DiffOutput, Difference};
use promptls_workspace::folder_of;
use promptls_workspace::{
    ChangedText, CodeIndex, CommitError, Committed, ComparisonFilter, Configs, Disk, DiskOnce,
    Files, GitCalls, NoSuchPrompt, ProgramFacts, Project, Repository, RevisionRange, by_bytes,
    changed_texts, commit_name, find_below, in_parallel, is_code_or_data, kind_of,
    newer_inputs_note, prompts_at,
};

use super::report_root;
use crate::args::DiffArgs;
use crate::errors::CommandError;
use crate::output::differences::{Side, difference};
use crate::output::files_read::FilesRead;
use crate::output::interrupt::on_interrupt;
use crate::output::terminal;
use crate::output::unread::broken_configs;
use crate::paths::Paths;

/// Compares all prompts of the command line. Also returns what could not be compared.
pub fn compare(
    args: &DiffArgs,
    range: &RevisionRange,
    read: &FilesRead,
) -> Result<(DiffOutput, Vec<String>), CommandError> {
    if args.cases.len() > 1 {
        return Err(CommandError::OneCaseWithRevision);
    }
    let here = [PathBuf::from(".")];
    let written = if args.paths.is_empty() { &here[..] } else { &args.paths };
    let (repository, places) = places(written)?;
    let disk = DiskOnce::default();
    let (from, to) = range.open(&repository, &disk)?;
    let (old_configs, new_configs) = (Configs::default(), Configs::default());
    // Code at a commit is followed within that commit.
    let old_program = CodeIndex::new(&from, Configs::default());
    let newer = to.as_ref().map(|to| (to, CodeIndex::new(to, Configs::default())));
    let (new_files, new_program): (&dyn Files, &dyn ProgramFacts) = match &newer {
        Some((to, program)) => (*to, program),
        None => (&disk, &disk),
    };
    let left = Project { files: &from, configs: &old_configs, program: &old_program };
    let right = Project { files: new_files, configs: &new_configs, program: new_program };

    let mut search =
        Search { repository: &repository, range, left, right, found: RevisionPrompts::default() };
    for place in &places {
        search.place(place, to.as_ref())?;
    }
    let RevisionPrompts { mut prompts, mut failures, named, inner } = search.found;
    for inner in inner.into_values().flatten().collect::<BTreeSet<_>>() {
        let inner = shown(&inner, &places);
        terminal::warn(&format!(
            "{inner} is a repository of its own, and is left out; name it to compare its prompts"
        ));
    }
    prompts.sort_unstable_by(|path, other| by_bytes(path, other));
    prompts.dedup();
    if prompts.is_empty() && failures.is_empty() {
        let searched: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
        return Err(CommandError::NothingToCompare {
            places: searched.join(", "),
            revision: commit_name(&range.from),
        });
    }
    if args.to.output.is_some() {
        let now = prompts.iter().filter_map(|path| right.read(path).ok());
        now.for_each(|file| read.add_prompts(&file));
    }
    failures.extend(broken_configs(&prompts, right, &Paths::new()?));
    let then = broken_configs(&prompts, left, &Paths::new()?);
    let then = then.into_iter().map(|line| format!("{line}, in {}", commit_name(&range.from)));
    failures.extend(then);
    let (task, case) = (args.task.clone(), args.cases.first().cloned());
    let filter = ComparisonFilter { task, case, named };
    let changes = changed_texts(left, right, &prompts, &filter);
    range.check_whole(&from, to.as_ref())?;
    if changes.compared == 0 && changes.failures.is_empty() && failures.is_empty() {
        return Err(CommandError::NoSuchText { task: filter.task, case: filter.case });
    }
    let shown = |path: &Path| shown(path, &places);
    failures
        .extend(changes.failures.iter().map(|(path, reason)| format!("{} {reason}", shown(path))));
    let root = report_root(args, &Paths::new()?)?;
    let name = |path: &Path| root.as_ref().map_or_else(|| shown(path), |root| root.name(path));
    let found = |text: &ChangedText| found(text, range, name);
    let report = DiffOutput {
        version: DIFF_OUTPUT_VERSION,
        from: Some(range.from.clone()),
        to: range.to.clone(),
        compared: changes.compared,
        differences: in_parallel(&changes.texts, found),
    };
    Ok((report, failures))
}

fn found(text: &ChangedText, range: &RevisionRange, shown: impl Fn(&Path) -> String) -> Difference {
    let case = text.case.as_deref();
    let (from, to) = (&*range.from, range.to.as_deref());
    let with_note = case.filter(|_| text.has_newer_inputs);
    let note = with_note.map(|case| newer_inputs_note(case, from, to));
    let left = Side { sent: text.left.as_ref(), case, revision: Some(from), note };
    let right = Side { sent: text.right.as_ref(), case, revision: to, note: None };
    let task = text.task.as_deref().map(str::to_owned);
    let difference = difference(shown(&text.path), task, &left, &right, text.encoding);
    Difference { moved_from: text.moved_from.as_deref().map(shown), ..difference }
}

/// A path of the command line.
struct PathArgument {
    written: PathBuf,
    /// With symbolic links on the way to the repository resolved.
    path: PathBuf,
}

/// The repository that contains all paths, and their places in it.
fn places(written: &[PathBuf]) -> Result<(Repository, Vec<PathArgument>), CommandError> {
    let mut paths = Paths::new()?;
    let calls = GitCalls::default();
    let running = calls.clone();
    on_interrupt(move || running.cancel());
    let mut places = Vec::new();
    let mut common: Option<Repository> = None;
    for written in written {
        let path = paths.absolute(written);
        // A folder that was removed since the revision no longer exists on disk.
        let is_folder = |folder: &&Path| Disk.is_folder(folder);
        let folder = path.ancestors().find(is_folder).unwrap_or(Path::new("/"));
        let repository = Repository::around(folder, &calls)?;
        let rest = path.strip_prefix(folder).unwrap_or(Path::new(""));
        let path = match rest.as_os_str().is_empty() {
            true => repository.folder.clone(),
            false => repository.folder.join(rest),
        };
        if common.as_ref().is_some_and(|common| common.top != repository.top) {
            return Err(CommandError::OtherRepository(written.display().to_string()));
        }
        places.push(PathArgument { written: written.clone(), path });
        common.get_or_insert(repository);
    }
    let repository = common.ok_or_else(|| CommitError::NoRepository(paths.current().to_owned()))?;
    Ok((repository, places))
}

/// A path in the form of the command line.
fn shown(path: &Path, places: &[PathArgument]) -> String {
    for place in places {
        let Ok(rest) = path.strip_prefix(&place.path) else { continue };
        let shown = match place.written == Path::new(".") {
            true => rest.to_owned(),
            false if rest.as_os_str().is_empty() => place.written.clone(),
            false => place.written.join(rest),
        };
        return shown.display().to_string();
    }
    path.display().to_string()
}

/// The prompts that exist at either revision, and what could not be read.
#[derive(Default)]
struct RevisionPrompts {
    prompts: Vec<PathBuf>,
    failures: Vec<String>,
    /// The prompts that the command line names.
    named: BTreeSet<PathBuf>,
    /// For each folder, the nested repository that contains it.
    inner: BTreeMap<PathBuf, Option<PathBuf>>,
}

/// Finds prompts at both revisions.
struct Search<'s> {
    repository: &'s Repository,
    range: &'s RevisionRange,
    left: Project<'s>,
    right: Project<'s>,
    found: RevisionPrompts,
}

impl Search<'_> {
    fn place(
        &mut self,
        place: &PathArgument,
        to: Option<&Committed<'_>>,
    ) -> Result<(), CommandError> {
        let had_files = |time: Project<'_>| !time.files.walk(&place.path).is_empty();
        let was_folder = || had_files(self.left) || to.is_some() && had_files(self.right);
        if !Disk.is_folder(&place.path) && !was_folder() {
            return self.file(place);
        }
        let at = |time: Project<'_>| prompts_at(&place.path, time);
        let mut prompts = at(self.left);
        match to {
            Some(_) => prompts.extend(at(self.right)),
            None => {
                let folders = [place.path.clone()];
                let found = find_below(&folders, self.right);
                prompts.extend(found.prompts);
                self.found.failures.extend(found.failures);
            }
        }
        // Only UTF-8 names of a commit are supported.
        prompts.retain(|path| path.to_str().is_some() && !self.is_elsewhere(path));
        self.found.prompts.extend(prompts);
        Ok(())
    }

    /// A named file is a prompt at both revisions, whatever its name.
    fn file(&mut self, place: &PathArgument) -> Result<(), CommandError> {
        let PathArgument { written, path } = place;
        let name = written.display().to_string();
        self.right.files.read(path).map_err(|error| match &self.range.to {
            Some(to) if error.is_missing() => {
                CommandError::Commit(CommitError::NotInCommit(name.clone(), to.clone()))
            }
            _ => error.into(),
        })?;
        if !self.left.files.is_there(path) {
            let from = self.range.from.clone();
            return Err(CommandError::NotThereThen(CommitError::NotInCommit(name, from)));
        }
        let folder = folder_of(path);
        let is_prompt = |time: Project<'_>| {
            let config = time.configs.nearest(time.files, folder);
            kind_of(path, config.as_deref(), time).is_some()
        };
        if is_code_or_data(path) && !is_prompt(self.left) && !is_prompt(self.right) {
            return Err(NoSuchPrompt::no_strings(&name).into());
        }
        self.found.prompts.push(path.clone());
        self.found.named.insert(path.clone());
        Ok(())
    }

    /// Whether a file is in another repository, such as a submodule.
    fn is_elsewhere(&mut self, path: &Path) -> bool {
        let folder = folder_of(path);
        if let Some(known) = self.found.inner.get(folder) {
            return known.is_some();
        }
        let inner = self.repository.inner(path, &Disk);
        let is_elsewhere = inner.is_some();
        self.found.inner.insert(folder.to_owned(), inner);
        is_elsewhere
    }
}
