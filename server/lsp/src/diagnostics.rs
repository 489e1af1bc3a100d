//! Says what is wrong, without anybody waiting for the editor.
//!
//! Handlers only mark what changed. One task takes the marks, checks, and tells;
//! while it waits for a slow editor, further marks gather and are done in one go.
//! So the first change is published at once, and no timer is needed.
//!
//! An editor that asks for problems is answered from the same checks. What it has
//! open it asks for; of sidecars that are not open it hears as others do.

mod style;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use promptls_analysis::DEFAULT_MAX_PROBLEMS;
use promptls_protocol::methods::PREVIEW_CHANGED;
use promptls_protocol::{PreviewChangedParams, TextDocumentIdentifier};
use promptls_workspace::Config;
use tokio::sync::Notify;
use tower_lsp::Client;
use tower_lsp::ls_types as lsp;

pub use self::style::{DiagnosticCapabilities, DiagnosticStyle};
use crate::followers::Followers;
use crate::refresh::Refresh;
use crate::session::documents::Documents;
use crate::session::prompt_snapshot::FileSnapshot;

/// `promptls/previewChanged`, as tower-lsp sends it.
enum PreviewChanged {}

impl lsp::notification::Notification for PreviewChanged {
    type Params = PreviewChangedParams;
    const METHOD: &'static str = PREVIEW_CHANGED;
}

/// Marks of what must be checked, and what came of it.
#[derive(Default)]
pub struct Diagnostics {
    marks: Mutex<BTreeSet<lsp::Uri>>,
    marked: Notify,
    checked: tokio::sync::Mutex<Checked>,
    refresh: Arc<Refresh>,
    followers: Arc<Followers>,
}

impl Diagnostics {
    /// The problems of these documents may be others now.
    pub fn mark(&self, uris: impl IntoIterator<Item = lsp::Uri>) {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner).extend(uris);
        self.marked.notify_one();
    }

    /// For what is not about problems.
    pub fn refresh(&self) -> &Arc<Refresh> {
        &self.refresh
    }

    /// For other programs.
    pub fn followers(&self) -> &Arc<Followers> {
        &self.followers
    }

    fn take(&self) -> BTreeSet<lsp::Uri> {
        std::mem::take(&mut self.marks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Publishes for as long as the server lives.
    pub async fn run(
        self: Arc<Self>,
        client: Client,
        documents: Arc<Documents>,
        wanted: DiagnosticCapabilities,
    ) {
        loop {
            self.marked.notified().await;
            let mut checked = self.checked.lock().await;
            checked.check_all(&documents, self.take(), wanted.style).await;
            let news = checked.news(&documents, wanted);
            drop(checked);
            for uri in &news.prompts {
                self.followers.preview_changed(uri, documents.version(uri));
            }
            for uri in news.previews {
                self.refresh.contents_of(&uri);
                if !wanted.previews {
                    continue;
                }
                let version = documents.version(&uri);
                let text_document = TextDocumentIdentifier { uri: uri.to_string() };
                let params = PreviewChangedParams { text_document, version };
                client.send_notification::<PreviewChanged>(params).await;
            }
            for list in news.lists {
                client.publish_diagnostics(list.uri, list.diagnostics, list.version).await;
            }
            if news.is_display_old {
                self.refresh.display();
            }
            if news.is_pulled_old {
                self.refresh.diagnostics();
            }
        }
    }

    /// Answers `textDocument/diagnostic`: the problems of an open document, or that they are those
    /// of the answer before. `None` if the document changed meanwhile.
    pub async fn pull(
        &self,
        documents: &Arc<Documents>,
        params: lsp::DocumentDiagnosticParams,
        style: DiagnosticStyle,
    ) -> Option<lsp::DocumentDiagnosticReportResult> {
        let uri = &params.text_document.uri;
        let version = documents.version(uri);
        let mut checked = self.checked.lock().await;
        checked.check_all(documents, self.take(), style).await;
        // What else the checks have brought is told by the task.
        self.marked.notify_one();
        let is_current = documents.version(uri) == version;
        let previous = params.previous_result_id.as_deref();
        is_current.then(|| report(checked.pull(uri, version, previous)))
    }
}

/// A list in the words of the protocol, by its name; without one, it is known already.
fn report(
    (result_id, items): (String, Option<Vec<lsp::Diagnostic>>),
) -> lsp::DocumentDiagnosticReportResult {
    let report = match items {
        Some(items) => {
            let list = lsp::FullDocumentDiagnosticReport { result_id: Some(result_id), items };
            lsp::DocumentDiagnosticReport::Full(lsp::RelatedFullDocumentDiagnosticReport {
                related_documents: None,
                full_document_diagnostic_report: list,
            })
        }
        None => {
            let list = lsp::UnchangedDocumentDiagnosticReport { result_id };
            lsp::DocumentDiagnosticReport::Unchanged(
                lsp::RelatedUnchangedDocumentDiagnosticReport {
                    related_documents: None,
                    unchanged_document_diagnostic_report: list,
                },
            )
        }
    };
    report.into()
}

/// A list to publish.
struct ChangedList {
    uri: lsp::Uri,
    diagnostics: Vec<lsp::Diagnostic>,
    version: Option<i32>,
}

/// What the editor does not know yet.
#[derive(Default)]
struct News {
    lists: Vec<ChangedList>,
    /// The prompts whose resolved text may be another.
    previews: Vec<lsp::Uri>,
    /// The same for other programs, which may look at prompts that are not open.
    prompts: BTreeSet<lsp::Uri>,
    /// Whether what it draws into a text may be old.
    is_display_old: bool,
    /// Whether a list that it asked for is old.
    is_pulled_old: bool,
}

/// A list that the editor has asked for.
struct Pulled {
    /// Which of all lists it is.
    number: u64,
    version: Option<i32>,
    diagnostics: Vec<lsp::Diagnostic>,
}

/// What the editor was told, and what it should be told.
#[derive(Default)]
struct Checked {
    /// By file: what each prompt has to say about it.
    found: BTreeMap<lsp::Uri, BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>>>,
    /// By prompt: the files about which it has something to say.
    said: HashMap<lsp::Uri, BTreeSet<lsp::Uri>>,
    /// What was told of each file, for which version.
    told: HashMap<lsp::Uri, (Vec<lsp::Diagnostic>, Option<i32>)>,
    /// What was asked for.
    pulled: HashMap<lsp::Uri, Pulled>,
    /// How many different lists were asked for: a name for each, also of documents that were
    /// closed and opened again.
    lists: u64,
    /// The files to look at.
    concerned: BTreeSet<lsp::Uri>,
    /// The open prompts to preview anew.
    previews: BTreeSet<lsp::Uri>,
    /// All prompts that were checked since.
    prompts: BTreeSet<lsp::Uri>,
    /// The version of each open prompt that was checked last.
    versions: HashMap<lsp::Uri, i32>,
    is_display_old: bool,
}

impl Checked {
    async fn check_all(
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
        let mut said: BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>> = BTreeMap::new();
        let mut configs: BTreeSet<PathBuf> = documents.open_config(uri).into_iter().collect();
        let version = documents.version(uri);
        let file = documents.file(uri);
        let is_prompt = file.is_some();
        if let Some(file) = file {
            self.note_prompt(uri, version);
            configs.extend(broken(file.file.config()));
            // A hop to another thread costs more than most checks do.
            said = match file.is_heavy() {
                false => problems(&file, style),
                true => tokio::task::spawn_blocking(move || problems(&file, style))
                    .await
                    .unwrap_or_default(),
            };
        }
        if !is_prompt && self.versions.remove(uri).is_some() && version.is_some() {
            // A rule made it a prompt and does not any more: what is shown of it must go.
            self.previews.insert(uri.clone());
            self.is_display_old = true;
        }
        if let Some((text, problems)) = documents.unused_in_shared(uri) {
            let place = |_| Some((&text, uri.clone()));
            let found = problems.iter().filter_map(|it| style::diagnostic(it, place, style));
            said.insert(uri.clone(), found.collect());
        }
        if documents.is_unread_sidecar(uri) {
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
        // What it said before and does not say any more goes.
        for file in self.said.remove(uri).unwrap_or_default() {
            if let Some(by_prompt) = self.found.get_mut(&file) {
                by_prompt.remove(uri);
            }
            self.concerned.insert(file);
        }
        if !said.is_empty() {
            self.said.insert(uri.clone(), said.keys().cloned().collect());
        }
        for (file, diagnostics) in said {
            self.concerned.insert(file.clone());
            self.found.entry(file).or_default().insert(uri.clone(), diagnostics);
        }
        // An open document hears of each of its versions, also that all is well.
        self.concerned.insert(uri.clone());
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
        let mut diagnostics: Vec<lsp::Diagnostic> = Vec::new();
        for found in self.found.get(uri).into_iter().flat_map(BTreeMap::values).flatten() {
            if !diagnostics.contains(found) {
                diagnostics.push(found.clone());
            }
        }
        diagnostics
    }

    /// What the editor does not know yet.
    fn news(&mut self, documents: &Documents, wanted: DiagnosticCapabilities) -> News {
        let mut news =
            News { is_display_old: std::mem::take(&mut self.is_display_old), ..News::default() };
        news.prompts = std::mem::take(&mut self.prompts);
        news.previews = std::mem::take(&mut self.previews).into_iter().collect();
        for uri in std::mem::take(&mut self.concerned) {
            let mut diagnostics = self.about(&uri);
            if self.found.get(&uri).is_some_and(BTreeMap::is_empty) {
                self.found.remove(&uri);
            }
            let mut version = documents.version(&uri);
            if version.is_none() {
                self.pulled.remove(&uri);
            } else if wanted.pulls {
                news.is_pulled_old |= self.pulled.get(&uri).is_some_and(|pulled| {
                    pulled.version == version && pulled.diagnostics != diagnostics
                });
                // It asks for these; what was published before it opened the file goes.
                (diagnostics, version) = (Vec::new(), None);
            }
            let told = self.told.get(&uri);
            let is_known = match told {
                None => diagnostics.is_empty() && version.is_none(),
                Some((known, known_version)) => *known == diagnostics && *known_version == version,
            };
            if is_known {
                continue;
            }
            match diagnostics.is_empty() && version.is_none() {
                true => self.told.remove(&uri),
                false => self.told.insert(uri.clone(), (diagnostics.clone(), version)),
            };
            news.lists.push(ChangedList { uri, diagnostics, version });
        }
        news
    }

    /// See [`Diagnostics::pull`].
    fn pull(
        &mut self,
        uri: &lsp::Uri,
        version: Option<i32>,
        previous: Option<&str>,
    ) -> (String, Option<Vec<lsp::Diagnostic>>) {
        let diagnostics = self.about(uri);
        let number = match self.pulled.get(uri) {
            Some(pulled) if pulled.diagnostics == diagnostics => pulled.number,
            _ => {
                self.lists += 1;
                self.lists
            }
        };
        let name = number.to_string();
        let is_known = previous == Some(&*name);
        let list = (!is_known).then(|| diagnostics.clone());
        self.pulled.insert(uri.clone(), Pulled { number, version, diagnostics });
        (name, list)
    }
}

/// The configs that count and have something wrong with them: only those are worth reading again.
fn broken(config: Option<&Arc<Config>>) -> impl Iterator<Item = PathBuf> {
    let all = config.into_iter().flat_map(|config| config.and_outer());
    all.filter(|config| !config.problems.is_empty()).map(|config| config.path.clone())
}

/// The problems of the prompts in a file, by the file that they are in. A bug in the check costs
/// this one list, not the server.
fn problems(
    file: &FileSnapshot,
    style: DiagnosticStyle,
) -> BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>> {
    let found = catch_unwind(AssertUnwindSafe(|| file.file.problems(DEFAULT_MAX_PROBLEMS)));
    let mut by_file: BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>> = BTreeMap::new();
    for problem in found.unwrap_or_default() {
        // A prompt that is not open has its say only about the sidecar that is.
        if file.version.is_none() && problem.location.file == file.file.file {
            continue;
        }
        let Some((_, uri)) = file.place(problem.location.file) else { continue };
        if let Some(diagnostic) = style::diagnostic(&problem, |id| file.place(id), style) {
            by_file.entry(uri).or_default().push(diagnostic);
        }
    }
    by_file
}
