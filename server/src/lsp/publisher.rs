//! Tells the editor what is wrong, without anybody waiting for the editor.
//!
//! Handlers only mark what changed. One task takes the marks, checks, and sends;
//! while it waits for a slow editor, further marks gather and are done in one go.
//! So the first change is published at once, and no timer is needed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use promptls_analysis::position::Encoding;
use promptls_analysis::{DEFAULT_MAX_PROBLEMS, diagnose};
use promptls_resolver::{FileId, Problem};
use ropey::Rope;
use tokio::sync::Notify;
use tower_lsp::Client;
use tower_lsp::ls_types as lsp;

use super::convert;
use super::documents::Documents;
use super::moment::{Moment, PackMoment};
use crate::workspace::Config;

/// What the editor can show.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown {
    /// What columns count.
    pub encoding: Encoding,
    /// Whether it shows related places.
    pub related: bool,
    /// Whether it links to explanations.
    pub code_descriptions: bool,
}

/// Marks of what must be published.
#[derive(Default)]
pub struct Publisher {
    marks: Mutex<BTreeSet<lsp::Uri>>,
    marked: Notify,
}

impl Publisher {
    /// The problems of these documents may be others now.
    pub fn mark(&self, uris: impl IntoIterator<Item = lsp::Uri>) {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner).extend(uris);
        self.marked.notify_one();
    }

    fn take(&self) -> BTreeSet<lsp::Uri> {
        std::mem::take(&mut self.marks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Publishes for as long as the server lives.
    pub async fn run(self: Arc<Self>, client: Client, documents: Arc<Documents>, shown: Shown) {
        let mut published = Published::default();
        loop {
            self.marked.notified().await;
            for uri in self.take() {
                published.check(&documents, &uri, shown).await;
            }
            for report in published.changed(&documents) {
                client.publish_diagnostics(report.uri, report.diagnostics, report.version).await;
            }
        }
    }
}

/// A list to publish.
struct Report {
    uri: lsp::Uri,
    diagnostics: Vec<lsp::Diagnostic>,
    version: Option<i32>,
}

/// What the editor was told, and what it should be told.
#[derive(Default)]
struct Published {
    /// By file: what each prompt has to say about it.
    found: BTreeMap<lsp::Uri, BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>>>,
    /// What was told of each file, for which version.
    told: HashMap<lsp::Uri, (Vec<lsp::Diagnostic>, Option<i32>)>,
    /// The files to look at.
    concerned: BTreeSet<lsp::Uri>,
}

impl Published {
    /// Checks a document, and notes what it says about which file.
    async fn check(&mut self, documents: &Arc<Documents>, uri: &lsp::Uri, shown: Shown) {
        let mut said: BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>> = BTreeMap::new();
        let mut configs: BTreeSet<PathBuf> = documents.open_config(uri).into_iter().collect();
        if let Some(moment) = documents.moment(uri) {
            configs.extend(broken(moment.config.as_ref()));
            // A hop to another thread costs more than most checks do.
            said = match moment.snapshot.is_heavy() {
                false => problems(&moment, shown),
                true => tokio::task::spawn_blocking(move || problems(&moment, shown))
                    .await
                    .unwrap_or_default(),
            };
        }
        if let Some(moment) = documents.pack(uri) {
            configs.extend(broken(moment.pack.config.as_ref()));
            said = match moment.is_heavy() {
                false => pack_problems(&moment, shown),
                true => tokio::task::spawn_blocking(move || pack_problems(&moment, shown))
                    .await
                    .unwrap_or_default(),
            };
        }
        for path in configs {
            if let (Some((text, config)), Some(uri)) =
                (documents.config(&path), convert::uri(&path))
            {
                let place = |_| Some((&text, uri.clone()));
                let found = config.problems.iter();
                let found = found
                    .filter_map(|problem| {
                        convert::diagnostic(problem, place, shown.encoding, shown.related)
                    })
                    .collect();
                said.insert(uri.clone(), found);
            }
        }
        // What it said before and does not say any more goes.
        for (file, by_prompt) in &mut self.found {
            if by_prompt.remove(uri).is_some() {
                self.concerned.insert(file.clone());
            }
        }
        for (file, diagnostics) in said {
            self.concerned.insert(file.clone());
            self.found.entry(file).or_default().insert(uri.clone(), diagnostics);
        }
        // An open document hears of each of its versions, also that all is well.
        self.concerned.insert(uri.clone());
    }

    /// The lists that the editor does not know yet.
    fn changed(&mut self, documents: &Documents) -> Vec<Report> {
        let mut reports = Vec::new();
        for uri in std::mem::take(&mut self.concerned) {
            let mut diagnostics: Vec<lsp::Diagnostic> = Vec::new();
            for found in self.found.get(&uri).into_iter().flat_map(BTreeMap::values).flatten() {
                // Several prompts may say the same about a file that they share.
                if !diagnostics.contains(found) {
                    diagnostics.push(found.clone());
                }
            }
            let version = documents.version(&uri);
            let told = self.told.get(&uri);
            let is_known = match told {
                None => diagnostics.is_empty() && version.is_none(),
                Some((known, known_version)) => *known == diagnostics && *known_version == version,
            };
            if !is_known {
                self.told.insert(uri.clone(), (diagnostics.clone(), version));
                reports.push(Report { uri: uri.clone(), diagnostics, version });
            }
            if version.is_none() && self.told.get(&uri).is_some_and(|(known, _)| known.is_empty()) {
                self.told.remove(&uri);
            }
        }
        self.found.retain(|_, by_prompt| !by_prompt.is_empty());
        reports
    }
}

/// The path of a config, if there is something wrong with it: only then is it worth reading again.
fn broken(config: Option<&Arc<Config>>) -> Option<PathBuf> {
    let config = config.filter(|config| !config.problems.is_empty())?;
    Some(config.path.clone())
}

/// The problems of a prompt by file. A bug in the check costs this one list, not the server.
fn problems(moment: &Moment, shown: Shown) -> BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>> {
    let snapshot = &moment.snapshot;
    let found = catch_unwind(AssertUnwindSafe(|| diagnose(snapshot, DEFAULT_MAX_PROBLEMS)));
    let place = |file| moment.place(file);
    // A prompt that is not open has its say only about the sidecar that is.
    let found = found.unwrap_or_default().into_iter();
    let found = found.filter(|problem| moment.is_open || problem.location.file != FileId::PROMPT);
    by_file(found, place, shown)
}

/// The same for all prompts of a pack.
fn pack_problems(moment: &PackMoment, shown: Shown) -> BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>> {
    let found = catch_unwind(AssertUnwindSafe(|| moment.pack.problems(DEFAULT_MAX_PROBLEMS)));
    let found = found.unwrap_or_default().into_iter();
    let found = found.filter(|problem| moment.is_open || problem.location.file != moment.pack.file);
    by_file(found, |file| moment.place(file), shown)
}

fn by_file<'t>(
    found: impl Iterator<Item = Problem>,
    place: impl Fn(FileId) -> Option<(&'t Rope, lsp::Uri)>,
    shown: Shown,
) -> BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>> {
    let mut by_file: BTreeMap<lsp::Uri, Vec<lsp::Diagnostic>> = BTreeMap::new();
    for problem in found {
        let Some((_, uri)) = place(problem.location.file) else { continue };
        if let Some(diagnostic) =
            convert::diagnostic(&problem, &place, shown.encoding, shown.related)
        {
            by_file.entry(uri).or_default().push(diagnostic);
        }
    }
    by_file
}
