//! What is open in the editor, and what belongs to it.
//!
//! Only here and in [`overlay`](super::overlay) the map of documents is touched: no guard of it
//! leaves a function, and none of these functions waits.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::DashMap;
use promptls_analysis::position::Encoding;
use promptls_resolver::FileId;
use promptls_syntax::Dialect;
use promptls_workspace::{
    CONFIG_NAME, CommitError, Committed, Config, Configs, Files, Overrides, PromptFile, ReadError,
    kind_of, list_on_disk, prompts_in, prompts_of, read_from_disk,
};
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use super::document::{Document, Held};
use super::fingerprint::fingerprint;
use super::overlay::{Overlay, With};
use super::prompt_snapshot::{FileSnapshot, PromptSnapshot, View};
use crate::convert;
use crate::errors::changed_meanwhile;

/// Sidecars above this size are read in the background when a prompt is opened, in bytes.
const READ_AT_ONCE: u64 = 1 << 20;

/// What editors call a prompt whose dialect they do not know. In VS Code, `prompt` is a file of
/// its chat.
const PROMPT_LANGUAGES: [&str; 2] = ["prompt", "prompt-file"];

/// How many prompts of a folder are looked at to find those that an inputs file belongs to.
const MAX_OWNERS: usize = 200;

/// What the editor got wrong about a document; it goes into the editor's log.
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

/// All open documents.
#[derive(Default)]
pub struct Documents {
    documents: DashMap<lsp::Uri, Document>,
    /// What was chosen for each prompt, open or not.
    selected: DashMap<lsp::Uri, Arc<str>>,
    configs: Configs,
    /// What holds for each of them, whatever their files say.
    overrides: Overrides,
    generation: AtomicU64,
}

impl Documents {
    /// No documents yet. The overrides will hold for all of them.
    pub fn new(overrides: Overrides) -> Documents {
        Documents { overrides, ..Documents::default() }
    }

    /// A document was opened; returns the prompts whose problems may be others now.
    ///
    /// Small sidecars are read at once, so that a question right behind this one has its
    /// answer. `true` if there is more to be read: see [`Documents::read_rest`].
    pub fn open(&self, opened: lsp::TextDocumentItem) -> (BTreeSet<lsp::Uri>, bool) {
        self.next_generation();
        // A config may have come that nobody has told of.
        self.configs.forget();
        let uri = opened.uri;
        let path = uri.to_file_path().map(|path| path.into_owned());
        let document = Document {
            version: opened.version,
            language: opened.language_id,
            is_open: true,
            // What was chosen holds when a document is opened again.
            selected: self.selected.get(&uri).map(|case| case.clone()),
            ..Document::new(path.clone(), Rope::from_str(&opened.text))
        };
        self.documents.insert(uri.clone(), document);
        let mut touched = path.map(|path| self.reload_around(&path)).unwrap_or_default();
        let has_large = self.load(&uri, Some(READ_AT_ONCE));
        let is_shared = path_of(&uri).parent().is_some_and(|folder| {
            let config = self.configs.nearest(&self.overlay(None), folder);
            config.is_some_and(|config| config.shares(&path_of(&uri)))
        });
        touched.insert(uri);
        (touched, has_large || is_shared)
    }

    /// A document was closed: from now on its file counts.
    pub fn close(&self, uri: &lsp::Uri) -> BTreeSet<lsp::Uri> {
        self.next_generation();
        let Some((_, document)) = self.documents.remove(uri) else { return BTreeSet::new() };
        let mut touched = BTreeSet::from([uri.clone()]);
        if let Some(path) = document.path {
            touched.extend(self.reload_around(&path));
            // Its sidecars may still be open, and have their problems from it.
            for sidecar in self.open_beside(&path) {
                self.open_owners_beside(&sidecar);
            }
        }
        touched.extend(self.drop_unneeded());
        touched
    }

    /// The paths of open documents in the folder of another one.
    fn open_beside(&self, path: &Path) -> Vec<PathBuf> {
        let beside = |other: &&PathBuf| other.parent() == path.parent() && other.as_path() != path;
        self.documents
            .iter()
            .filter(|document| document.is_open)
            .filter_map(|document| document.path.as_ref().filter(beside).cloned())
            .collect()
    }

    /// Applies the changes of a version, all or none of them, in order.
    pub fn change(
        &self,
        uri: &lsp::Uri,
        version: i32,
        changes: Vec<lsp::TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Result<BTreeSet<lsp::Uri>, ChangeError> {
        self.next_generation();
        let mut touched = BTreeSet::from([uri.clone()]);
        let path = {
            let mut document = self
                .documents
                .get_mut(uri)
                .filter(|document| document.is_open)
                .ok_or_else(|| ChangeError::NotOpen(uri.to_string()))?;
            if version <= document.version {
                let had = document.version;
                return Err(ChangeError::Stale { uri: uri.to_string(), got: version, had });
            }
            document.version = version;
            for change in changes {
                document
                    .apply(&change, encoding)
                    .ok_or_else(|| ChangeError::Backwards(uri.to_string()))?;
            }
            document.path.clone()
        };
        if let Some(path) = path {
            touched.extend(self.reload_readers(&path));
        }
        Ok(touched)
    }

    /// Files changed on disk, appeared or went.
    pub fn files_changed(&self, paths: &[PathBuf]) -> BTreeSet<lsp::Uri> {
        let mut touched = BTreeSet::new();
        for path in paths {
            // The editor's text counts before the file, and tells its changes itself.
            let is_open = convert::uri(path).is_some_and(|uri| {
                self.documents.get(&uri).is_some_and(|document| document.is_open)
            });
            if !is_open {
                touched.extend(self.reload_around(path));
            }
        }
        touched
    }

    /// Reads what [`Documents::open`] has left out, as a background job: large sidecars of a
    /// prompt, or the prompts that share a file by a rule, wherever they are. The text may change
    /// meanwhile; only the sidecars are taken over. Returns the prompts that came in.
    pub fn read_rest(&self, uri: &lsp::Uri) -> Vec<lsp::Uri> {
        self.load(uri, None);
        self.open_owners(&path_of(uri), |config| match config {
            Some(config) => prompts_in(config.folder(), &self.overlay(None), &self.configs),
            None => Vec::new(),
        })
    }

    /// The prompt at a position of a document, as it is now; `None` for what is not open, holds
    /// no prompts, or has none there.
    pub fn prompt_at(
        &self,
        uri: &lsp::Uri,
        position: lsp::Position,
        encoding: Encoding,
    ) -> Option<PromptSnapshot> {
        let document = self.documents.get(uri)?;
        let offset = convert::offset(&document.text, position, encoding)?;
        let (index, _) = document.file()?.prompt_at(offset)?;
        document.snapshot(index)
    }

    /// The prompt that a request of ours is about: of a document with several, the one of that
    /// name; else the one at the position or next to it; without a position, the first one.
    pub fn prompt_asked_for(
        &self,
        uri: &lsp::Uri,
        name: Option<&str>,
        position: Option<lsp::Position>,
        encoding: Encoding,
    ) -> Option<PromptSnapshot> {
        let document = self.documents.get(uri)?;
        let file = document.file()?;
        let named = name.and_then(|name| file.prompt_named(name));
        let index = named.or_else(|| match position {
            Some(at) => file.nearest(convert::nearest_offset(&document.text, at, encoding)),
            None => Some(0),
        });
        document.snapshot(index?)
    }

    /// The prompts of a document, as they are now; none if it holds none.
    pub fn prompts(&self, uri: &lsp::Uri) -> Vec<PromptSnapshot> {
        self.documents.get(uri).map(|document| document.snapshots()).unwrap_or_default()
    }

    /// The same also for a prompt that nobody has opened; what else is a file is none.
    pub fn prompts_anywhere(&self, uri: &lsp::Uri) -> Vec<PromptSnapshot> {
        let prompts = self.prompts(uri);
        let Some(path) = uri.to_file_path().filter(|_| prompts.is_empty()) else { return prompts };
        let files = self.overlay(None);
        let config = self.configs.nearest(&files, path.parent().unwrap_or(Path::new("/")));
        match kind_of(&path, config.as_deref()) {
            Some(_) => self.read(uri, &path, &files, &self.configs),
            None => Vec::new(),
        }
    }

    /// The user looks at another case of a document's prompts; `false` if none has it.
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

    /// A document with prompts as it is now; `None` for any other.
    pub fn file(&self, uri: &lsp::Uri) -> Option<FileSnapshot> {
        self.documents.get(uri)?.of_file()
    }

    /// A document as it is now for each prompt that it belongs to: for the prompt at a position
    /// of it; else, where it is an inputs or variables file, for all prompts here that
    /// read it, in the order of their URIs.
    pub fn views(&self, uri: &lsp::Uri, position: lsp::Position, encoding: Encoding) -> Vec<View> {
        if let Some(prompt) = self.prompt_at(uri, position, encoding) {
            return vec![View { prompt, file: FileId::PROMPT }];
        }
        self.known_readers(uri)
    }

    /// An inputs or variables file as it is now for each prompt here that reads it, in the order
    /// of their URIs. A document that declares variables for its prompts is one, too.
    pub fn known_readers(&self, uri: &lsp::Uri) -> Vec<View> {
        let Some(path) = uri.to_file_path() else { return Vec::new() };
        let mut found: Vec<(lsp::Uri, FileId)> = Vec::new();
        for document in &self.documents {
            if let Some(file) = document.file().and_then(|file| file.file_at(&path)) {
                found.push((document.key().clone(), file));
            }
        }
        found.sort();
        let views =
            |(uri, file)| self.prompts(&uri).into_iter().map(move |prompt| View { prompt, file });
        found.into_iter().flat_map(views).collect()
    }

    /// All prompts that have a file among their inputs and variables files, be they open or not.
    ///
    /// Cost: for a file that a rule shares, a walk through the folder of the config, and reading
    /// the prompts of that rule which are not open.
    pub fn all_readers(&self, path: &Path) -> Vec<PromptSnapshot> {
        let mut readers = Vec::new();
        for document in &self.documents {
            if document.file().is_some_and(|file| file.file_at(path).is_some()) {
                readers.extend(document.snapshots());
            }
        }
        let files = self.overlay(None);
        let config = self.configs.nearest(&files, path.parent().unwrap_or(Path::new("/")));
        let all = || match &config {
            Some(config) => prompts_in(config.folder(), &files, &self.configs),
            None => Vec::new(),
        };
        for prompt in prompts_of(path, &files, config.as_deref(), all) {
            let Some(uri) = convert::uri(&prompt) else { continue };
            if self.documents.contains_key(&uri) {
                continue;
            }
            let found = self.read(&uri, &prompt, &files, &self.configs).into_iter();
            readers.extend(found.filter(|prompt| prompt.file_at(path).is_some()));
        }
        readers.sort_by(|a, b| a.identity().cmp(&b.identity()));
        readers
    }

    /// The prompts of a document as they would be if some files had other texts.
    pub fn read_with(
        &self,
        uri: &lsp::Uri,
        texts: &HashMap<PathBuf, Arc<str>>,
    ) -> Vec<PromptSnapshot> {
        let files = With { texts, others: self.overlay(None) };
        self.read(uri, &path_of(uri), &files, &self.configs)
    }

    /// The prompts of a document as they were at the last commit, with all that belonged to them.
    ///
    /// Cost: a few processes of git.
    pub fn committed(&self, uri: &lsp::Uri) -> Result<Vec<PromptSnapshot>, CommitError> {
        let now = self.overlay(None);
        let (files, path) = Committed::open(&path_of(uri), &now)?;
        if let Err(error) = files.read(&path) {
            let name = path.file_name().unwrap_or_default().display();
            return Err(match error {
                ReadError::Io { .. } => CommitError::NotInCommit(name.to_string()),
                error => CommitError::NotReadable(format!("{name} {}", error.reason())),
            });
        }
        // The configs that count now need not be those of the commit.
        Ok(self.read(uri, &path, &files, &Configs::default()))
    }

    /// The prompts of a document whose file is at a path, read anew and kept nowhere; none if it
    /// cannot be read.
    fn read(
        &self,
        uri: &lsp::Uri,
        path: &Path,
        files: &dyn Files,
        configs: &Configs,
    ) -> Vec<PromptSnapshot> {
        let Ok(text) = files.read(path) else { return Vec::new() };
        let language = self.documents.get(uri).map(|document| document.language.clone());
        let mut document = Document {
            language: language.unwrap_or_default(),
            ..Document::new(Some(path.to_owned()), Rope::from_str(&text))
        };
        let overrides = self.overrides_for(&document.language);
        let text = document.text.clone();
        let file = PromptFile::read(files, configs, path, text, &overrides, None);
        document.held = Some(Held::new(file, uri));
        document.snapshots()
    }

    /// The text of any file, as the editor sees it.
    pub fn text(&self, path: &Path) -> Result<Rope, ReadError> {
        self.overlay(None).read(path).map(|text| Rope::from_str(&text))
    }

    /// Fails if a file of a prompt is not open and another one on disk by now: then an edit would
    /// be for a text that is gone.
    pub fn check_on_disk(
        &self,
        prompt: &PromptSnapshot,
        file: FileId,
    ) -> tower_lsp::jsonrpc::Result<()> {
        let (text, uri) = prompt.place(file).ok_or_else(changed_meanwhile)?;
        if self.version(&uri).is_some() {
            return Ok(());
        }
        let now = uri.to_file_path().and_then(|path| read_from_disk(&path).ok());
        if now.is_some_and(|now| *text == *now) { Ok(()) } else { Err(changed_meanwhile()) }
    }

    /// Grows with each change of an open document: what was made of several of them holds while
    /// it is the same.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    fn next_generation(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// The version of an open document.
    pub fn version(&self, uri: &lsp::Uri) -> Option<i32> {
        self.documents.get(uri)?.open_version()
    }

    /// The text of a config, and what is wrong with it; `None` if it is gone.
    pub fn config(&self, path: &Path) -> Option<(Rope, Config)> {
        let text = self.overlay(None).read(path).ok()?;
        Some((Rope::from_str(&text), Config::parse(path, &text)))
    }

    /// Whether the document is a config that the editor has open.
    pub fn open_config(&self, uri: &lsp::Uri) -> Option<PathBuf> {
        let document = self.documents.get(uri)?;
        let path = document.path.clone()?;
        (path.file_name()? == CONFIG_NAME && document.is_open).then_some(path)
    }

    /// A file appeared, changed on disk, or went: loads anew all that it may belong to.
    fn reload_around(&self, path: &Path) -> BTreeSet<lsp::Uri> {
        self.open_owners_beside(path);
        let mut touched = self.reload_where(|document, own| {
            let is_beside = own.parent() == path.parent() && own != path;
            let has_prompts = !document.prompts().is_empty();
            // A prompt that is not open has its text from the file.
            let is_itself = own == path && !document.is_open;
            let shares = |file: &Arc<PromptFile>| file.shares(path);
            is_itself || is_beside && has_prompts || document.file().is_some_and(shares)
        });
        touched.extend(self.reload_readers(path));
        touched
    }

    /// The text of a file changed: loads anew what is made from it. A prompt follows its own
    /// text edit by edit, so typing in one costs nothing here.
    fn reload_readers(&self, path: &Path) -> BTreeSet<lsp::Uri> {
        if path.file_name().is_some_and(|name| name == CONFIG_NAME) {
            self.configs.forget();
            let below = path.parent().unwrap_or(Path::new("/"));
            return self.reload_where(|_, own| own.starts_with(below));
        }
        self.reload_where(|document, own| {
            let Some(file) = document.file() else { return false };
            match own == path {
                true => !file.follows_edits(),
                false => file.all_files().any(|file| file == path),
            }
        })
    }

    fn reload_where(&self, is_concerned: impl Fn(&Document, &Path) -> bool) -> BTreeSet<lsp::Uri> {
        let concerned: BTreeSet<lsp::Uri> = self
            .documents
            .iter()
            .filter(|document| {
                let own = document.path.as_deref();
                own.is_some_and(|own| is_concerned(document, own))
            })
            .map(|document| document.key().clone())
            .collect();
        for uri in &concerned {
            self.load(uri, None);
        }
        concerned
    }

    /// Takes in the prompts that an open sidecar belongs to, so that it gets its problems even
    /// where the prompt itself is not open, and returns those. `all` gives what may share it by a
    /// rule.
    fn open_owners(
        &self,
        path: &Path,
        all: impl FnOnce(Option<&Config>) -> Vec<PathBuf>,
    ) -> Vec<lsp::Uri> {
        let mut opened = Vec::new();
        let Some(folder) = path.parent().filter(|_| self.is_open(path)) else { return opened };
        let files = self.overlay(None);
        let config = self.configs.nearest(&files, folder);
        let config = config.as_deref();
        for prompt in prompts_of(path, &files, config, || all(config)).into_iter().take(MAX_OWNERS)
        {
            let Some(uri) = convert::uri(&prompt) else { continue };
            if self.documents.contains_key(&uri) {
                continue;
            }
            let Ok(text) = read_from_disk(&prompt) else { continue };
            let document = Document::new(Some(prompt), Rope::from_str(&text));
            self.documents.insert(uri.clone(), document);
            self.load(&uri, None);
            opened.push(uri);
        }
        opened
    }

    /// The same for those in the folder of the sidecar alone, which takes no walk.
    fn open_owners_beside(&self, path: &Path) {
        let beside = |_: Option<&Config>| {
            let folder = path.parent().unwrap_or(Path::new("/"));
            list_on_disk(folder).into_iter().map(|name| folder.join(name)).collect()
        };
        self.open_owners(path, beside);
    }

    /// Forgets prompts that were taken in for a sidecar which is not open any more.
    fn drop_unneeded(&self) -> Vec<lsp::Uri> {
        let open: BTreeSet<PathBuf> = self
            .documents
            .iter()
            .filter(|document| document.is_open)
            .filter_map(|document| document.path.clone())
            .collect();
        let unneeded: Vec<lsp::Uri> = self
            .documents
            .iter()
            .filter(|document| {
                let mut files = document.file().into_iter().flat_map(|file| &file.files);
                !document.is_open && !files.any(|file| open.contains(file))
            })
            .map(|document| document.key().clone())
            .collect();
        for uri in &unneeded {
            self.documents.remove(uri);
        }
        unneeded
    }

    fn is_open(&self, path: &Path) -> bool {
        convert::uri(path).is_some_and(|uri| self.version(&uri).is_some())
    }

    /// Reads the prompts of a document and what belongs to them; `true` if something was left
    /// out because it is large.
    fn load(&self, uri: &lsp::Uri, limit: Option<u64>) -> bool {
        let Some((path, language, text, last)) = self.documents.get(uri).map(|document| {
            let last = document.file().cloned();
            (document.path.clone(), document.language.clone(), document.text.clone(), last)
        }) else {
            return false;
        };
        // What is not open has its text from the file, as it is by now.
        let from_disk = self.documents.get(uri).is_some_and(|document| !document.is_open);
        let text = match path.as_deref().filter(|_| from_disk).map(read_from_disk) {
            Some(Ok(now)) if now != text => {
                let now = Rope::from_str(&now);
                if let Some(mut document) = self.documents.get_mut(uri) {
                    document.text = now.clone();
                }
                now
            }
            _ => text,
        };
        let path = path.unwrap_or_else(|| path_of(uri));
        let files = self.overlay(limit);
        let folder = path.parent().unwrap_or(Path::new("/"));
        let config = self.configs.nearest(&files, folder);
        let is_prompt_language = PROMPT_LANGUAGES.contains(&&*language)
            || Dialect::from_language_id(&language).is_some();
        if !is_prompt_language && kind_of(&path, config.as_deref()).is_none() {
            let fingerprint = fingerprint(&path, None);
            if let Some(mut document) = self.documents.get_mut(uri) {
                (document.held, document.fingerprint) = (None, fingerprint);
            }
            return false;
        }
        let overrides = self.overrides_for(&language);
        // Inputs that are being typed: while they do not parse, what they last said holds.
        let last = last.as_deref();
        let mut file =
            PromptFile::read(&files, &self.configs, &path, text.clone(), &overrides, last);
        let fingerprint = fingerprint(&path, Some(&file));
        let Some(mut document) = self.documents.get_mut(uri) else { return false };
        // The text may have changed while files were read in the background.
        if !document.text.is_instance(&text) {
            let follows = document.file().is_some_and(|newer| file.follow(newer));
            if !follows {
                // The change has read them itself.
                return files.has_large();
            }
        }
        document.held = Some(Held::new(file, uri));
        document.fingerprint = fingerprint;
        files.has_large()
    }

    /// Reads anew what belongs to documents around which the files on disk are others than before.
    pub fn changed_on_disk(&self) -> Vec<lsp::Uri> {
        let changed: Vec<lsp::Uri> = self
            .documents
            .iter()
            .filter(|document| {
                let Some(path) = &document.path else { return false };
                let file = document.file().map(|file| &**file);
                fingerprint(path, file) != document.fingerprint
            })
            .map(|document| document.key().clone())
            .collect();
        if !changed.is_empty() {
            self.configs.forget();
        }
        for uri in &changed {
            self.load(uri, None);
        }
        changed
    }

    fn overrides_for(&self, language: &str) -> Overrides {
        Overrides { language: Dialect::from_language_id(language), ..self.overrides.clone() }
    }

    /// The prompt at a path without links, as it is called here; `None` if neither it nor one of
    /// its files is open.
    ///
    /// Cost: a look at the path of each document.
    pub fn uri_of(&self, path: &Path) -> Option<lsp::Uri> {
        let paths: Vec<(lsp::Uri, PathBuf)> = self
            .documents
            .iter()
            .filter(|document| !document.prompts().is_empty())
            .filter_map(|document| Some((document.key().clone(), document.path.clone()?)))
            .collect();
        let is_it = |own: &Path| own == path || own.canonicalize().is_ok_and(|own| own == path);
        paths.into_iter().find(|(_, own)| is_it(own)).map(|(uri, _)| uri)
    }

    /// A position of a document in another encoding.
    pub fn reencoded(
        &self,
        uri: &lsp::Uri,
        position: lsp::Position,
        from: Encoding,
        to: Encoding,
    ) -> lsp::Position {
        if from == to {
            return position;
        }
        let open = self.documents.get(uri).map(|document| document.text.clone());
        let text = open.or_else(|| Some(Rope::from_str(&read_from_disk(&path_of(uri)).ok()?)));
        let Some(text) = text else { return position };
        let offset = convert::nearest_offset(&text, position, from);
        convert::lsp_position(&text, offset, to)
    }

    /// The files that a document is made from, and those behind `$file` values; its own is among
    /// them.
    pub fn files_of(&self, uri: &lsp::Uri) -> BTreeSet<PathBuf> {
        let Some(document) = self.documents.get(uri) else { return BTreeSet::new() };
        let files = document.file().into_iter().flat_map(|file| file.all_files());
        files.chain(&document.path).cloned().collect()
    }

    fn overlay(&self, limit: Option<u64>) -> Overlay<'_> {
        Overlay::new(&self.documents, limit)
    }
}

/// Where a document is. What has no file is a prompt if its language says so, and is where there
/// are no sidecars.
pub fn path_of(uri: &lsp::Uri) -> PathBuf {
    match uri.to_file_path() {
        Some(path) => path.into_owned(),
        None => PathBuf::from("/").join(uri.path().as_str()).join("untitled"),
    }
}
