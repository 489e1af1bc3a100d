//! What was found, by the file that it is about, and what the editor knows of it.

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

/// Problems by the file that they are in.
pub type Said = BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>>;

/// The address of a file, which is kept once: each is some 200 bytes, and several tables have it.
type File = Arc<lsp::Uri>;

/// Where problems come from. The last list of each source counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speaker {
    /// Prompts about themselves and what belongs to them; a document about itself.
    Document(File),
    /// The workspace as a whole.
    Workspace(Part),
}

/// A list to publish.
pub struct ChangedList {
    pub uri: lsp::Uri,
    pub diagnostics: Vec<lsp::Diagnostic>,
    pub version: Option<i32>,
}

/// What the editor does not know yet.
#[derive(Default)]
pub struct News {
    pub lists: Vec<ChangedList>,
    /// The prompts whose resolved text may be another.
    pub previews: Vec<lsp::Uri>,
    /// The same for other programs, which may look at prompts that are not open.
    pub prompts: BTreeSet<lsp::Uri>,
    /// Whether what it draws into a text may be old.
    pub is_display_old: bool,
    /// Whether a list that it asked for is old.
    pub is_pulled_old: bool,
    /// How many files have problems that it is not told, if they are others than before.
    pub untold: Option<usize>,
}

/// A list that the editor has asked for.
struct Pulled {
    version: Option<i32>,
    diagnostics: Vec<lsp::Diagnostic>,
}

/// Sorted. Mostly there is one, and a table for it would be larger than what he says.
type BySpeaker = Vec<(Speaker, Box<[Packed]>)>;

/// A diagnostic as JSON text, a quarter of the size: there may be 100,000.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed(Arc<str>);

impl Packed {
    fn new(diagnostic: &lsp::Diagnostic) -> Packed {
        // It fails for no diagnostic.
        Packed(serde_json::to_string(diagnostic).unwrap_or_default().into())
    }

    /// The diagnostic itself.
    pub fn diagnostic(&self) -> Option<lsp::Diagnostic> {
        serde_json::from_str(&self.0).ok()
    }

    /// Its JSON text.
    pub fn text(&self) -> &Arc<str> {
        &self.0
    }
}

/// What the editor was told, and what it should be told.
#[derive(Default)]
pub struct Checked {
    /// By file: what each speaker has to say about it.
    found: BTreeMap<File, BySpeaker>,
    /// The files about which a speaker has something to say.
    said: HashMap<Speaker, Box<[File]>>,
    /// What was told of each file, for which version.
    told: HashMap<lsp::Uri, (Vec<lsp::Diagnostic>, Option<i32>)>,
    /// What was asked for.
    pulled: HashMap<lsp::Uri, Pulled>,
    /// What the list of each file is called that has problems.
    names: HashMap<File, u64>,
    /// The files whose lists are others than when the editor last asked for all.
    changed: BTreeSet<File>,
    /// Whether whoever asked last waits for more.
    somebody_waits: bool,
    /// Whether the editor was told that some have changed.
    said_old: bool,
    /// What the editor is told of files that it does not have open.
    pub telling: Telling,
    /// Files that have problems, and are not told because there are too many.
    untold: BTreeSet<File>,
    /// The files to look at.
    concerned: BTreeSet<File>,
    /// The open prompts to preview anew.
    previews: BTreeSet<lsp::Uri>,
    /// All prompts that were checked since.
    prompts: BTreeSet<lsp::Uri>,
    /// The version of each open prompt that was checked last.
    versions: HashMap<lsp::Uri, i32>,
    is_display_old: bool,
}

/// What an editor is told of files that it does not have open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Telling {
    /// What prompts that are open say about them.
    #[default]
    OfOpenPrompts,
    /// Everything, of so many files.
    OfWorkspace(usize),
    /// Nothing: it asks.
    WhenAsked,
}

impl Checked {
    pub async fn check_all(
        &mut self,
        documents: &Arc<Documents>,
        marks: BTreeSet<lsp::Uri>,
        style: DiagnosticStyle,
    ) {
        // What a prompt reads makes keys of others unused, or not any more.
        let shared: Vec<lsp::Uri> =
            marks.iter().flat_map(|uri| documents.shared_files_of(uri)).collect();
        for uri in marks.into_iter().chain(shared).collect::<BTreeSet<_>>() {
            self.check(documents, &uri, style).await;
        }
    }

    /// Checks a document, and notes what it says about which file.
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
                // A prompt that is not open has its say only about the sidecar that is.
                said.remove(uri);
            }
        }
        if !is_prompt && self.versions.remove(uri).is_some() && version.is_some() {
            // A rule made it a prompt and does not any more: what is shown of it must go.
            self.previews.insert(uri.clone());
            self.is_display_old = true;
        }
        // Who follows the workspace says what else there is about a file of it.
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
        // A change that came meanwhile has marked it again; these are places in an old text.
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
        // An open document hears of each of its versions, also that all is well.
        self.concerned.insert(self.file(uri));
    }

    /// The address as it is kept.
    fn file(&self, uri: &lsp::Uri) -> File {
        self.found
            .get_key_value(uri)
            .map_or_else(|| Arc::new(uri.clone()), |(file, _)| file.clone())
    }

    /// Takes over what a speaker has to say now. What he said before and does not say any more goes.
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

    /// Forgets what is not said by documents that are here.
    pub fn forget_others(&mut self, documents: &Documents) {
        let is_other = |speaker: &&Speaker| match speaker {
            Speaker::Document(uri) => documents.file(uri).is_none(),
            Speaker::Workspace(_) => true,
        };
        let others: Vec<Speaker> = self.said.keys().filter(is_other).cloned().collect();
        others.into_iter().for_each(|speaker| self.hear(speaker, Said::new()));
    }

    /// The list of a file may be another.
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

    /// A prompt changed, or what belongs to it.
    fn note_prompt(&mut self, uri: &lsp::Uri, version: Option<i32>) {
        self.prompts.insert(uri.clone());
        let Some(version) = version else {
            self.versions.remove(uri);
            return;
        };
        self.previews.insert(uri.clone());
        // Editors ask again after each edit themselves.
        self.is_display_old |= self.versions.insert(uri.clone(), version) == Some(version);
    }

    /// What all prompts say about a file. Several may say the same about one that they share.
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

    /// What the editor does not know yet.
    pub fn news(&mut self, documents: &Documents, wanted: DiagnosticCapabilities) -> News {
        let mut news =
            News { is_display_old: std::mem::take(&mut self.is_display_old), ..News::default() };
        news.prompts = std::mem::take(&mut self.prompts);
        news.previews = std::mem::take(&mut self.previews).into_iter().collect();
        let untold = self.untold.len();
        for uri in std::mem::take(&mut self.concerned) {
            self.tell(uri, documents, wanted, &mut news);
        }
        // Where problems are gone, there is room for others.
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
            // It asks for these; what was published before it opened the file goes.
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

    /// What the editor is told of files that it does not have open is another from now on.
    pub fn set_telling(&mut self, telling: Telling) {
        if std::mem::replace(&mut self.telling, telling) != telling {
            let found: Vec<File> = self.found.keys().cloned().collect();
            found.iter().for_each(|file| self.name_again(file));
            self.concerned.extend(found);
            let told: Vec<File> = self.told.keys().map(|uri| self.file(uri)).collect();
            self.concerned.extend(told);
        }
    }

    /// The list of a document that the editor asks for, by its name; without one, it has it.
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

    /// Takes the lists of all files that are others than those of these names, which are replaced. The
    /// first time, those that are the same are taken, too.
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
            // A request that does not wait compares once.
            if which.waits {
                known.insert((*uri).clone(), name.clone());
            }
            let packed = || self.packed(&uri).into_iter().cloned().collect();
            let diagnostics = (!is_same).then(packed);
            take(NamedList { uri, name, diagnostics });
        }
    }
}

/// Which lists of the workspace somebody asks for.
#[derive(Clone, Copy, Debug)]
pub struct Which {
    /// Whether all are compared, or those that changed since he last asked.
    pub is_first: bool,
    /// Whether he waits for what changes; else he is told to ask again.
    pub waits: bool,
}

/// A list of the workspace.
#[derive(Clone)]
pub struct NamedList {
    pub uri: Arc<lsp::Uri>,
    pub name: String,
    /// `None` if the editor has it.
    pub diagnostics: Option<Vec<Packed>>,
}

/// What a list is called: what is in it, so that it has the same name when it comes again.
fn name(diagnostics: &[&Packed]) -> u64 {
    let mut hasher = DefaultHasher::new();
    diagnostics.iter().for_each(|diagnostic| diagnostic.0.hash(&mut hasher));
    hasher.finish()
}

/// The configs that count and have something wrong with them: only those are worth reading again.
fn broken(config: Option<&Arc<Config>>) -> impl Iterator<Item = PathBuf> {
    let all = config.into_iter().flat_map(|config| config.and_outer());
    all.filter(|config| !config.problems.is_empty()).map(|config| config.path.clone())
}

/// The problems of the prompts in a file, by the file that they are in. A bug in the check costs
/// this one list, not the server.
fn problems(file: &FileSnapshot, style: DiagnosticStyle) -> Said {
    let found = catch_unwind(AssertUnwindSafe(|| file.file.problems(DEFAULT_MAX_PROBLEMS)));
    in_words(file, found.unwrap_or_default(), style)
}

/// Problems of the prompts in a file, by the file that they are in.
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
