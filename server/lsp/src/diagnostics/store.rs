//! Stores diagnostics by the file they are in, and what the editor has received.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_resolver::Problem;
use promptls_workspace::{Config, ProblemGroup};

use crate::convert::Uri;
use crate::convert::diagnostic::{
    Diagnostic, DiagnosticCapabilities, DiagnosticStyle, NamedList, Packed,
};
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::FileSnapshot;

/// Diagnostics by the file they are in.
pub type DiagnosticsByFile = BTreeMap<Uri, Vec<Diagnostic>>;

/// The URI of a file. It takes some 200 bytes and is stored in several tables, so it is shared.
type File = Arc<Uri>;

/// The source of diagnostics. Its latest report replaces earlier ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiagnosticSource {
    /// The prompts of a document, for themselves and their related files; or a document for itself.
    Document(File),
    /// A check of the workspace as a whole.
    Workspace(ProblemGroup),
}

/// All diagnostics of a document, in place of those published before.
pub struct ChangedList {
    pub uri: Uri,
    pub diagnostics: Vec<Diagnostic>,
    pub version: Option<i32>,
}

/// Changes that the editor has not received yet.
#[derive(Default)]
pub struct StoreChanges {
    pub lists: Vec<ChangedList>,
    /// The open prompts whose resolved text may have changed.
    pub previews: Vec<Uri>,
    /// The same for other programs, which may also show prompts that are not open.
    pub prompts: BTreeSet<Uri>,
    /// Hints, lenses or tokens may be stale.
    pub is_display_old: bool,
    /// A list that the editor pulled is stale.
    pub is_pulled_old: bool,
    /// The number of files with problems that are not published; `None` if it has not changed.
    pub unpublished: Option<usize>,
}

/// A list that the editor has pulled.
struct Pulled {
    version: Option<i32>,
    diagnostics: Vec<Diagnostic>,
}

/// Sorted; usually one entry, so a `Vec` is smaller than a map.
type BySource = Vec<(DiagnosticSource, Box<[Packed]>)>;

/// The diagnostics of all sources, and the state of the editor.
#[derive(Default)]
pub struct DiagnosticStore {
    /// The diagnostics of each file, by source.
    by_file: BTreeMap<File, BySource>,
    /// The files for which a source has diagnostics.
    files_by_source: HashMap<DiagnosticSource, Box<[File]>>,
    /// The diagnostics that were published for each file, with the document version.
    published: HashMap<Uri, (Vec<Diagnostic>, Option<i32>)>,
    /// The lists that were pulled.
    pulled: HashMap<Uri, Pulled>,
    /// The hash of each list that is not empty; used as its name.
    names: HashMap<File, u64>,
    /// The files whose lists changed since the editor last pulled all of them.
    changed: BTreeSet<File>,
    /// The last workspace request is still waiting for changes.
    is_request_waiting: bool,
    /// The editor has been notified that some lists have changed.
    is_refresh_sent: bool,
    /// Determines what is published for files that are not open.
    pub policy: PublishPolicy,
    /// Files with problems that are not published, because there are too many.
    unpublished: BTreeSet<File>,
    /// The files to compare with the state of the editor.
    to_publish: BTreeSet<File>,
    /// The open prompts whose previews must be refreshed.
    previews: BTreeSet<Uri>,
    /// All prompts that were checked since the last call of `take_changes`.
    prompts: BTreeSet<Uri>,
    /// The version of each open prompt that was checked last.
    versions: HashMap<Uri, i32>,
    is_display_old: bool,
}

/// Determines which diagnostics are published for files that are not open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PublishPolicy {
    /// Those of open prompts, in their own and related files.
    #[default]
    OpenPrompts,
    /// All of them, for at most this many files.
    Workspace(usize),
    /// None: the editor pulls them.
    OnPull,
}

impl DiagnosticStore {
    pub async fn check_all(
        &mut self,
        documents: &Arc<Documents>,
        marks: BTreeSet<Uri>,
        style: DiagnosticStyle,
    ) {
        // The keys that a prompt reads determine which keys of shared files are unused.
        let shared: Vec<Uri> =
            marks.iter().flat_map(|uri| documents.diagnosed().shared_files_of(uri)).collect();
        for uri in marks.into_iter().chain(shared).collect::<BTreeSet<_>>() {
            self.check(documents, &uri, style).await;
        }
    }

    /// Checks a document and stores its diagnostics by file.
    async fn check(&mut self, documents: &Arc<Documents>, uri: &Uri, style: DiagnosticStyle) {
        let mut by_file = DiagnosticsByFile::new();
        let document = documents.diagnosed().snapshot(uri);
        let (version, is_reported_elsewhere) = (document.version, document.is_reported_elsewhere);
        let is_config = document.is_open_config.then(|| document.path.clone());
        let mut configs: BTreeSet<PathBuf> = is_config.into_iter().collect();
        let is_prompt = document.file.is_some();
        let place = |_| Some((&document.text, uri.clone()));
        if let Some(file) = document.file {
            self.note_prompt(uri, version);
            configs.extend(broken(file.file.config()));
            // A hop to another thread costs more than most checks do.
            let found = match file.is_heavy() {
                false => problems(&file, style),
                true => tokio::task::spawn_blocking(move || problems(&file, style))
                    .await
                    .unwrap_or_default(),
            };
            by_file = found;
            if version.is_none() && !is_reported_elsewhere && !document.is_part_of_open {
                // A prompt that is not open contributes only problems of the open sidecar, unless an
                // open one includes it.
                by_file.remove(uri);
            }
        }
        if !is_prompt && self.versions.remove(uri).is_some() && version.is_some() {
            // A rule no longer makes it a prompt, so everything displayed for it must be removed.
            self.previews.insert(uri.clone());
            self.is_display_old = true;
        }
        // The workspace thread reports other problems of files in the workspace.
        if let Some(problems) = document.unused {
            let found = problems.iter().filter_map(|it| Diagnostic::new(it, place, style));
            by_file.insert(uri.clone(), found.collect());
        }
        if document.is_unread_sidecar {
            let (all, path) = (documents.clone(), document.path.clone());
            let orphan = tokio::task::spawn_blocking(move || all.project().orphan(&path)).await;
            if let Ok(Some(problem)) = orphan {
                by_file.insert(
                    uri.clone(),
                    Diagnostic::new(&problem, place, style).into_iter().collect(),
                );
            }
        }
        // A change that arrived meanwhile has marked the document again; these ranges are stale.
        if documents.version(uri) != version {
            return;
        }
        for path in configs {
            let Some(config) = documents.project().config_problems(&path) else { continue };
            // Editors open a file that has a problem, and would wait for a pipe for ever.
            let shown_in = if config.opens { documents.uri(&path) } else { Some(uri.clone()) };
            if let Some(shown_in) = shown_in {
                let place = |_| Some((&config.text, shown_in.clone()));
                let found = config.problems.iter();
                let found = found.filter_map(|problem| Diagnostic::new(problem, place, style));
                by_file.entry(shown_in.clone()).or_default().extend(found);
            }
        }
        if is_prompt || version.is_some() || !is_reported_elsewhere {
            self.update(DiagnosticSource::Document(Arc::new(uri.clone())), by_file);
        }
        // Each version of an open document is published, even without problems.
        self.to_publish.insert(self.file(uri));
    }

    /// Returns the shared copy of a URI.
    fn file(&self, uri: &Uri) -> File {
        self.by_file
            .get_key_value(uri)
            .map_or_else(|| Arc::new(uri.clone()), |(file, _)| file.clone())
    }

    /// Replaces all diagnostics of a source.
    pub fn update(&mut self, source: DiagnosticSource, mut diagnostics: DiagnosticsByFile) {
        diagnostics.retain(|_, list| !list.is_empty());
        let diagnostics: BTreeMap<File, Vec<Diagnostic>> =
            diagnostics.into_iter().map(|(uri, list)| (self.file(&uri), list)).collect();
        let source = match source {
            DiagnosticSource::Document(uri) => {
                let known = diagnostics.get_key_value(&uri).map(|(file, _)| file.clone());
                DiagnosticSource::Document(known.unwrap_or(uri))
            }
            DiagnosticSource::Workspace(part) => DiagnosticSource::Workspace(part),
        };
        let mut files: BTreeSet<File> = diagnostics.keys().cloned().collect();
        let last = match files.is_empty() {
            true => self.files_by_source.remove(&source),
            false => self.files_by_source.insert(source.clone(), files.iter().cloned().collect()),
        };
        for file in last.into_iter().flatten() {
            if let Some(by_source) = self.by_file.get_mut(&file) {
                by_source.retain(|(other, _)| *other != source);
            }
            files.insert(file);
        }
        for (file, list) in diagnostics {
            let by_source = self.by_file.entry(file).or_default();
            let at = by_source.partition_point(|(other, _)| *other < source);
            by_source.reserve_exact(1);
            let list = list.iter().map(Packed::new).collect();
            by_source.insert(at, (source.clone(), list));
        }
        for file in files {
            self.update_hash(&file);
            self.to_publish.insert(file);
        }
    }

    /// Drops all diagnostics except those of loaded documents with prompts.
    pub fn forget_others(&mut self, documents: &Documents) {
        let is_other = |source: &&DiagnosticSource| match source {
            DiagnosticSource::Document(uri) => documents.lookup().file(uri).is_none(),
            DiagnosticSource::Workspace(_) => true,
        };
        let others: Vec<DiagnosticSource> =
            self.files_by_source.keys().filter(is_other).cloned().collect();
        others.into_iter().for_each(|source| self.update(source, DiagnosticsByFile::new()));
    }

    /// Updates the hash of a file's list after a possible change.
    fn update_hash(&mut self, file: &File) {
        if self.by_file.get(file).is_some_and(Vec::is_empty) {
            self.by_file.remove(file);
        }
        if self.policy != PublishPolicy::OnPull {
            return;
        }
        let name = self.by_file.contains_key(file).then(|| name(&self.packed(file)));
        let last = match name {
            Some(name) => self.names.insert(file.clone(), name),
            None => self.names.remove(file),
        };
        if last != name {
            self.changed.insert(file.clone());
        }
    }

    /// Notes that a prompt or one of its related files changed.
    fn note_prompt(&mut self, uri: &Uri, version: Option<i32>) {
        self.prompts.insert(uri.clone());
        let Some(version) = version else {
            self.versions.remove(uri);
            return;
        };
        self.previews.insert(uri.clone());
        // Editors request these again by themselves after each edit.
        self.is_display_old |= self.versions.insert(uri.clone(), version) == Some(version);
    }

    /// The diagnostics of a file from all sources. Duplicates, from prompts that share it, are
    /// removed.
    fn diagnostics_of(&self, uri: &Uri) -> Vec<Diagnostic> {
        self.packed(uri).into_iter().filter_map(Packed::diagnostic).collect()
    }

    fn packed(&self, uri: &Uri) -> Vec<&Packed> {
        let mut diagnostics: Vec<&Packed> = Vec::new();
        let by_source = self.by_file.get(uri).into_iter().flatten();
        for found in by_source.flat_map(|(_, diagnostics)| diagnostics.iter()) {
            if !diagnostics.contains(&found) {
                diagnostics.push(found);
            }
        }
        diagnostics
    }

    /// Returns the changes that the editor has not received yet.
    pub fn take_changes(
        &mut self,
        documents: &Documents,
        capabilities: DiagnosticCapabilities,
    ) -> StoreChanges {
        let mut changes = StoreChanges {
            is_display_old: std::mem::take(&mut self.is_display_old),
            ..StoreChanges::default()
        };
        changes.prompts = std::mem::take(&mut self.prompts);
        changes.previews = std::mem::take(&mut self.previews).into_iter().collect();
        let unpublished = self.unpublished.len();
        for uri in std::mem::take(&mut self.to_publish) {
            self.publish(uri, documents, capabilities, &mut changes);
        }
        // When problems are gone, there is room for other files.
        while self.has_room()
            && let Some(uri) = self.unpublished.pop_first()
        {
            self.publish(uri, documents, capabilities, &mut changes);
        }
        if !self.changed.is_empty() && !self.is_request_waiting && !self.is_refresh_sent {
            (changes.is_pulled_old, self.is_refresh_sent) = (true, true);
        }
        changes.unpublished =
            (self.unpublished.len() != unpublished).then_some(self.unpublished.len());
        changes
    }

    fn has_room(&self) -> bool {
        match self.policy {
            PublishPolicy::Workspace(most) => {
                self.published.values().filter(|(_, version)| version.is_none()).count() < most
            }
            PublishPolicy::OpenPrompts | PublishPolicy::OnPull => true,
        }
    }

    fn publish(
        &mut self,
        uri: File,
        documents: &Documents,
        capabilities: DiagnosticCapabilities,
        changes: &mut StoreChanges,
    ) {
        let mut version = documents.version(&uri);
        let is_pull_only = version.is_none() && self.policy == PublishPolicy::OnPull;
        if is_pull_only && !self.published.contains_key(&*uri) {
            self.pulled.remove(&*uri);
            return;
        }
        let mut diagnostics = self.diagnostics_of(&uri);
        self.unpublished.remove(&uri);
        if version.is_none() {
            self.pulled.remove(&*uri);
            let is_unpublished = !diagnostics.is_empty() && !self.published.contains_key(&*uri);
            if is_pull_only {
                diagnostics.clear();
            } else if is_unpublished && !self.has_room() {
                self.unpublished.insert(uri);
                return;
            }
        } else if capabilities.pulls {
            changes.is_pulled_old |= self.pulled.get(&*uri).is_some_and(|pulled| {
                pulled.version == version && pulled.diagnostics != diagnostics
            });
            // The editor pulls these; diagnostics published before it opened the file are cleared.
            (diagnostics, version) = (Vec::new(), None);
        }
        let is_known = match self.published.get(&*uri) {
            None => diagnostics.is_empty() && version.is_none(),
            Some((known, known_version)) => *known == diagnostics && *known_version == version,
        };
        if is_known {
            return;
        }
        match diagnostics.is_empty() && version.is_none() {
            true => self.published.remove(&*uri),
            false => self.published.insert((*uri).clone(), (diagnostics.clone(), version)),
        };
        changes.lists.push(ChangedList { uri: (*uri).clone(), diagnostics, version });
    }

    /// Changes which diagnostics are published for files that are not open.
    pub fn set_policy(&mut self, policy: PublishPolicy) {
        if std::mem::replace(&mut self.policy, policy) != policy {
            let files: Vec<File> = self.by_file.keys().cloned().collect();
            files.iter().for_each(|file| self.update_hash(file));
            self.to_publish.extend(files);
            let published: Vec<File> = self.published.keys().map(|uri| self.file(uri)).collect();
            self.to_publish.extend(published);
        }
    }

    /// The list that the editor pulls, with its name; without items if the editor has it already.
    pub fn pull(
        &mut self,
        uri: &Uri,
        version: Option<i32>,
        previous: Option<&str>,
    ) -> (String, Option<Vec<Diagnostic>>) {
        let diagnostics = self.diagnostics_of(uri);
        let name = name(&self.packed(uri)).to_string();
        let list = (previous != Some(&*name)).then(|| diagnostics.clone());
        if version.is_some() {
            self.pulled.insert(uri.clone(), Pulled { version, diagnostics });
        }
        (name, list)
    }

    /// Passes the lists of all files that differ from those named in `known` to `take`, and updates
    /// `known` if the request waits. The first time, unchanged lists are passed as well.
    pub fn changed_since(
        &mut self,
        known: &mut HashMap<Uri, String>,
        query: ListQuery,
        mut take: impl FnMut(NamedList),
    ) {
        let mut files = std::mem::take(&mut self.changed);
        (self.is_request_waiting, self.is_refresh_sent) = (query.waits, false);
        if query.is_first {
            files = known.keys().map(|uri| self.file(uri)).collect();
            files.extend(self.names.keys().cloned());
        }
        let nothing = name(&[]);
        for uri in files {
            let name = self.names.get(&uri).copied().unwrap_or(nothing).to_string();
            let last = known.get(&*uri);
            let is_same = last == Some(&name);
            if is_same && !query.is_first || last.is_none() && name == nothing.to_string() {
                continue;
            }
            // A request that does not wait compares only once.
            if query.waits {
                known.insert((*uri).clone(), name.clone());
            }
            let packed = || self.packed(&uri).into_iter().cloned().collect();
            let diagnostics = (!is_same).then(packed);
            take(NamedList { uri, name, diagnostics });
        }
    }
}

/// The workspace lists that a request needs.
#[derive(Clone, Copy, Debug)]
pub struct ListQuery {
    /// How the client shows problems.
    pub style: DiagnosticStyle,
    /// All lists are compared, not only those that changed since the last request.
    pub is_first: bool,
    /// The request waits for changes; otherwise the editor is notified to send it again.
    pub waits: bool,
}

/// The name of a list: a hash of its items, so that equal lists have equal names.
fn name(diagnostics: &[&Packed]) -> u64 {
    let mut hasher = DefaultHasher::new();
    diagnostics.iter().for_each(|diagnostic| diagnostic.hash(&mut hasher));
    hasher.finish()
}

/// The effective configs that have problems. Only these are worth reading again.
fn broken(config: Option<&Arc<Config>>) -> impl Iterator<Item = PathBuf> {
    let all = config.into_iter().flat_map(|config| config.and_outer());
    all.filter(|config| !config.problems.is_empty()).map(|config| config.path.clone())
}

/// The problems of the prompts in a file, by the file they are in. A panic in the check loses this
/// one list, not the server.
fn problems(file: &FileSnapshot, style: DiagnosticStyle) -> DiagnosticsByFile {
    let found = catch_unwind(AssertUnwindSafe(|| file.file.problems(DEFAULT_MAX_PROBLEMS)));
    by_file(file, found.unwrap_or_default(), style)
}

/// Converts the problems of the prompts in a file to diagnostics, by the file they are in.
pub fn by_file(
    file: &FileSnapshot,
    problems: Vec<Problem>,
    style: DiagnosticStyle,
) -> DiagnosticsByFile {
    let mut by_file = DiagnosticsByFile::new();
    for problem in problems {
        let Some((_, uri)) = file.place(problem.location.file) else { continue };
        if let Some(diagnostic) = Diagnostic::new(&problem, |id| file.place(id), style) {
            by_file.entry(uri).or_default().push(diagnostic);
        }
    }
    by_file
}
