//! The open documents and their related files.
//!
//! The map of documents is accessed only here and in [`overlay`](super::overlay). No guard of it
//! leaves a function, and none of these functions waits. `lookup.rs` finds prompts, `loading.rs`
//! reads them.

pub(super) mod index;
mod loading;
mod lookup;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::DashMap;
use promptls_analysis::position::Encoding;
use promptls_resolver::Problem;
use promptls_workspace::{
    CONFIG_NAME, Change, Config, Configs, Disk, Files, Overrides, PromptFile, ReadError,
};
use ropey::Rope;
use tokio::sync::watch;
use tower_lsp::ls_types as lsp;

use self::index::Index;
use super::change_log::ChangeLog;
use super::code_facts::CodeFacts;
use super::document::{Document, DocumentPrompts};
use super::large_files::LargeFiles;
use super::listings::Listings;
use super::overlay::{Overlay, Wait, is_on_disk};
use super::prompt_snapshot::FileSnapshot;
use crate::convert;
use crate::watched_files::is_watched;

/// An invalid notification about a document. It is reported in the editor's log.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    #[error("a change of {0} was ignored: it is not open")]
    NotOpen(String),
    #[error(
        "a change of {uri} was ignored: it is for version {got}, and version {had} came before"
    )]
    Stale { uri: String, got: i32, had: i32 },
    #[error("a change of {0} was ignored: its range ends before it starts")]
    Backwards(String),
}

/// The problems of a config.
pub struct ConfigProblems {
    /// The text of the config; empty if it cannot be read.
    pub text: Rope,
    pub problems: Vec<Problem>,
    /// An editor can open the config: it is a regular file, or open already.
    pub opens: bool,
}

/// All open documents, and prompts that were loaded for open sidecars.
#[derive(Default)]
pub struct Documents {
    documents: DashMap<lsp::Uri, Document>,
    index: Index,
    /// Documents whose URI is not the file URI of their path.
    elsewhere: DashMap<PathBuf, lsp::Uri>,
    large_files: LargeFiles,
    listings: Listings,
    code: CodeFacts,
    /// The open files that prompts share by a rule, if all of these prompts are loaded.
    shared: DashMap<PathBuf, ()>,
    /// The selected case of each prompt, open or not.
    selected: DashMap<lsp::Uri, Arc<str>>,
    configs: Configs,
    /// Settings that override those of the files, for each document.
    overrides: Overrides,
    generation: AtomicU64,
    changes: watch::Sender<()>,
    log: ChangeLog,
}

impl Documents {
    /// Starts without documents. The overrides apply to all later ones.
    pub fn new(overrides: Overrides) -> Documents {
        Documents { overrides, ..Documents::default() }
    }

    /// Marks the workspace as untrusted, so that its files can refer to less.
    pub fn distrust(&self) {
        self.configs.reach().distrust();
    }

    /// Opens a document. Returns the prompts whose problems may have changed.
    ///
    /// Small sidecars are read at once, so that a request right after this one uses them. Also
    /// returns `true` if prompts elsewhere may share the document: see [`Documents::open_sharing`].
    pub fn open(&self, opened: lsp::TextDocumentItem) -> (BTreeSet<lsp::Uri>, bool) {
        self.next_generation();
        // A config may have been added without a notification.
        self.configs.forget();
        let uri = opened.uri;
        let path = convert::path(&uri);
        if convert::uri(&path).as_ref() != Some(&uri) {
            self.elsewhere.insert(path.clone(), uri.clone());
        }
        let document = Document {
            version: opened.version,
            language: opened.language_id,
            is_open: true,
            // The selection is kept when a document is opened again.
            selected: self.selected.get(&uri).map(|case| case.clone()),
            ..Document::new(path.clone(), Rope::from_str(&opened.text))
        };
        self.put(&uri, document);
        self.log.note(&path, Change::Place);
        self.code.changed(&path);
        let mut touched = self.reload_around(&path);
        self.load(&uri);
        let is_shared = path.parent().is_some_and(|folder| {
            let config = self.configs.nearest(&self.overlay(), folder);
            config.is_some_and(|config| config.shares(&path))
        });
        touched.insert(uri);
        (touched, is_shared)
    }

    /// Closes a document: from now on its file on disk is used. Returns the prompts whose problems
    /// may have changed.
    pub fn close(&self, uri: &lsp::Uri) -> BTreeSet<lsp::Uri> {
        self.next_generation();
        let Some(document) = self.take_out(uri) else { return BTreeSet::new() };
        let path = document.path;
        self.log.note(&path, Change::Place);
        self.code.changed(&path);
        self.elsewhere.remove_if(&path, |_, other| other == uri);
        self.shared.remove(&path);
        let mut touched = BTreeSet::from([uri.clone()]);
        touched.extend(self.reload_around(&path));
        // Its sidecars may still be open, and depend on it for their problems.
        for sidecar in self.index.sidecars(&path) {
            self.open_owners_beside(&convert::path(&sidecar));
        }
        touched.extend(self.drop_unneeded());
        touched
    }

    /// The length of a document in bytes; 0 if it is not loaded.
    pub fn bytes(&self, uri: &lsp::Uri) -> usize {
        self.documents.get(uri).map_or(0, |document| document.text.len_bytes())
    }

    /// The paths of open documents in the folder of another one.
    fn open_beside(&self, path: &Path) -> Vec<PathBuf> {
        let here = self.index.in_folder(path.parent().unwrap_or(Path::new("/"))).into_iter();
        let others = here.filter_map(|uri| {
            let document = self.documents.get(&uri)?;
            (document.is_open && document.path != path).then(|| document.path.clone())
        });
        others.collect()
    }

    fn put(&self, uri: &lsp::Uri, document: Document) {
        self.take_out(uri);
        self.index.add(uri, &document);
        let path = document.path.clone();
        self.documents.insert(uri.clone(), document);
        self.listings.opened_or_closed(&path);
    }

    fn take_out(&self, uri: &lsp::Uri) -> Option<Document> {
        let (_, document) = self.documents.remove(uri)?;
        self.index.remove(uri, &document);
        self.listings.opened_or_closed(&document.path);
        Some(document)
    }

    /// Applies the changes of a version in order: all of them, or none if it fails.
    pub fn change(
        &self,
        uri: &lsp::Uri,
        version: i32,
        changes: Vec<lsp::TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Result<BTreeSet<lsp::Uri>, ChangeError> {
        self.next_generation();
        let mut touched = BTreeSet::from([uri.clone()]);
        let mut is_back = false;
        let path = {
            let mut document = self
                .documents
                .get_mut(uri)
                .filter(|document| document.is_open)
                .ok_or_else(|| ChangeError::NotOpen(uri.to_string()))?;
            // A full text is correct whatever came before; some editors send it twice.
            let is_whole = changes.first().is_some_and(|change| change.range.is_none());
            if version < document.version || version == document.version && !is_whole {
                let had = document.version;
                return Err(ChangeError::Stale { uri: uri.to_string(), got: version, had });
            }
            document
                .apply(&changes, encoding)
                .ok_or_else(|| ChangeError::Backwards(uri.to_string()))?;
            document.version = version;
            is_back |= std::mem::take(&mut document.is_deleted);
            document.path.clone()
        };
        self.log.note(&path, if is_back { Change::Place } else { Change::Text });
        self.code.changed(&path);
        if is_back {
            self.listings.opened_or_closed(&path);
            touched.extend(self.reload_around(&path));
        }
        touched.extend(self.reload_readers(&path));
        Ok(touched)
    }

    /// Handles files and folders that changed on disk, appeared or disappeared. Returns the prompts
    /// whose problems may have changed.
    pub fn files_changed(&self, paths: &[PathBuf]) -> BTreeSet<lsp::Uri> {
        self.changes.send_replace(());
        let mut touched = BTreeSet::new();
        let paths: Vec<&PathBuf> = paths.iter().filter(|path| Self::may_matter(path)).collect();
        let is_other = |path: &&PathBuf| !is_watched(path);
        // Editors do not report the files inside a folder separately.
        let below = paths.iter().copied().filter(is_other).flat_map(|it| self.index.below(it));
        let below: BTreeSet<PathBuf> = below.collect();
        for path in paths.into_iter().chain(&below) {
            self.listings.forget(path.parent().unwrap_or(Path::new("/")));
            self.log.note(path, Change::Place);
            self.code.changed(path);
            // The editor's text takes precedence over the file, and its changes are notified
            // separately.
            if !self.is_open(path) || self.comes_or_goes(path) {
                touched.extend(self.take_in(path));
                touched.extend(self.reload_around(path));
            }
        }
        // A deleted prompt no longer reads the files that it shared.
        touched.extend(self.shared.iter().filter_map(|shared| self.uri(shared.key())));
        touched
    }

    /// Returns whether a change of a path may affect a prompt: it is missing, a folder, or a
    /// watched file.
    fn may_matter(path: &Path) -> bool {
        is_watched(path) || !is_on_disk(path) || Disk.is_folder(path)
    }

    /// Returns whether the file of an open document was deleted, or exists again.
    fn comes_or_goes(&self, path: &Path) -> bool {
        let uri = self.uri(path);
        let Some(mut document) = uri.and_then(|uri| self.documents.get_mut(&uri)) else {
            return false;
        };
        let is_deleted = !is_on_disk(path);
        let is_other = std::mem::replace(&mut document.is_deleted, is_deleted) != is_deleted;
        self.listings.opened_or_closed(path);
        is_other
    }

    /// Selects a case for the prompts of a document; `false` if none of them has it.
    pub fn select_case(&self, uri: &lsp::Uri, case: &str) -> bool {
        let Some(mut document) = self.documents.get_mut(uri) else { return false };
        let mut prompts = document.prompts().iter();
        let is_known = prompts.any(|prompt| prompt.snapshot.case_named(case).is_some());
        if is_known {
            document.selected = Some(case.into());
            self.selected.insert(uri.clone(), case.into());
        }
        is_known
    }

    /// The URI of a file, as the editor writes it.
    pub fn uri(&self, path: &Path) -> Option<lsp::Uri> {
        self.overlay().uri(path)
    }

    /// All files as the editor shows them. Large files are read in the background, see
    /// [`Wait::ForSmall`].
    pub fn files(&self) -> impl Files + '_ {
        self.overlay()
    }

    /// The text of any file as the editor shows it. Call it on a worker, because the file may be
    /// large.
    pub fn text(&self, path: &Path) -> Result<Rope, ReadError> {
        let files = self.overlay_with(Wait::ForLarge);
        match files.open_text(path) {
            Some(text) => Ok(text),
            None => files.read(path).map(|text| Rope::from_str(&text)),
        }
    }

    /// Returns whether the text of a file is still `text`; `None` stands for a missing file. A file
    /// that has become large since counts as changed.
    pub fn still_says(&self, path: &Path, text: Option<&Rope>) -> bool {
        let files = self.overlay();
        match files.open_text(path) {
            Some(now) => text == Some(&now),
            None => match (files.read(path), text) {
                (Ok(now), Some(text)) => *text == *now,
                (now, text) => now.is_err() && text.is_none(),
            },
        }
    }

    /// A counter that grows with each change of an open document. Results computed from several
    /// documents are valid while it is unchanged.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Returns a receiver for all later changes of open documents and of files on disk.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    fn next_generation(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
        self.changes.send_replace(());
    }

    /// The version of a document; `None` if it is not open.
    pub fn version(&self, uri: &lsp::Uri) -> Option<i32> {
        self.documents.get(uri)?.open_version()
    }

    /// The text of a config and the parsed config; `None` if it cannot be read at once.
    pub fn config(&self, path: &Path) -> Option<(Rope, Config)> {
        let (text, config) = self.configs.parse(&self.overlay(), path).ok()?;
        Some((Rope::from_str(&text), config))
    }

    /// The problems of a config; `None` if it is missing.
    pub fn config_problems(&self, path: &Path) -> Option<ConfigProblems> {
        let (text, problems, opens) = match self.configs.parse(&self.overlay(), path) {
            Ok((text, config)) => (Rope::from_str(&text), config.problems, true),
            Err(error) if error.is_missing() => return None,
            Err(error) => {
                let opens = !error.is_no_file();
                (Rope::new(), Config::unread(path, &error).problems, opens)
            }
        };
        Some(ConfigProblems { text, problems, opens })
    }

    /// The path of the document if it is a config and open in the editor.
    pub fn open_config(&self, uri: &lsp::Uri) -> Option<PathBuf> {
        let document = self.documents.get(uri)?;
        let is_config = document.path.file_name()? == CONFIG_NAME;
        (is_config && document.is_open).then(|| document.path.clone())
    }

    /// The changes for the thread that follows the whole workspace.
    pub fn log(&self) -> &ChangeLog {
        &self.log
    }

    /// All files as the editor shows them, for a thread that reads each of them once.
    pub fn all_files(&self) -> impl Files + '_ {
        self.overlay_with(Wait::KeepNothing)
    }

    /// An empty cache of configs, for use with those files.
    pub fn new_configs(&self) -> Configs {
        self.configs.afresh()
    }

    /// A snapshot of prompts that are not stored here, with the URIs of their files.
    pub fn snapshot_of(&self, file: PromptFile) -> Option<FileSnapshot> {
        let path = &file.files[0];
        let uri = self.uri(path)?;
        let text = match (&file.texts[0], &file.prompts[..]) {
            (Some(text), _) => Rope::from_str(text),
            (None, [prompt]) => prompt.snapshot.text.rope().clone(),
            _ => Rope::new(),
        };
        let uris = self.uris_of(&uri, &file);
        let mut document = Document::new(path.clone(), text);
        document.held = Some(DocumentPrompts::new(file, uris));
        document.of_file()
    }

    /// The paths of all documents that the editor has open.
    pub fn open_paths(&self) -> Vec<PathBuf> {
        let open = self.documents.iter().filter(|document| document.is_open);
        open.map(|document| document.path.clone()).collect()
    }

    /// The URIs of all documents.
    pub fn all(&self) -> Vec<lsp::Uri> {
        self.documents.iter().map(|document| document.key().clone()).collect()
    }

    /// The files to read in the background.
    pub fn large_files(&self) -> &LargeFiles {
        &self.large_files
    }

    /// Facts about prompts from code in other files.
    pub fn code_facts(&self) -> &CodeFacts {
        &self.code
    }

    /// Sets the folders of the workspace, which are absolute.
    pub fn set_folders(&self, folders: Vec<PathBuf>) {
        self.code.forget();
        self.log.set_folders(folders);
    }

    /// Files for the message task, which does not wait for large ones.
    fn overlay(&self) -> Overlay<'_> {
        self.overlay_with(Wait::ForSmall)
    }

    fn overlay_with(&self, wait: Wait) -> Overlay<'_> {
        Overlay {
            documents: &self.documents,
            index: &self.index,
            elsewhere: &self.elsewhere,
            large: &self.large_files,
            listings: &self.listings,
            code: &self.code,
            wait,
        }
    }
}

#[cfg(test)]
mod tests {
    use promptls_analysis::DEFAULT_MAX_PROBLEMS;
    use promptls_workspace::Scope;

    use super::*;

    /// Opens documents in a folder; returns for each the prompts that it affects.
    fn open_all(documents: &Documents, folder: &str, names: &[String]) -> Vec<BTreeSet<lsp::Uri>> {
        let open = |name: &String| {
            let uri: lsp::Uri = format!("{folder}{name}").parse().unwrap();
            let text = "Dear {name},".to_owned();
            let language = if name.ends_with(".json") { "json" } else { "prompt-adk" };
            documents.open(lsp::TextDocumentItem::new(uri, language.to_owned(), 1, text)).0
        };
        names.iter().map(open).collect()
    }

    #[test]
    fn what_is_opened_concerns_what_it_belongs_to_alone() {
        let documents = Documents::default();
        let prompts: Vec<String> = (0..300).map(|number| format!("p{number}.adk.prompt")).collect();
        for touched in open_all(&documents, "file:///nowhere/", &prompts) {
            assert_eq!(touched.len(), 1, "{touched:?}");
        }
        let sidecars: Vec<String> =
            (0..300).map(|number| format!("p{number}.adk.x.inputs.json")).collect();
        for touched in open_all(&documents, "file:///nowhere/", &sidecars) {
            assert_eq!(touched.len(), 2, "{touched:?}");
        }
        let untitled: Vec<String> = (0..300).map(|number| format!("Untitled-{number}")).collect();
        for touched in open_all(&documents, "untitled:", &untitled) {
            assert_eq!(touched.len(), 1, "{touched:?}");
        }
        // A prompt takes a sidecar from the one with a shorter name.
        let taken = open_all(&documents, "file:///nowhere/", &["p7.adk.x.prompt".to_owned()]);
        let names: Vec<&str> =
            taken[0].iter().map(|uri| uri.path().as_str().rsplit('/').next().unwrap()).collect();
        assert_eq!(names, ["p7.adk.prompt", "p7.adk.x.inputs.json", "p7.adk.x.prompt"]);
    }

    #[test]
    fn a_change_concerns_those_that_read_it_alone_and_nothing_is_left_behind() {
        let documents = Documents::default();
        let names: Vec<String> = (0..300)
            .flat_map(|number| {
                [format!("p{number}.adk.prompt"), format!("p{number}.adk.inputs.json")]
            })
            .collect();
        open_all(&documents, "file:///nowhere/", &names);
        let uri = |name: &str| -> lsp::Uri { format!("file:///nowhere/{name}").parse().unwrap() };
        let whole = |text: &str| lsp::TextDocumentContentChangeEvent {
            range: None,
            range_length: None,
            text: text.to_owned(),
        };
        let change = |name: &str, text: &str| {
            let version = documents.version(&uri(name)).unwrap() + 1;
            documents.change(&uri(name), version, vec![whole(text)], Encoding::Utf16).unwrap()
        };
        let of = |names: &[&str]| names.iter().map(|name| uri(name)).collect::<BTreeSet<_>>();
        assert_eq!(change("p7.adk.prompt", "{a}"), of(&["p7.adk.prompt"]));
        let both = of(&["p7.adk.inputs.json", "p7.adk.prompt"]);
        assert_eq!(change("p7.adk.inputs.json", "{}"), both);
        assert_eq!(documents.known_readers(&uri("p7.adk.inputs.json")).len(), 1);
        for name in &names {
            documents.close(&uri(name));
        }
        assert!(documents.documents.is_empty() && documents.index.is_empty());
    }

    /// Code and large files are read in the background, and then their readers are loaded again.
    #[test]
    fn a_load_in_the_background_loses_no_change() {
        let documents = Documents::default();
        let names = ["a.adk.prompt", "a.adk.inputs.json"].map(str::to_owned);
        open_all(&documents, "file:///nowhere/", &names);
        let uri = |name: &str| -> lsp::Uri { format!("file:///nowhere/{name}").parse().unwrap() };
        let (prompt, inputs) = (uri("a.adk.prompt"), uri("a.adk.inputs.json"));
        let is_over = std::sync::atomic::AtomicBool::new(false);
        let lost = std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        documents.load(&prompt);
                    }
                });
            }
            let mut lost = 0;
            for version in 2..500 {
                let has_name = version % 2 == 0;
                let text = if has_name { r#"{"name": 1}"# } else { "{}" }.to_owned();
                let whole =
                    lsp::TextDocumentContentChangeEvent { range: None, range_length: None, text };
                documents.change(&inputs, version, vec![whole], Encoding::Utf16).unwrap();
                // A load that began before the change may end now.
                std::thread::yield_now();
                let problems = documents.prompts(&prompt)[0]
                    .problems_in_text(Scope::AllCases, DEFAULT_MAX_PROBLEMS);
                lost += usize::from(problems.is_empty() != has_name);
            }
            is_over.store(true, Ordering::Relaxed);
            lost
        });
        assert_eq!(lost, 0, "changes that were lost");
    }

    #[test]
    fn a_large_file_is_said_to_be_read_until_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let write = |length: usize, name: &str| {
            let text = format!(r#"{{"{name}": "Ada", "filler": "{}"}}"#, "x".repeat(length));
            std::fs::write(folder.path().join("a.adk.inputs.json"), text).unwrap();
        };
        write(2 << 20, "name");
        let documents = Documents::default();
        let uri = convert::uri(&folder.path().join("a.adk.prompt")).unwrap();
        let text = "{name} {filler}".to_owned();
        let opened = lsp::TextDocumentItem::new(uri.clone(), "prompt".to_owned(), 1, text);
        let problems = || {
            let prompts = documents.prompts(&uri);
            let problems = prompts[0].problems_in_text(Scope::AllCases, DEFAULT_MAX_PROBLEMS);
            problems.into_iter().map(|it| format!("{:?} {}", it.severity, it.message)).collect()
        };
        documents.open(opened);
        let reading: Vec<String> = problems();
        assert_eq!(reading, ["Information this file is still being read"]);
        assert_eq!(documents.read_large_files(), BTreeSet::from([uri.clone()]));
        assert_eq!(problems(), Vec::<String>::new());

        // The previous inputs remain in use until the file is read again.
        write(3 << 20, "other");
        documents.files_changed(&[folder.path().join("a.adk.inputs.json")]);
        assert_eq!(problems(), reading);
        documents.read_large_files();
        assert!(problems()[0].starts_with("Error `name`"));
    }

    #[test]
    fn the_message_task_reads_nothing_that_is_large() {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join(CONFIG_NAME);
        std::fs::write(&config, "#".repeat(2 << 20)).unwrap();
        let documents = Documents::default();
        let old = documents.text(&folder.path().join("none")).ok();
        assert!(documents.still_says(&folder.path().join("none"), old.as_ref()));
        assert!(documents.config(&config).is_none());
        // The call has requested the file, which is then read in the background.
        documents.read_large_files();
        let (text, _) = documents.config(&config).expect("it was read");
        assert!(documents.still_says(&config, Some(&text)));
        std::fs::write(&config, "#".repeat(3 << 20)).unwrap();
        assert!(!documents.still_says(&config, Some(&text)));
    }
}
