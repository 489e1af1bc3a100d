//! The open documents and their related files.
//!
//! [`Documents`] stores them. Each other file adds one type that works on the store: `sync.rs`
//! applies what the editor reports, `loader.rs` reads prompts, `lookup.rs` finds them, `unstored.rs`
//! reads others, `text_references.rs` follows parts of prompts in code, `with_texts.rs` reads them with other texts, `diagnosed.rs` returns what their
//! diagnostics depend on, and `project_files.rs` reads the files around them.
//!
//! The map of documents is accessed only here and in [`overlay`](super::overlay). No guard of it
//! leaves a function, and none of these functions waits.

mod diagnosed;
pub(super) mod index;
mod loader;
mod lookup;
mod project_files;
mod sync;
mod text_references;
mod unstored;
mod with_texts;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::{DashMap, Entry};
use promptls_syntax::Dialect;
use promptls_workspace::{
    CONFIG_NAME, Configs, Files, Overrides, ProgramFacts, Project, PromptFile, folder_of,
    inclusions,
};
use tokio::sync::watch;

use self::index::Index;
use super::change_log::ChangeLog;
use super::code_facts::CodeFacts;
use super::document::Document;
use super::large_files::LargeFiles;
use super::listings::Listings;
use super::overlay::{Overlay, Wait};
use super::selected_cases::SelectedCases;
use crate::convert::Uri;

/// All open documents, and prompts that were loaded for open sidecars.
#[derive(Default)]
pub struct Documents {
    by_uri: DashMap<Uri, Document>,
    index: Index,
    /// Documents whose URI is not the file URI of their path.
    elsewhere: DashMap<PathBuf, Uri>,
    large_files: LargeFiles,
    listings: Listings,
    code: CodeFacts,
    /// The open files that prompts share by a rule, if all of these prompts are loaded.
    shared: DashMap<PathBuf, ()>,
    /// The selected cases of each document, open or not.
    selected: DashMap<Uri, SelectedCases>,
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

    /// The URI of a file, as the editor writes it.
    pub fn uri(&self, path: &Path) -> Option<Uri> {
        self.overlay().uri(path)
    }

    /// All files as the editor shows them. Large files are read in the background, see
    /// [`Wait::ForSmall`].
    pub fn files(&self) -> impl Files + '_ {
        self.overlay()
    }

    /// The version of a document; `None` if it is not open.
    pub fn version(&self, uri: &Uri) -> Option<i32> {
        self.by_uri.get(uri)?.open_version()
    }

    /// The length of a document in bytes; 0 if it is not loaded.
    pub fn bytes(&self, uri: &Uri) -> usize {
        self.by_uri.get(uri).map_or(0, |document| document.text.len_bytes())
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

    /// The URIs of all documents.
    pub fn all(&self) -> Vec<Uri> {
        self.by_uri.iter().map(|document| document.key().clone()).collect()
    }

    /// The paths of all documents that the editor has open.
    pub fn open_paths(&self) -> Vec<PathBuf> {
        let open = self.by_uri.iter().filter(|document| document.is_open);
        open.map(|document| document.path.clone()).collect()
    }

    /// The path of the document if it is a config and open in the editor.
    pub fn open_config(&self, uri: &Uri) -> Option<PathBuf> {
        let document = self.by_uri.get(uri)?;
        let is_config = document.path.file_name()? == CONFIG_NAME;
        (is_config && document.is_open).then(|| document.path.clone())
    }

    pub(super) fn is_open(&self, path: &Path) -> bool {
        self.uri(path).is_some_and(|uri| self.version(&uri).is_some())
    }

    /// Returns whether prompts of an open document include texts of a file.
    pub(super) fn is_part_of_open(&self, path: &Path) -> bool {
        let uses = self.code.uses(path);
        let is_open = |file: &Path| file != path && self.is_open(file);
        inclusions(&uses).filter_map(|inclusion| inclusion.file.as_deref()).any(is_open)
    }

    /// The paths of open documents in the folder of another one.
    fn open_beside(&self, path: &Path) -> Vec<PathBuf> {
        let here = self.index.in_folder(folder_of(path)).into_iter();
        let others = here.filter_map(|uri| {
            let document = self.by_uri.get(&uri)?;
            (document.is_open && document.path != path).then(|| document.path.clone())
        });
        others.collect()
    }

    /// Adds a document that the editor has opened.
    fn put(&self, uri: &Uri, document: Document) {
        let path = document.path.clone();
        // A job in the background may add or remove it at the same time.
        match self.by_uri.entry(uri.clone()) {
            Entry::Occupied(mut known) => {
                self.index.remove(uri, known.get());
                self.index.add(uri, &document);
                known.insert(document);
            }
            Entry::Vacant(place) => {
                self.index.add(uri, &document);
                place.insert(document);
            }
        }
        self.listings.opened_or_closed(&path);
    }

    /// Adds a document that is not open; `false` if there is one, which the editor may have opened.
    fn put_unopened(&self, uri: &Uri, document: Document) -> bool {
        let path = document.path.clone();
        match self.by_uri.entry(uri.clone()) {
            Entry::Occupied(_) => return false,
            Entry::Vacant(place) => {
                self.index.add(uri, &document);
                place.insert(document);
            }
        }
        self.listings.opened_or_closed(&path);
        true
    }

    fn take_out(&self, uri: &Uri) -> Option<Document> {
        self.take_out_if(uri, |_| true)
    }

    /// Removes a document that satisfies a condition.
    fn take_out_if(&self, uri: &Uri, is_it: impl Fn(&Document) -> bool) -> Option<Document> {
        let document = match self.by_uri.entry(uri.clone()) {
            Entry::Occupied(known) if is_it(known.get()) => {
                self.index.remove(uri, known.get());
                known.remove()
            }
            _ => return None,
        };
        self.listings.opened_or_closed(&document.path);
        Some(document)
    }

    /// Returns the URIs of a document's files.
    pub(super) fn uris_of(&self, own: &Uri, file: &PromptFile) -> Arc<[Option<Uri>]> {
        let around = file.around.iter().map(|file| &file.path);
        let others = file.files[1..].iter().chain(around).map(|path| self.uri(path));
        std::iter::once(Some(own.clone())).chain(others).collect()
    }

    pub(super) fn overrides_for(&self, language: &str) -> Overrides {
        Overrides { language: Dialect::from_language_id(language), ..self.overrides.clone() }
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

    /// Some files, with the configs and the programs of the workspace.
    fn project_with<'p>(&'p self, files: &'p dyn Files) -> Project<'p> {
        Project { files, configs: &self.configs, program: &self.code }
    }

    fn overlay_with(&self, wait: Wait) -> Overlay<'_> {
        Overlay {
            documents: &self.by_uri,
            index: &self.index,
            elsewhere: &self.elsewhere,
            large: &self.large_files,
            listings: &self.listings,
            wait,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use promptls_analysis::DEFAULT_MAX_PROBLEMS;
    use promptls_analysis::position::Encoding;
    use promptls_workspace::{Layer, NoFiles, ReadError, Reading, Scope};

    use super::*;
    use crate::convert;
    use crate::session::document::{OpenedDocument, TextChange};

    /// Opens documents in a folder; returns for each the prompts that it affects.
    fn open_all(documents: &Documents, folder: &str, names: &[String]) -> Vec<BTreeSet<Uri>> {
        let open = |name: &String| {
            let uri: Uri = format!("{folder}{name}").parse().unwrap();
            let text = "Dear {name},".to_owned();
            let language = if name.ends_with(".json") { "json" } else { "prompt-adk" };
            documents
                .sync()
                .open(OpenedDocument { uri, language: language.to_owned(), version: 1, text })
                .0
        };
        names.iter().map(open).collect()
    }

    #[test]
    fn opening_a_document_affects_only_related_documents() {
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
            taken[0].iter().map(|uri| uri.as_str().rsplit('/').next().unwrap()).collect();
        assert_eq!(names, ["p7.adk.prompt", "p7.adk.x.inputs.json", "p7.adk.x.prompt"]);
    }

    /// Files that the editor opens while they are read.
    struct OpenedMeanwhile<'d>(&'d Documents);

    impl Layer for OpenedMeanwhile<'_> {
        fn below(&self) -> &dyn Files {
            &NoFiles
        }

        fn read_as(&self, path: &Path, _: Reading) -> Result<Arc<str>, ReadError> {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            open_all(self.0, "file:///nowhere/", &[name]);
            Ok("Dear all,".into())
        }
    }

    #[test]
    fn a_document_that_is_opened_while_its_file_is_read_stays_open() {
        let documents = Documents::default();
        let uri: Uri = "file:///nowhere/p.adk.prompt".parse().unwrap();
        let path = convert::path(&uri);
        let added = documents.loader().add_unopened(vec![path], &OpenedMeanwhile(&documents));
        assert_eq!((added, documents.version(&uri)), (Vec::new(), Some(1)));
        // The file does not exist, but the document is the editor's.
        documents.loader().load(&uri);
        assert!(documents.take_out_if(&uri, |document| !document.is_open).is_none());
        let change = TextChange { range: None, text: "Dear Ada,".to_owned() };
        assert!(documents.sync().change(&uri, 2, vec![change], Encoding::Utf16).is_ok());
        documents.sync().close(&uri);
        assert!(documents.index.is_empty());
    }

    #[test]
    fn a_change_affects_only_readers_and_closing_frees_all_state() {
        let documents = Documents::default();
        let names: Vec<String> = (0..300)
            .flat_map(|number| {
                [format!("p{number}.adk.prompt"), format!("p{number}.adk.inputs.json")]
            })
            .collect();
        open_all(&documents, "file:///nowhere/", &names);
        let uri = |name: &str| -> Uri { format!("file:///nowhere/{name}").parse().unwrap() };
        let whole = |text: &str| TextChange { range: None, text: text.to_owned() };
        let change = |name: &str, text: &str| {
            let version = documents.version(&uri(name)).unwrap() + 1;
            documents
                .sync()
                .change(&uri(name), version, vec![whole(text)], Encoding::Utf16)
                .unwrap()
        };
        let of = |names: &[&str]| names.iter().map(|name| uri(name)).collect::<BTreeSet<_>>();
        assert_eq!(change("p7.adk.prompt", "{a}"), of(&["p7.adk.prompt"]));
        let both = of(&["p7.adk.inputs.json", "p7.adk.prompt"]);
        assert_eq!(change("p7.adk.inputs.json", "{}"), both);
        assert_eq!(documents.lookup().known_readers(&uri("p7.adk.inputs.json")).len(), 1);
        for name in &names {
            documents.sync().close(&uri(name));
        }
        assert!(documents.by_uri.is_empty() && documents.index.is_empty());
    }

    /// Code and large files are read in the background, and then their readers are loaded again.
    #[test]
    fn changes_during_a_background_load_are_kept() {
        let documents = Documents::default();
        let names = ["a.adk.prompt", "a.adk.inputs.json"].map(str::to_owned);
        open_all(&documents, "file:///nowhere/", &names);
        let uri = |name: &str| -> Uri { format!("file:///nowhere/{name}").parse().unwrap() };
        let (prompt, inputs) = (uri("a.adk.prompt"), uri("a.adk.inputs.json"));
        let is_over = std::sync::atomic::AtomicBool::new(false);
        let lost = std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        documents.loader().load(&prompt);
                    }
                });
            }
            let mut lost = 0;
            for version in 2..500 {
                let has_name = version % 2 == 0;
                let text = if has_name { r#"{"name": 1}"# } else { "{}" }.to_owned();
                let whole = TextChange { range: None, text };
                documents.sync().change(&inputs, version, vec![whole], Encoding::Utf16).unwrap();
                // A load that began before the change may end now.
                std::thread::yield_now();
                let problems = documents.lookup().prompts(&prompt)[0]
                    .problems_in_text(Scope::AllCases, DEFAULT_MAX_PROBLEMS);
                lost += usize::from(problems.is_empty() != has_name);
            }
            is_over.store(true, Ordering::Relaxed);
            lost
        });
        assert_eq!(lost, 0, "changes that were lost");
    }

    #[test]
    fn a_large_file_is_reported_as_loading_until_it_is_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let write = |length: usize, name: &str| {
            let text = format!(r#"{{"{name}": "Ada", "filler": "{}"}}"#, "x".repeat(length));
            std::fs::write(folder.path().join("a.adk.inputs.json"), text).unwrap();
        };
        write(2 << 20, "name");
        let documents = Documents::default();
        let uri = convert::uri(&folder.path().join("a.adk.prompt")).unwrap();
        let text = "{name} {filler}".to_owned();
        let language = "prompt".to_owned();
        let opened = OpenedDocument { uri: uri.clone(), language, version: 1, text };
        let problems = || {
            let prompts = documents.lookup().prompts(&uri);
            let problems = prompts[0].problems_in_text(Scope::AllCases, DEFAULT_MAX_PROBLEMS);
            problems.into_iter().map(|it| format!("{:?} {}", it.severity, it.message)).collect()
        };
        documents.sync().open(opened);
        let reading: Vec<String> = problems();
        assert_eq!(reading, ["Information this file is still being read"]);
        assert_eq!(documents.loader().read_large_files(), BTreeSet::from([uri.clone()]));
        assert_eq!(problems(), Vec::<String>::new());

        // The previous inputs remain in use until the file is read again.
        write(3 << 20, "other");
        documents.sync().files_changed(&[folder.path().join("a.adk.inputs.json")]);
        assert_eq!(problems(), reading);
        documents.loader().read_large_files();
        assert!(problems()[0].starts_with("Error `name`"));
    }

    #[test]
    fn large_files_are_not_read_on_the_message_task() {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join(CONFIG_NAME);
        std::fs::write(&config, "#".repeat(2 << 20)).unwrap();
        let documents = Documents::default();
        let old = documents.project().text(&folder.path().join("none")).ok();
        assert!(documents.project().still_has(&folder.path().join("none"), old.as_ref()));
        assert!(documents.project().config(&config).is_none());
        // The call has requested the file, which is then read in the background.
        documents.loader().read_large_files();
        let (text, _) = documents.project().config(&config).expect("it was read");
        assert!(documents.project().still_has(&config, Some(&text)));
        std::fs::write(&config, "#".repeat(3 << 20)).unwrap();
        assert!(!documents.project().still_has(&config, Some(&text)));
    }
}
