//! Changed texts between two times: prompts in each of their cases, before and after.
//!
//! Each side is read with its own files and configs, independently of the other. So every cause of
//! a change is seen: the prompt, its inputs, a fragment, a `$file` text or a rule. Only prompts
//! with changed files are resolved.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::{Snapshot, TokenEncoding};
use promptls_resolver::{EngineError, Problem};

use crate::files::paths::folder_of;
use crate::history::newer_inputs::with_newer_inputs;
use crate::in_parallel::in_parallel;
use crate::kind::kind_of;
use crate::project::Project;
use crate::prompt_file::PromptFile;
use crate::sidecars::loading::Overrides;

/// Restricts the comparison; empty fields do not restrict.
#[derive(Clone, Debug, Default)]
pub struct ComparisonFilter {
    /// The name of a prompt of a pack.
    pub task: Option<String>,
    /// The name of a case.
    pub case: Option<String>,
    /// Files that were explicitly named as prompts; other files are prompts if a rule or their name
    /// makes them one at that time.
    pub named: BTreeSet<PathBuf>,
}

/// The result of a comparison.
#[derive(Debug, Default)]
pub struct Changes {
    /// The texts that differ, ordered by file, then in source order.
    pub texts: Vec<ChangedText>,
    /// The number of all texts, at either time.
    pub compared: usize,
    /// The number of files that were resolved.
    pub resolved: usize,
    /// What cannot be compared: a path, and the reason as a suffix for its name.
    pub failures: Vec<(PathBuf, String)>,
}

/// A text that differs, or that exists at only one time.
#[derive(Debug)]
pub struct ChangedText {
    /// The current path of the prompt, or its last one if it is gone.
    pub path: PathBuf,
    /// The previous path, if it has moved.
    pub moved_from: Option<PathBuf>,
    /// The name of the prompt in its file.
    pub task: Option<Arc<str>>,
    /// The case; `None` without any inputs.
    pub case: Option<Arc<str>>,
    /// The older text; `None` if there was none.
    pub left: Option<SentText>,
    /// The newer text; `None` if there is none.
    pub right: Option<SentText>,
    /// `true` if the case is newer than the prompt: then both texts use the current inputs.
    pub has_newer_inputs: bool,
    /// The encoding for token counts.
    pub encoding: TokenEncoding,
}

/// The text that is sent to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentText {
    /// The text; if the engine would fail, as far as it could be resolved.
    pub text: String,
    /// The error of the engine, which would send nothing.
    pub error: Option<EngineError>,
}

impl SentText {
    /// Resolves a prompt in a case; `None` without any inputs.
    pub fn of(snapshot: &Snapshot, case: Option<usize>) -> SentText {
        let resolution = snapshot.resolve(case);
        SentText { text: resolution.text, error: resolution.error }
    }
}

/// Compares the prompts of some files at two times. The files must be sorted.
///
/// A removed file and a new one with the same text count as one moved file. In a new case, the old
/// prompt is resolved with the current inputs.
///
/// Cost: reads all of them at both times, and resolves those with changed files.
pub fn changed_texts(
    left: Project<'_>,
    right: Project<'_>,
    files: &[PathBuf],
    filter: &ComparisonFilter,
) -> Changes {
    let moved = moved(left, right, files);
    let left_behind: BTreeSet<&PathBuf> = moved.values().collect();
    let files: Vec<&PathBuf> = files.iter().filter(|path| !left_behind.contains(path)).collect();
    let found = in_parallel(&files, |path| {
        let was = moved.get(*path).unwrap_or(path);
        let mut changes = Changes::default();
        let is_named = filter.named.contains(*path);
        // A file that was unreadable then counts as missing then.
        let was = read(left, was, is_named).unwrap_or_default();
        match read(right, path, is_named) {
            Ok(is) => Pair { left: was.as_ref(), right: is.as_ref() }.compare(filter, &mut changes),
            Err(reason) => changes.failures.push((path.to_path_buf(), reason)),
        }
        changes
    });
    let mut all = Changes::default();
    for changes in found {
        all.texts.extend(changes.texts);
        all.compared += changes.compared;
        all.resolved += changes.resolved;
        all.failures.extend(changes.failures);
    }
    all
}

/// The previous paths of moved files, by current path.
fn moved(left: Project<'_>, right: Project<'_>, files: &[PathBuf]) -> BTreeMap<PathBuf, PathBuf> {
    let is_there = |time: Project<'_>, path: &Path| time.files.is_there(path);
    let gone = files.iter().filter(|path| !is_there(right, path));
    let new = files.iter().filter(|path| !is_there(left, path));
    let (gone, new) = (by_text(left, gone), by_text(right, new));
    let moved =
        new.iter().filter_map(|(text, new)| match (&new[..], gone.get(text).map(|it| &it[..])) {
            ([new], Some([old])) => Some((new.to_path_buf(), old.to_path_buf())),
            _ => None,
        });
    moved.collect()
}

fn by_text<'p>(
    time: Project<'_>,
    files: impl Iterator<Item = &'p PathBuf>,
) -> HashMap<Arc<str>, Vec<&'p Path>> {
    let mut by_text: HashMap<Arc<str>, Vec<&Path>> = HashMap::new();
    for path in files {
        if let Ok(text) = time.files.read(path) {
            by_text.entry(text).or_default().push(path);
        }
    }
    by_text
}

/// A file of prompts at some time, without foreign prompts; `None` if it does not exist or holds no
/// prompts then.
fn read(time: Project<'_>, path: &Path, is_named: bool) -> Result<Option<PromptFile>, String> {
    let text = match time.files.read(path) {
        Ok(text) => text,
        Err(error) if error.is_missing() => return Ok(None),
        Err(error) => return Err(error.reason()),
    };
    let config = time.configs.nearest(time.files, folder_of(path));
    if !is_named && kind_of(path, config.as_deref(), time).is_none() {
        return Ok(None);
    }
    let mut file = PromptFile::read(time, path, text.into(), &Overrides::default(), None);
    file.prompts.retain(|prompt| prompt.snapshot.foreign.is_none());
    Ok(Some(file))
}

/// A file at both times.
struct Pair<'p> {
    left: Option<&'p PromptFile>,
    right: Option<&'p PromptFile>,
}

/// A prompt by its name in the file, in a case.
type PromptCase = (Option<Arc<str>>, Option<Arc<str>>);

/// The texts of a file at some time.
type Texts<'p> = Vec<(PromptCase, SnapshotCase<'p>)>;

/// The source that a text is resolved from.
#[derive(Clone, Copy)]
struct SnapshotCase<'p> {
    snapshot: &'p Snapshot,
    /// The case; `None` without any inputs.
    case: Option<usize>,
    /// The prompt is older than its inputs; see [`ChangedText::has_newer_inputs`].
    has_newer_inputs: bool,
}

impl Pair<'_> {
    fn compare(&self, filter: &ComparisonFilter, changes: &mut Changes) {
        let mut left = self.left.map(|file| texts(file, filter)).unwrap_or_default();
        let mut right = self.right.map(|file| texts(file, filter)).unwrap_or_default();
        let is_same = self.left.zip(self.right).is_some_and(|(left, right)| {
            left.is_made_from_the_same(right) && left.files[0] == right.files[0]
        });
        if is_same {
            changes.compared += right.len();
            return;
        }
        let unusable = self.note_unusable(filter, changes);
        left.retain(|((_, case), _)| !unusable.contains(case.as_deref()));
        // A prompt that gets its first inputs gains a case, and loses none.
        let (cased_then, cased_now) = (tasks_with_cases(&left), tasks_with_cases(&right));
        left.retain(|((task, case), _)| case.is_some() || !cased_now.contains(task));
        right.retain(|((task, case), _)| case.is_some() || !cased_then.contains(task));
        let newer = self.with_newer_inputs(&left, &right);
        left.extend(newer.iter().map(|(key, snapshot)| {
            (key.clone(), SnapshotCase { snapshot, case: Some(0), has_newer_inputs: true })
        }));

        changes.resolved += 1;
        let before: HashMap<&PromptCase, SnapshotCase<'_>> =
            left.iter().map(|(key, of)| (key, *of)).collect();
        let now: HashSet<&PromptCase> = right.iter().map(|(key, _)| key).collect();
        for (key, of) in &right {
            self.note(key, before.get(key).copied(), Some(*of), changes);
        }
        for (key, was) in left.iter().filter(|(key, _)| !now.contains(key)) {
            self.note(key, Some(*was), None, changes);
        }
    }

    /// The old prompts in the cases that only the new ones have.
    fn with_newer_inputs(
        &self,
        left: &Texts<'_>,
        right: &Texts<'_>,
    ) -> Vec<(PromptCase, Snapshot)> {
        let olds = self.left.map_or(&[][..], |file| &file.prompts);
        let olds: HashMap<&Option<Arc<str>>, _> = olds.iter().map(|old| (&old.name, old)).collect();
        let known: HashSet<&PromptCase> = left.iter().map(|(key, _)| key).collect();
        let of = |(key, newer): &(PromptCase, SnapshotCase<'_>)| {
            let (task, case) = key;
            let old = olds.get(task)?;
            let with = with_newer_inputs(&old.snapshot, newer.snapshot, case.as_deref()?)?;
            Some((key.clone(), with))
        };
        right.iter().filter(|(key, _)| !known.contains(key)).filter_map(of).collect()
    }

    fn note(
        &self,
        (task, case): &PromptCase,
        left: Option<SnapshotCase<'_>>,
        right: Option<SnapshotCase<'_>>,
        changes: &mut Changes,
    ) {
        changes.compared += 1;
        let Some(SnapshotCase { snapshot, .. }) = right.or(left) else { return };
        let has_newer_inputs = left.is_some_and(|left| left.has_newer_inputs);
        let sent = |of: Option<SnapshotCase<'_>>| of.map(|of| SentText::of(of.snapshot, of.case));
        let (left, right) = (sent(left), sent(right));
        if left == right {
            return;
        }
        let path = |file: Option<&PromptFile>| file.map(|file| file.files[0].clone());
        let Some(now) = path(self.right.or(self.left)) else { return };
        changes.texts.push(ChangedText {
            moved_from: path(self.left).filter(|was| *was != now),
            path: now,
            task: task.clone(),
            case: case.clone(),
            left,
            right,
            has_newer_inputs,
            encoding: snapshot.settings.encoding,
        });
    }

    /// Reports what is invalid in the newer file as not comparable. What was invalid in the older
    /// file counts as missing there, so a fix is not reported as a failure.
    fn note_unusable(&self, filter: &ComparisonFilter, changes: &mut Changes) -> Unusable {
        let Some(file) = self.right else { return Unusable::default() };
        let mut note = |file: &Path, problem: &Problem| {
            changes
                .failures
                .push((file.to_owned(), format!("cannot be used: {}", problem.message)));
        };
        for problem in file.unread() {
            note(&file.files[0], &problem);
        }
        let mut cases = BTreeSet::new();
        for (case, id) in file.broken_cases() {
            let is_selected = filter.case.as_ref().is_none_or(|filter| filter == case);
            if let Some(problem) = file.why_broken(*id).filter(|_| is_selected) {
                note(&file.files[id.0 as usize], problem);
            }
            cases.insert(case.clone());
        }
        Unusable { all: file.is_broken, cases }
    }
}

/// The texts that cannot be compared.
#[derive(Default)]
struct Unusable {
    all: bool,
    cases: BTreeSet<String>,
}

impl Unusable {
    fn contains(&self, case: Option<&str>) -> bool {
        self.all || case.is_some_and(|case| self.cases.contains(case))
    }
}

/// The names of prompts that have cases.
fn tasks_with_cases(texts: &Texts<'_>) -> HashSet<Option<Arc<str>>> {
    let cased = texts.iter().filter(|((_, case), _)| case.is_some());
    cased.map(|((task, _), _)| task.clone()).collect()
}

/// The resolvable texts of a file.
fn texts<'p>(file: &'p PromptFile, filter: &ComparisonFilter) -> Texts<'p> {
    let has_broken = !file.broken_cases().is_empty();
    let mut texts = Texts::new();
    for prompt in &file.prompts {
        let snapshot = &prompt.snapshot;
        let cases = snapshot.cases.iter().enumerate();
        let cases = cases.map(|(index, case)| (Some(case.name.clone()), Some(index)));
        let without = (snapshot.cases.is_empty() && !has_broken).then_some((None, None));
        for (name, index) in cases.chain(without) {
            let is_selected = |filter: &Option<String>, name: &Option<Arc<str>>| {
                filter.is_none() || filter.as_deref() == name.as_deref()
            };
            if is_selected(&filter.task, &prompt.name) && is_selected(&filter.case, &name) {
                let source = SnapshotCase { snapshot, case: index, has_newer_inputs: false };
                texts.push(((prompt.name.clone(), name), source));
            }
        }
    }
    texts
}
