//! Problems, names and prompts of the whole workspace, open or not, updated as it changes.
//!
//! A separate thread follows the changes ([`ChangeLog`](crate::session::change_log)), checks the
//! affected prompts again, and reports the results. It starts with the first request for the
//! workspace. It has low priority, so that typing comes first. [`Diagnostics`] checks open
//! documents at once; the results of both are stored in the same lists.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::thread;

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_workspace::{
    Configs, FileProblems, KnownPrompt, KnownPrompts, Once, ProblemCounts, Project, PromptFile,
    PromptTree, UsedIgnores, WorkspaceSymbol, WorkspaceSymbols,
};
use ropey::Rope;
use tokio::sync::watch;

use crate::convert::diagnostic::{Diagnostic, DiagnosticStyle};
use crate::diagnostics::{self, DiagnosticSource, Diagnostics, DiagnosticsByFile};
use crate::session::change_log::Changes;
use crate::session::documents::Documents;

/// The number of prompts that are checked before newer changes are looked for: a few milliseconds
/// of work.
const BATCH: usize = 256;

/// The number of a request after which no request waits.
const NEVER_AGAIN: u64 = u64::MAX;

/// Results of the thread that checks the workspace, which starts with the first request.
pub struct Workspace {
    documents: Arc<Documents>,
    diagnostics: Arc<Diagnostics>,
    style: OnceLock<DiagnosticStyle>,
    /// Problems were requested, and not only prompts.
    needs_problems: AtomicBool,
    /// The tree of prompts was requested.
    needs_tree: AtomicBool,
    /// All names in the workspace.
    symbols: RwLock<WorkspaceSymbols>,
    /// All prompts in the workspace, if the tree was requested.
    tree: Mutex<PromptTree>,
    done: watch::Sender<Done>,
    /// The number of the latest request that waits for changes of the workspace. An earlier one
    /// then ends.
    latest: watch::Sender<u64>,
}

/// The progress of the work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Done {
    /// The number of changes that were processed.
    changes: u64,
    /// The number of prompts that were checked so far.
    pub prompts: usize,
    /// The number of prompts to check in total.
    pub of: usize,
}

/// A wait for the results of the changes up to some moment. A caller that repeatedly waits for the
/// latest changes may wait for as long as the user types.
pub struct Settling<'w> {
    workspace: &'w Workspace,
    /// The number of these changes.
    changes: u64,
    /// `true` once these include the changes by what was collected from code.
    is_final: bool,
}

impl Settling<'_> {
    /// Returns whether all is processed, including what code of other files means for the results.
    pub fn has_results(&mut self, done: &Done) -> bool {
        if done.changes < self.changes {
            return false;
        }
        if self.workspace.documents.code_facts().is_pending() {
            self.is_final = false;
            return false;
        }
        // What was collected is a change of the files that it concerns.
        if !std::mem::replace(&mut self.is_final, true) {
            self.changes = self.workspace.count();
        }
        done.changes >= self.changes
    }
}

impl Workspace {
    /// Creates a workspace that is not followed yet.
    pub fn new(documents: Arc<Documents>, diagnostics: Arc<Diagnostics>) -> Workspace {
        Workspace {
            documents,
            diagnostics,
            style: OnceLock::new(),
            needs_problems: AtomicBool::new(false),
            needs_tree: AtomicBool::new(false),
            symbols: RwLock::default(),
            tree: Mutex::default(),
            done: watch::Sender::default(),
            latest: watch::Sender::default(),
        }
    }

    /// Requests problems in this style from now on; `false` if they were requested already.
    pub fn want_problems(self: &Arc<Self>, style: DiagnosticStyle) -> bool {
        // The style is the same in each call.
        let _ = self.style.set(style);
        let is_new = !self.needs_problems.swap(true, Ordering::SeqCst);
        if is_new && !self.follow() {
            self.documents.log().note_all();
        }
        is_new
    }

    /// Requests the tree of prompts from now on; `false` if it was requested already.
    pub fn want_tree(self: &Arc<Self>) -> bool {
        let is_new = !self.needs_tree.swap(true, Ordering::SeqCst);
        if is_new && !self.follow() {
            self.documents.log().note_all();
        }
        is_new
    }

    /// Calls a function with the tree, while it is locked.
    pub fn tree<T>(&self, look: impl FnOnce(&mut PromptTree) -> T) -> T {
        look(&mut self.tree.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn needs_tree(&self) -> bool {
        self.needs_tree.load(Ordering::SeqCst)
    }

    /// Starts to follow the workspace; `false` if it is followed already.
    pub fn follow(self: &Arc<Self>) -> bool {
        let is_new = self.documents.log().follow();
        if is_new {
            let workspace = self.clone();
            let thread = thread::Builder::new().name("workspace".to_owned());
            if let Err(error) = thread.spawn(move || workspace.run()) {
                tracing::warn!(%error, "the workspace cannot be watched");
            }
        }
        is_new
    }

    /// Returns whether problems were requested.
    pub fn needs_problems(&self) -> bool {
        self.needs_problems.load(Ordering::SeqCst)
    }

    /// Withdraws the request for problems.
    pub fn want_no_problems(&self) {
        self.needs_problems.store(false, Ordering::SeqCst);
        self.documents.log().stop_reporting();
    }

    /// Names that match a query, best first, at most `most`. Cost: all names.
    pub fn search(&self, query: &str, most: usize) -> Vec<(PathBuf, WorkspaceSymbol)> {
        self.symbols.read().unwrap_or_else(PoisonError::into_inner).search(query, most)
    }

    /// The total number of changes.
    pub fn count(&self) -> u64 {
        self.documents.log().count()
    }

    /// Starts to wait for the results of all present changes.
    pub fn settling(&self) -> Settling<'_> {
        Settling { workspace: self, changes: self.count(), is_final: false }
    }

    /// Wakes each wait for progress, whose condition is checked again.
    pub fn note_progress(&self) {
        self.done.send_modify(|_| {});
    }

    /// Returns a receiver for the progress after each step of the work.
    pub fn steps(&self) -> watch::Receiver<Done> {
        self.done.subscribe()
    }

    /// Waits until all present changes were processed. Returns at once if the workspace is not
    /// followed.
    pub async fn settle(&self) {
        let (mut steps, mut settling) = (self.steps(), self.settling());
        // It fails only after the end.
        let _ = steps.wait_for(|done| settling.has_results(done)).await;
    }

    /// Waits until the facts about code are those of the present texts. Until then, a rename would
    /// leave places in code out.
    pub async fn know_code(&self) {
        let mut steps = self.steps();
        // It fails only after the end.
        let _ = steps.wait_for(|_| !self.documents.code_facts().is_pending()).await;
    }

    /// Starts a request that waits for changes; it must end when the value changes.
    pub fn begin_waiting(&self) -> watch::Receiver<u64> {
        self.latest.send_modify(|latest| *latest = latest.saturating_add(1));
        let mut latest = self.latest.subscribe();
        if *latest.borrow() == NEVER_AGAIN {
            latest.mark_changed();
        }
        latest
    }

    /// Ends all present and future requests that wait for changes.
    pub fn end_waiting(&self) {
        self.latest.send_replace(NEVER_AGAIN);
    }

    /// Ends the thread and all requests that wait for it.
    pub fn close(&self) {
        self.documents.log().close();
        self.end_waiting();
    }

    fn run(&self) {
        stand_back();
        let log = self.documents.log();
        let mut progress = Progress {
            known: KnownPrompts::default(),
            configs: self.documents.new_configs(),
            waiting: BTreeSet::new(),
            checked: 0,
        };
        while let Some(changes) = log.take(progress.waiting.is_empty()) {
            let count = changes.count;
            // A panic affects only the present changes, not the rest of the workspace.
            let step = AssertUnwindSafe(|| self.step(&mut progress, changes));
            if catch_unwind(step).is_err() {
                tracing::error!("internal error while checking the workspace");
            }
            if progress.waiting.is_empty() {
                self.done.send_modify(|done| done.changes = count);
            }
        }
    }

    /// Processes changes, until all are done or new ones arrive.
    fn step(&self, progress: &mut Progress, changes: Changes) {
        let log = self.documents.log();
        let files = Once::new(self.documents.all_files());
        let Progress { known, configs, waiting, checked } = progress;
        let program = self.documents.code_facts();
        let project = Project { files: &files, configs, program };
        let open = self.documents.open_paths();
        if changes.all.is_some() {
            self.name(|symbols| symbols.clear());
        }
        let concerned = match changes.all {
            None => known.changed(&changes.paths, &open, project),
            Some(folders) => {
                configs.forget();
                known.find(folders, &open, project)
            }
        };
        waiting.extend(concerned.prompts);
        waiting.retain(|path| known.has(path));
        self.name(|symbols| concerned.gone.iter().for_each(|path| symbols.forget(path)));
        self.tree(|tree| concerned.gone.iter().for_each(|path| tree.forget(path)));
        self.report(concerned.gone.iter().map(|path| (path.clone(), DiagnosticsByFile::new())));
        self.set_progress(*checked, waiting.len());
        // Some prompts are checked even if changes arrive continuously. Otherwise, the work would
        // never be done.
        while !waiting.is_empty() {
            let batch: Vec<PathBuf> = (0..BATCH).map_while(|_| waiting.pop_first()).collect();
            let results = project.read_all(&batch, |results: &mut Vec<FileCheck>, path, read| {
                results.push(match read {
                    Ok(file) => self.check_file(path, file),
                    Err(error) => self.check_unread(path, project.unread(path, &error)),
                });
            });
            let mut reports = Vec::new();
            for result in results.into_iter().flatten() {
                known.note(&result.path, result.known);
                if let Some(problems) = result.problems {
                    self.tree(|tree| tree.set(result.path.clone(), problems));
                }
                self.name(|symbols| {
                    result.names.into_iter().for_each(|(file, names)| symbols.set(file, names));
                });
                reports.extend(result.diagnostics.map(|diagnostics| (result.path, diagnostics)));
            }
            self.report(reports);
            *checked += batch.len();
            self.set_progress(*checked, waiting.len());
            if log.has_news() {
                break;
            }
        }
        if !waiting.is_empty() || !self.needs_problems() {
            return;
        }
        *checked = 0;
        let is_new = log.start_reporting();
        let all = known.around(project).into_iter();
        let all = all.map(|(part, problems)| {
            (DiagnosticSource::Workspace(part), self.diagnostics_of(problems))
        });
        self.diagnostics.update(&self.documents, all.collect::<Vec<_>>());
        if is_new {
            // Problems that these documents reported for other files are reported here from now on.
            self.diagnostics.mark(self.documents.all());
        }
    }

    /// The style of a file's problems; `None` if they were not requested, or if it is open.
    fn style_for(&self, path: &Path) -> Option<&DiagnosticStyle> {
        let is_open = || self.documents.uri(path).and_then(|it| self.documents.version(&it));
        self.style.get().filter(|_| self.needs_problems() && is_open().is_none())
    }

    fn check_unread(&self, path: &Path, unread: FileProblems) -> FileCheck {
        let counts = ProblemCounts::of(&unread.problems);
        FileCheck {
            path: path.to_owned(),
            diagnostics: self.style_for(path).map(|_| self.diagnostics_of(vec![unread])),
            problems: self.needs_tree().then_some(counts),
            ..FileCheck::default()
        }
    }

    fn check_file(&self, path: &Path, file: PromptFile) -> FileCheck {
        let mut check = FileCheck { path: path.to_owned(), ..FileCheck::default() };
        let style = self.style_for(path);
        let needs_tree = self.needs_tree();
        let (mut problems, mut ignores) = (Vec::new(), UsedIgnores::default());
        let has_ignores = file.config().is_some_and(|config| !config.ignores.is_empty());
        if style.is_some() || has_ignores || needs_tree {
            (problems, ignores) = file.problems_and_ignores(DEFAULT_MAX_PROBLEMS);
        }
        check.problems = needs_tree.then(|| ProblemCounts::of(&problems));
        check.known = KnownPrompt::of(&file, ignores);
        check.names = WorkspaceSymbols::of(&file);
        check.diagnostics = style.map(|style| match problems.is_empty() {
            true => DiagnosticsByFile::new(),
            false => match self.documents.unstored().snapshot_of(file) {
                Some(file) => diagnostics::by_file(&file, problems, *style),
                None => DiagnosticsByFile::new(),
            },
        });
        check
    }

    /// Stores the problems of prompts.
    fn report(&self, all: impl IntoIterator<Item = (PathBuf, DiagnosticsByFile)>) {
        let all = all.into_iter().filter_map(|(path, diagnostics)| {
            Some((DiagnosticSource::Document(self.documents.uri(&path)?.into()), diagnostics))
        });
        self.diagnostics.update(&self.documents, all.collect::<Vec<_>>());
    }

    /// Converts problems in files that contain no prompts.
    fn diagnostics_of(&self, problems: Vec<FileProblems>) -> DiagnosticsByFile {
        let mut by_file = DiagnosticsByFile::new();
        for FileProblems { path, text, problems } in problems {
            let (Some(uri), Some(style)) = (self.documents.uri(&path), self.style.get()) else {
                continue;
            };
            // Editors open a file that has a problem, and would wait for a pipe for ever.
            let config = || self.documents.project().config_problems(&path);
            if text.is_none() && config().is_some_and(|config| !config.opens) {
                continue;
            }
            let text = Rope::from_str(text.as_deref().unwrap_or_default());
            let place = |_| Some((&text, uri.clone()));
            let words = problems.iter().filter_map(|it| Diagnostic::new(it, place, *style));
            by_file.entry(uri.clone()).or_default().extend(words);
        }
        by_file
    }

    fn name(&self, change: impl FnOnce(&mut WorkspaceSymbols)) {
        change(&mut self.symbols.write().unwrap_or_else(PoisonError::into_inner));
    }

    fn set_progress(&self, checked: usize, waiting: usize) {
        self.done.send_modify(|done| (done.prompts, done.of) = (checked, checked + waiting));
    }
}

/// The state of the thread.
struct Progress {
    known: KnownPrompts,
    configs: Configs,
    waiting: BTreeSet<PathBuf>,
    /// The number of prompts that were checked since there were none to check.
    checked: usize,
}

/// The result of checking a file of prompts.
#[derive(Default)]
struct FileCheck {
    path: PathBuf,
    known: KnownPrompt,
    /// The names in each file.
    names: Vec<(PathBuf, Vec<WorkspaceSymbol>)>,
    /// The number of its problems, if the tree was requested.
    problems: Option<ProblemCounts>,
    /// `None` if its problems are reported elsewhere or were not requested.
    diagnostics: Option<DiagnosticsByFile>,
}

/// Sets the lowest priority for the thread.
fn stand_back() {
    // On other systems, this would apply to the whole process.
    #[cfg(target_os = "linux")]
    {
        /// The nice value of the lowest priority.
        const LAST: i32 = 19;
        let _ = rustix::process::setpriority_process(None, LAST);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use promptls_workspace::Change;

    use super::*;

    #[test]
    fn a_check_makes_progress_despite_continuous_changes() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let prompt = |number| folder.path().join(format!("p{number:03}.adk.prompt"));
        let prompts = 2 * BATCH + 1;
        for number in 0..prompts {
            fs::write(prompt(number), "Dear {name},").expect("it can be written");
        }
        let documents = Arc::new(Documents::default());
        let workspace = Workspace::new(documents.clone(), Arc::default());
        let log = documents.log();
        log.follow();
        log.set_folders(vec![folder.path().to_owned()]);
        let mut progress = Progress {
            known: KnownPrompts::default(),
            configs: documents.new_configs(),
            waiting: BTreeSet::new(),
            checked: 0,
        };
        let mut steps = 0;
        loop {
            let changes = log.take(false).expect("it is not closed");
            log.note(&prompt(prompts - 1), Change::Text);
            workspace.step(&mut progress, changes);
            steps += 1;
            if progress.waiting.is_empty() {
                break;
            }
            assert_eq!(progress.waiting.len(), prompts - steps * BATCH);
        }
        assert_eq!(steps, 3);
    }
}
