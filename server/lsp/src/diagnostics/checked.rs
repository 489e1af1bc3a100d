//! Stores diagnostics by the file they are in, and what the editor has received.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_resolver::Problem;
use promptls_workspace::{Config, Part};
use tower_lsp::ls_types as lsp;

use super::style::{self, DiagnosticCapabilities, DiagnosticStyle};
use crate::convert;
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::FileSnapshot;

/// Diagnostics by the file they are in.
pub type Said = BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>>;

/// The URI of a file. It takes some 200 bytes and is stored in several tables, so it is shared.
type File = Arc<lsp::Uri>;

/// The source of diagnostics. Its latest report replaces earlier ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speaker {
    /// The prompts of a document, for themselves and their related files; or a document for itself.
    Document(File),
    /// A check of the workspace as a whole.
    Workspace(Part),
}

/// All diagnostics of a document, in place of those published before.
pub struct ChangedList {
    pub uri: lsp::Uri,
    pub diagnostics: Vec<lsp::Diagnostic>,
    pub version: Option<i32>,
}

/// Changes that the editor has not received yet.
#[derive(Default)]
pub struct News {
    pub lists: Vec<ChangedList>,
    /// The open prompts whose resolved text may have changed.
    pub previews: Vec<lsp::Uri>,
    /// The same for other programs, which may also show prompts that are not open.
    pub prompts: BTreeSet<lsp::Uri>,
    /// Hints, lenses or tokens may be stale.
    pub is_display_old: bool,
    /// A list that the editor pulled is stale.
    pub is_pulled_old: bool,
    /// The number of files with problems that are not published; `None` if it has not changed.
    pub untold: Option<usize>,
}

/// A list that the editor has pulled.
struct Pulled {
    version: Option<i32>,
    diagnostics: Vec<lsp::Diagnostic>,
}

/// Sorted; usually one entry, so a `Vec` is smaller than a map.
type BySpeaker = Vec<(Speaker, Box<[Packed]>)>;

/// A diagnostic as JSON text. That is a quarter of the size, and there may be 100,000 of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed(Arc<str>);

impl Packed {
    fn new(diagnostic: &lsp::Diagnostic) -> Packed {
        // Serialization fails for no diagnostic.
        Packed(serde_json::to_string(diagnostic).unwrap_or_default().into())
    }

    /// Parses the diagnostic; `None` if the text is invalid.
    pub fn diagnostic(&self) -> Option<lsp::Diagnostic> {
        serde_json::from_str(&self.0).ok()
    }

    /// The JSON text of the diagnostic.
    pub fn text(&self) -> &Arc<str> {
        &self.0
    }
}

/// The diagnostics of all sources, and the state of the editor.
#[derive(Default)]
pub struct Checked {
    /// The diagnostics of each file, by source.
    found: BTreeMap<File, BySpeaker>,
    /// The files for which a source has diagnostics.
    said: HashMap<Speaker, Box<[File]>>,
    /// The diagnostics that were published for each file, with the document version.
    told: HashMap<lsp::Uri, (Vec<lsp::Diagnostic>, Option<i32>)>,
    /// The lists that were pulled.
    pulled: HashMap<lsp::Uri, Pulled>,
    /// The hash of each list that is not empty; used as its name.
    names: HashMap<File, u64>,
    /// The files whose lists changed since the editor last pulled all of them.
    changed: BTreeSet<File>,
    /// The last workspace request is still waiting for changes.
    somebody_waits: bool,
    /// The editor has been notified that some lists have changed.
    said_old: bool,
    /// Determines what is published for files that are not open.
    pub telling: Telling,
    /// Files with problems that are not published, because there are too many.
    untold: BTreeSet<File>,
    /// The files to compare with the state of the editor.
    concerned: BTreeSet<File>,
    /// The open prompts whose previews must be refreshed.
    previews: BTreeSet<lsp::Uri>,
    /// All prompts that were checked since the last call of `news`.
    prompts: BTreeSet<lsp::Uri>,
    /// The version of each open prompt that was checked last.
    versions: HashMap<lsp::Uri, i32>,
    is_display_old: bool,
}

/// Determines which diagnostics are published for files that are not open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Telling {
    /// Those of open prompts, in their own and related files.
    #[default]
    OfOpenPrompts,
    /// All of them, for at most this many files.
    OfWorkspace(usize),
    /// None: the editor pulls them.
    WhenAsked,
}

impl Checked {
    pub async fn check_all(
        &mut self,
        documents: &Arc<Documents>,
        marks: BTreeSet<lsp::Uri>,
        style: DiagnosticStyle,
    ) {
        // The keys that a prompt reads determine which keys of shared files are unused.
        let shared: Vec<lsp::Uri> =
            marks.iter().flat_map(|uri| documents.shared_files_of(uri)).collect();
        for uri in marks.into_iter().chain(shared).collect::<BTreeSet<_>>() {
            self.check(documents, &uri, style).await;
        }
    }

    /// Checks a document and stores its diagnostics by file.
    async fn check(&mut self, documents: &Arc<Documents>, uri: &lsp::Uri, style: DiagnosticStyle) {
        let mut said = Said::new();
        let mut configs: BTreeSet<PathBuf> = documents.open_config(uri).into_iter().collect();
        let version = documents.version(uri);
        let file = documents.file(uri);
        let is_spoken_of = documents.log().speaks_of(&convert::path(uri));
        let is_prompt = file.is_some();
        if let Some(file) = file {
            self.note_prompt(uri, version);
            configs.extend(broken(file.file.config()));
            // A hop to another thread costs more than most checks do.
            let found = match file.is_heavy() {
                false => problems(&file, style),
                true => tokio::task::spawn_blocking(move || problems(&file, style))
                    .await
                    .unwrap_or_default(),
            };
            said = found;
            if version.is_none() && !is_spoken_of {
                // A prompt that is not open contributes only problems of the open sidecar.
                said.remove(uri);
            }
        }
        if !is_prompt && self.versions.remove(uri).is_some() && version.is_some() {
            // A rule no longer makes it a prompt, so everything displayed for it must be removed.
            self.previews.insert(uri.clone());
            self.is_display_old = true;
        }
        // The workspace thread reports other problems of files in the workspace.
        if let Some((text, problems)) = documents.unused_in_shared(uri).filter(|_| !is_spoken_of) {
            let place = |_| Some((&text, uri.clone()));
            let found = problems.iter().filter_map(|it| style::diagnostic(it, place, style));
            said.insert(uri.clone(), found.collect());
        }
        if !is_spoken_of && documents.is_unread_sidecar(uri) {
            let (all, asked) = (documents.clone(), uri.clone());
            let orphan = tokio::task::spawn_blocking(move || all.orphan(&asked)).await;
            if let Ok(Some((text, problem))) = orphan {
                let place = |_| Some((&text, uri.clone()));
                said.insert(
                    uri.clone(),
                    style::diagnostic(&problem, place, style).into_iter().collect(),
                );
            }
        }
        // A change that arrived meanwhile has marked the document again; these ranges are stale.
        if documents.version(uri) != version {
            return;
        }
        for path in configs {
            let Some(config) = documents.config_problems(&path) else { continue };
            // Editors open a file that has a problem, and would wait for a pipe for ever.
            let shown_in = if config.opens { documents.uri(&path) } else { Some(uri.clone()) };
            if let Some(shown_in) = shown_in {
                let place = |_| Some((&config.text, shown_in.clone()));
                let found = config.problems.iter();
                let found = found.filter_map(|problem| style::diagnostic(problem, place, style));
                said.entry(shown_in.clone()).or_default().extend(found);
            }
        }
        if is_prompt || version.is_some() || !is_spoken_of {
            self.hear(Speaker::Document(Arc::new(uri.clone())), said);
        }
        // Each version of an open document is published, even without problems.
        self.concerned.insert(self.file(uri));
    }

    /// Returns the shared copy of a URI.
    fn file(&self, uri: &lsp::Uri) -> File {
        self.found
            .get_key_value(uri)
            .map_or_else(|| Arc::new(uri.clone()), |(file, _)| file.clone())
    }

    /// Replaces all diagnostics of a source.
    pub fn hear(&mut self, speaker: Speaker, mut said: Said) {
        said.retain(|_, diagnostics| !diagnostics.is_empty());
        let said: BTreeMap<File, Vec<lsp::Diagnostic>> =
            said.into_iter().map(|(uri, found)| (self.file(&uri), found)).collect();
        let speaker = match speaker {
            Speaker::Document(uri) => {
                let known = said.get_key_value(&uri).map(|(file, _)| file.clone());
                Speaker::Document(known.unwrap_or(uri))
            }
            Speaker::Workspace(part) => Speaker::Workspace(part),
        };
        let mut files: BTreeSet<File> = said.keys().cloned().collect();
        let last = match files.is_empty() {
            true => self.said.remove(&speaker),
            false => self.said.insert(speaker.clone(), files.iter().cloned().collect()),
        };
        for file in last.into_iter().flatten() {
            if let Some(by_speaker) = self.found.get_mut(&file) {
                by_speaker.retain(|(other, _)| *other != speaker);
            }
            files.insert(file);
        }
        for (file, diagnostics) in said {
            let by_speaker = self.found.entry(file).or_default();
            let at = by_speaker.partition_point(|(other, _)| *other < speaker);
            by_speaker.reserve_exact(1);
            let diagnostics = diagnostics.iter().map(Packed::new).collect();
            by_speaker.insert(at, (speaker.clone(), diagnostics));
        }
        for file in files {
            self.name_again(&file);
            self.concerned.insert(file);
        }
    }

    /// Drops all diagnostics except those of loaded documents with prompts.
    pub fn forget_others(&mut self, documents: &Documents) {
        let is_other = |speaker: &&Speaker| match speaker {
            Speaker::Document(uri) => documents.file(uri).is_none(),
            Speaker::Workspace(_) => true,
        };
        let others: Vec<Speaker> = self.said.keys().filter(is_other).cloned().collect();
        others.into_iter().for_each(|speaker| self.hear(speaker, Said::new()));
    }

    /// Updates the hash of a file's list after a possible change.
    fn name_again(&mut self, file: &File) {
        if self.found.get(file).is_some_and(Vec::is_empty) {
            self.found.remove(file);
        }
        if self.telling != Telling::WhenAsked {
            return;
        }
        let name = self.found.contains_key(file).then(|| name(&self.packed(file)));
        let last = match name {
            Some(name) => self.names.insert(file.clone(), name),
            None => self.names.remove(file),
        };
        if last != name {
            self.changed.insert(file.clone());
        }
    }

    /// Notes that a prompt or one of its related files changed.
    fn note_prompt(&mut self, uri: &lsp::Uri, version: Option<i32>) {
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
    fn about(&self, uri: &lsp::Uri) -> Vec<lsp::Diagnostic> {
        self.packed(uri).into_iter().filter_map(Packed::diagnostic).collect()
    }

    fn packed(&self, uri: &lsp::Uri) -> Vec<&Packed> {
        let mut diagnostics: Vec<&Packed> = Vec::new();
        let by_speaker = self.found.get(uri).into_iter().flatten();
        for found in by_speaker.flat_map(|(_, diagnostics)| diagnostics.iter()) {
            if !diagnostics.contains(&found) {
                diagnostics.push(found);
            }
        }
        diagnostics
    }

    /// Returns the changes that the editor has not received yet.
    pub fn news(&mut self, documents: &Documents, wanted: DiagnosticCapabilities) -> News {
        let mut news =
            News { is_display_old: std::mem::take(&mut self.is_display_old), ..News::default() };
        news.prompts = std::mem::take(&mut self.prompts);
        news.previews = std::mem::take(&mut self.previews).into_iter().collect();
        let untold = self.untold.len();
        for uri in std::mem::take(&mut self.concerned) {
            self.tell(uri, documents, wanted, &mut news);
        }
        // When problems are gone, there is room for other files.
        while self.has_room()
            && let Some(uri) = self.untold.pop_first()
        {
            self.tell(uri, documents, wanted, &mut news);
        }
        if !self.changed.is_empty() && !self.somebody_waits && !self.said_old {
            (news.is_pulled_old, self.said_old) = (true, true);
        }
        news.untold = (self.untold.len() != untold).then_some(self.untold.len());
        news
    }

    fn has_room(&self) -> bool {
        match self.telling {
            Telling::OfWorkspace(most) => {
                self.told.values().filter(|(_, version)| version.is_none()).count() < most
            }
            Telling::OfOpenPrompts | Telling::WhenAsked => true,
        }
    }

    fn tell(
        &mut self,
        uri: File,
        documents: &Documents,
        wanted: DiagnosticCapabilities,
        news: &mut News,
    ) {
        let mut version = documents.version(&uri);
        let is_asked_for = version.is_none() && self.telling == Telling::WhenAsked;
        if is_asked_for && !self.told.contains_key(&*uri) {
            self.pulled.remove(&*uri);
            return;
        }
        let mut diagnostics = self.about(&uri);
        self.untold.remove(&uri);
        if version.is_none() {
            self.pulled.remove(&*uri);
            let is_untold = !diagnostics.is_empty() && !self.told.contains_key(&*uri);
            if is_asked_for {
                diagnostics.clear();
            } else if is_untold && !self.has_room() {
                self.untold.insert(uri);
                return;
            }
        } else if wanted.pulls {
            news.is_pulled_old |= self.pulled.get(&*uri).is_some_and(|pulled| {
                pulled.version == version && pulled.diagnostics != diagnostics
            });
            // The editor pulls these; diagnostics published before it opened the file are cleared.
            (diagnostics, version) = (Vec::new(), None);
        }
        let is_known = match self.told.get(&*uri) {
            None => diagnostics.is_empty() && version.is_none(),
            Some((known, known_version)) => *known == diagnostics && *known_version == version,
        };
        if is_known {
            return;
        }
        match diagnostics.is_empty() && version.is_none() {
            true => self.told.remove(&*uri),
            false => self.told.insert((*uri).clone(), (diagnostics.clone(), version)),
        };
        news.lists.push(ChangedList { uri: (*uri).clone(), diagnostics, version });
    }

    /// Changes which diagnostics are published for files that are not open.
    pub fn set_telling(&mut self, telling: Telling) {
        if std::mem::replace(&mut self.telling, telling) != telling {
            let found: Vec<File> = self.found.keys().cloned().collect();
            found.iter().for_each(|file| self.name_again(file));
            self.concerned.extend(found);
            let told: Vec<File> = self.told.keys().map(|uri| self.file(uri)).collect();
            self.concerned.extend(told);
        }
    }

    /// The list that the editor pulls, with its name; without items if the editor has it already.
    pub fn pull(
        &mut self,
        uri: &lsp::Uri,
        version: Option<i32>,
        previous: Option<&str>,
    ) -> (String, Option<Vec<lsp::Diagnostic>>) {
        let diagnostics = self.about(uri);
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
        known: &mut HashMap<lsp::Uri, String>,
        which: Which,
        mut take: impl FnMut(NamedList),
    ) {
        let mut files = std::mem::take(&mut self.changed);
        (self.somebody_waits, self.said_old) = (which.waits, false);
        if which.is_first {
            files = known.keys().map(|uri| self.file(uri)).collect();
            files.extend(self.names.keys().cloned());
        }
        let nothing = name(&[]);
        for uri in files {
            let name = self.names.get(&uri).copied().unwrap_or(nothing).to_string();
            let last = known.get(&*uri);
            let is_same = last == Some(&name);
            if is_same && !which.is_first || last.is_none() && name == nothing.to_string() {
                continue;
            }
            // A request that does not wait compares only once.
            if which.waits {
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
pub struct Which {
    /// All lists are compared, not only those that changed since the last request.
    pub is_first: bool,
    /// The request waits for changes; otherwise the editor is notified to send it again.
    pub waits: bool,
}

/// The list of a file in the workspace.
#[derive(Clone)]
pub struct NamedList {
    pub uri: Arc<lsp::Uri>,
    pub name: String,
    /// `None` if the editor has the list already.
    pub diagnostics: Option<Vec<Packed>>,
}

/// The name of a list: a hash of its items, so that equal lists have equal names.
fn name(diagnostics: &[&Packed]) -> u64 {
    let mut hasher = DefaultHasher::new();
    diagnostics.iter().for_each(|diagnostic| diagnostic.0.hash(&mut hasher));
    hasher.finish()
}

/// The effective configs that have problems. Only these are worth reading again.
fn broken(config: Option<&Arc<Config>>) -> impl Iterator<Item = PathBuf> {
    let all = config.into_iter().flat_map(|config| config.and_outer());
    all.filter(|config| !config.problems.is_empty()).map(|config| config.path.clone())
}

/// The problems of the prompts in a file, by the file they are in. A panic in the check loses this
/// one list, not the server.
fn problems(file: &FileSnapshot, style: DiagnosticStyle) -> Said {
    let found = catch_unwind(AssertUnwindSafe(|| file.file.problems(DEFAULT_MAX_PROBLEMS)));
    in_words(file, found.unwrap_or_default(), style)
}

/// Converts the problems of the prompts in a file to diagnostics, by the file they are in.
pub fn in_words(file: &FileSnapshot, problems: Vec<Problem>, style: DiagnosticStyle) -> Said {
    let mut by_file = Said::new();
    for problem in problems {
        let Some((_, uri)) = file.place(problem.location.file) else { continue };
        if let Some(diagnostic) = style::diagnostic(&problem, |id| file.place(id), style) {
            by_file.entry(uri).or_default().push(diagnostic);
        }
    }
    by_file
}
