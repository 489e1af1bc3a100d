//! Loads the files of documents, at once or in the background, and again when files change.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::PromptText;
use promptls_resolver::EngineRef;
use promptls_syntax::Dialect;
use promptls_workspace::{
    CONFIG_NAME, Change, Files, ProgramFacts, PromptFile, Rule, folder_of, kind_of, place_of,
    prompts_by_rule, prompts_of,
};
use ropey::Rope;

use super::Documents;
use crate::convert::{self, Uri};
use crate::session::code_facts::ChangedHosts;
use crate::session::document::{Document, DocumentPrompts};
use crate::session::fingerprint::fingerprint;
use crate::session::listings::ListingHashes;
use crate::session::overlay::Wait;

/// The language id that editors give a prompt of unknown dialect. In VS Code, `prompt` is a file of
/// its chat instead.
const PROMPT_LANGUAGES: [&str; 2] = ["prompt", "prompt-file"];

/// At most this many prompts of a folder are read to find those that an inputs file belongs to.
const MAX_OWNERS: usize = 200;

/// The most repetitions of a load during which other loads of the same document end.
const MAX_LOADS: usize = 10;

/// The outcome of a load.
#[derive(PartialEq)]
enum Loaded {
    /// Its result is the newest one, or no longer needed.
    Kept,
    /// Another load of the document ended in the meantime.
    Overtaken,
}

/// Reads prompts and the files that belong to them.
#[derive(Clone, Copy)]
pub struct Loader<'d> {
    documents: &'d Documents,
}

impl Documents {
    /// Reads the files of documents.
    pub fn loader(&self) -> Loader<'_> {
        Loader { documents: self }
    }
}

impl Loader<'_> {
    /// Loads the prompts in all folders that share a file by a rule, as a background job. Returns the
    /// new ones.
    pub fn open_sharing(&self, uri: &Uri) -> Vec<Uri> {
        let path = convert::path(uri);
        let shares = |rule: &Rule| rule.shares(&path);
        let files = self.documents.overlay_with(Wait::ForLarge);
        let project = self.documents.project_with(&files);
        let all = |folder: &Path| prompts_by_rule(folder, project, &shares);
        let opened = self.open_owners(&path, Wait::ForLarge, all);
        if opened.len() < MAX_OWNERS {
            self.documents.shared.insert(path, ());
        }
        opened
    }

    /// Reads the large files that were postponed, as a background job. Only the files are taken over,
    /// because texts may change in the meantime. Returns the documents that need them.
    pub fn read_large_files(&self) -> BTreeSet<Uri> {
        let read = self.documents.large_files.read_requested();
        for path in &read {
            self.take_in(path);
        }
        for sidecar in read.iter().flat_map(|path| self.documents.open_beside(path)) {
            self.open_owners_beside(&sidecar);
        }
        read.iter().flat_map(|path| self.reload_readers(path)).collect()
    }

    /// Collects how code uses prompts of other files, as a background job. Returns the documents whose
    /// prompts changed as a result.
    pub fn collect_code_facts(&self) -> BTreeSet<Uri> {
        let files = self.documents.overlay_with(Wait::KeepNothing);
        let ChangedHosts { prompts, names } = self.documents.code.collect(
            &self.documents.log.folders(),
            &files,
            &self.documents.configs,
        );
        prompts.union(&names).for_each(|path| self.documents.log.note(path, Change::Place));
        let uris = |paths: BTreeSet<PathBuf>| {
            paths.iter().filter_map(|it| self.documents.uri(it)).collect()
        };
        let mut touched = self.reload_those(uris(prompts), |_| true);
        let names: Vec<Uri> = uris(names);
        let file_of =
            |uri: &Uri| self.documents.by_uri.get(uri).map(|document| document.file().cloned());
        let before: Vec<_> = names.iter().map(file_of).collect();
        let reloaded = self.reload_those(names.clone(), |_| true);
        // Each keystroke in code moves positions in it, which changes no diagnostic of other files.
        let is_other = |(uri, before): &(Uri, Option<Option<Arc<PromptFile>>>)| {
            let (now, before) = (file_of(uri).flatten(), before.clone().flatten());
            reloaded.contains(uri)
                && !now.zip(before).is_some_and(|(now, before)| now.has_same_program_facts(&before))
        };
        let others = names.into_iter().zip(before).filter(is_other);
        touched.extend(others.map(|(uri, _)| uri));
        let open = self.documents.by_uri.iter().filter(|document| document.is_open);
        let open: Vec<PathBuf> = open.map(|document| document.path.clone()).collect();
        touched.extend(open.iter().flat_map(|path| self.open_texts(path)));
        touched
    }

    /// Sets the engine for prompts whose rule names none. Returns the documents that were reloaded.
    pub fn set_usual_engine(&self, engine: Option<EngineRef>) -> BTreeSet<Uri> {
        if !self.documents.configs.set_usual_engine(engine) {
            return BTreeSet::new();
        }
        self.documents.next_generation();
        self.documents.log.note_all();
        self.reload_those(self.documents.all(), |_| true)
    }

    /// Reloads the documents whose files on disk have changed since they were read.
    pub fn changed_on_disk(&self) -> Vec<Uri> {
        // Each folder is listed once, however many of its files are open and whatever its own time of
        // change is.
        let mut looks: HashMap<PathBuf, ListingHashes> = HashMap::new();
        let mut look = |folder: &Path| match looks.get(folder) {
            Some(look) => *look,
            None => *looks.entry(folder.to_owned()).or_insert(ListingHashes::at(folder)),
        };
        let mut is_other = |document: &Document| {
            let file = document.file().map(|file| &**file);
            let now = fingerprint(&document.path, file, document.is_open, &mut look);
            now != document.fingerprint
        };
        let documents = self.documents.by_uri.iter();
        let changed: Vec<Uri> = documents
            .filter(|document| is_other(document))
            .map(|document| document.key().clone())
            .collect();
        if !changed.is_empty() {
            self.documents.configs.forget();
            self.documents.listings.forget_all();
        }
        for uri in &changed {
            self.documents.shared.remove(&convert::path(uri));
            // A file in the same folder may have been created or deleted.
            for file in self.documents.lookup().files_of(uri) {
                self.documents.log.note(&file, Change::Place);
                self.documents.log.note(file.parent().unwrap_or(&file), Change::Place);
            }
            self.load(uri);
        }
        changed
    }

    /// Reloads all documents that a created, changed or deleted file may belong to.
    pub(super) fn reload_around(&self, path: &Path) -> BTreeSet<Uri> {
        self.open_owners_beside(path);
        let mut touched = self.reload_those(self.documents.index.beside(path), |document| {
            // The text of a prompt that is not open is that of the file.
            let is_itself = document.path == path && !document.is_open;
            is_itself || document.path != path && !document.prompts().is_empty()
        });
        let shares = |document: &Document| document.file().is_some_and(|file| file.shares(path));
        for (config, one) in self.documents.index.configs() {
            let document = self.documents.by_uri.get(&one);
            let config_of_one = document.and_then(|document| document.file()?.config().cloned());
            if config_of_one.is_some_and(|config| config.shares(path)) {
                touched.extend(self.reload_those(self.documents.index.of_config(&config), shares));
            }
        }
        // The cases of a prompt are those of the texts that it includes as well.
        let parts =
            touched.iter().flat_map(|uri| self.documents.code.parts_of(&convert::path(uri)));
        let parts = parts.filter_map(|part| self.documents.uri(&part)).collect();
        touched.extend(self.reload_those(parts, |_| true));
        touched.extend(self.reload_readers(path));
        // The file may be the prompt of one of these sidecars.
        touched.extend(self.documents.index.sidecars(path));
        touched
    }

    /// Reloads the documents that depend on a file whose text changed in the editor. The document of the
    /// file itself is updated by each edit, so typing in a prompt costs nothing here.
    pub(super) fn reload_readers(&self, path: &Path) -> BTreeSet<Uri> {
        if path.file_name().is_some_and(|name| name == CONFIG_NAME) {
            self.documents.configs.forget();
            self.documents.code.forget();
            // Other prompts may share files now, and have not been searched for yet.
            self.documents.shared.clear();
            let below = folder_of(path);
            let all = self.documents.by_uri.iter().map(|document| document.key().clone()).collect();
            return self.reload_those(all, |document| {
                let place = place_of(&document.path);
                [Some(&document.path), place.as_ref()]
                    .iter()
                    .flatten()
                    .any(|it| it.starts_with(below))
            });
        }
        let folder = folder_of(path);
        let config = self.documents.configs.nearest(&self.documents.overlay(), folder);
        let mut concerned = self.documents.index.readers(path);
        concerned.extend(self.documents.index.named(path));
        self.reload_those(concerned, |document| {
            let is_itself = document.path == path;
            let Some(file) = document.file() else {
                // The file may contain prompts now.
                let text = document.text.clone().into();
                return is_itself
                    && PromptFile::is_one(
                        path,
                        &text,
                        config.as_deref(),
                        &self.documents.code,
                        None,
                    );
            };
            match is_itself {
                true => !document.is_open || !file.follows_edits(),
                false => file.reads(path),
            }
        })
    }

    /// Reloads those of some documents that satisfy a condition.
    fn reload_those(
        &self,
        uris: Vec<Uri>,
        is_concerned: impl Fn(&Document) -> bool,
    ) -> BTreeSet<Uri> {
        let is_concerned = |uri: &Uri| {
            self.documents.by_uri.get(uri).is_some_and(|document| is_concerned(&document))
        };
        let concerned: BTreeSet<Uri> = uris.into_iter().filter(is_concerned).collect();
        for uri in &concerned {
            self.load(uri);
        }
        concerned
    }

    /// Loads the prompts that an open sidecar belongs to, so that its problems are shown even if the
    /// prompt is not open, and returns them. `all` returns the files that may share it by a rule. A
    /// large prompt is added once it has been read in the background.
    fn open_owners(
        &self,
        path: &Path,
        wait: Wait,
        all: impl FnOnce(&Path) -> Vec<PathBuf>,
    ) -> Vec<Uri> {
        if !self.documents.is_open(path) {
            return Vec::new();
        }
        let files = self.documents.overlay_with(wait);
        let project = self.documents.project_with(&files);
        let owners = prompts_of(path, project, all).into_iter().take(MAX_OWNERS);
        self.add_unopened(owners.collect(), &files)
    }

    /// Loads the files with texts that the code of an open document passes to frameworks, so that their
    /// problems are shown where they are written. Returns the new ones.
    pub(super) fn open_texts(&self, path: &Path) -> Vec<Uri> {
        let texts = self.documents.code.texts_used(path);
        if texts.is_empty() || !self.documents.is_open(path) {
            return Vec::new();
        }
        self.add_unopened(texts, &self.documents.overlay_with(Wait::ForSmall))
    }

    /// Loads files of prompts that are not open, unless they are loaded. Returns the new ones.
    pub(super) fn add_unopened(&self, prompts: Vec<PathBuf>, files: &dyn Files) -> Vec<Uri> {
        let mut opened = Vec::new();
        for prompt in prompts {
            let Some(uri) = self.documents.uri(&prompt) else { continue };
            if self.documents.by_uri.contains_key(&uri) {
                continue;
            }
            let Ok(text) = files.read(&prompt) else { continue };
            let document = Document::new(prompt, Rope::from_str(&text));
            if self.documents.put_unopened(&uri, document) {
                self.load(&uri);
                opened.push(uri);
            }
        }
        opened
    }

    /// Loads a new prompt file that shares an open sidecar.
    pub(super) fn take_in(&self, path: &Path) -> Option<Uri> {
        if self.documents.shared.is_empty() {
            return None;
        }
        let (uri, files) = (self.documents.uri(path)?, self.documents.overlay());
        let config = self.documents.configs.nearest(&files, path.parent()?)?;
        let rule = config.rule_for(path)?;
        let is_read =
            self.documents.shared.iter().any(|shared| rule.shares_with(path, shared.key()));
        if !is_read
            || self.documents.by_uri.contains_key(&uri)
            || kind_of(path, Some(&config), self.documents.project_with(&files)).is_none()
        {
            return None;
        }
        let text = files.as_files().read(path).ok()?;
        let document = Document::new(path.to_owned(), Rope::from_str(&text));
        self.documents.put_unopened(&uri, document).then(|| {
            self.load(&uri);
            uri
        })
    }

    /// Loads only the prompts in the folder of a sidecar, which needs no walk.
    pub(super) fn open_owners_beside(&self, path: &Path) {
        let beside = |_: &Path| {
            let folder = folder_of(path);
            let names = self.documents.overlay().list(folder);
            names.iter().map(|name| folder.join(name)).collect()
        };
        self.open_owners(path, Wait::ForSmall, beside);
    }

    /// Removes the prompts that were loaded for a sidecar that is no longer open.
    pub(super) fn drop_unneeded(&self) -> Vec<Uri> {
        let is_unneeded = |uri: &Uri| {
            let file = self.documents.by_uri.get(uri).and_then(|document| document.file().cloned());
            let has_open =
                file.is_some_and(|file| file.files.iter().any(|file| self.documents.is_open(file)));
            !has_open && !self.documents.is_part_of_open(&convert::path(uri))
        };
        let unneeded: Vec<Uri> =
            self.documents.index.not_open().into_iter().filter(is_unneeded).collect();
        for uri in &unneeded {
            self.documents.take_out_if(uri, |document| !document.is_open);
        }
        self.documents.large_files.retain(|path| !self.documents.index.readers(path).is_empty());
        unneeded
    }

    /// Reads the prompts of a document and the files that belong to them.
    ///
    /// Loads run on several threads. If another load of the document ends during this one, neither
    /// has certainly read the newest files, so this one is repeated.
    pub(super) fn load(&self, uri: &Uri) {
        for _ in 0..MAX_LOADS {
            if self.load_once(uri) == Loaded::Kept {
                return;
            }
        }
    }

    fn load_once(&self, uri: &Uri) -> Loaded {
        let Some((path, language, text, last)) = self.documents.by_uri.get(uri).map(|document| {
            let last = document.file().cloned();
            (document.path.clone(), document.language.clone(), document.text.clone(), last)
        }) else {
            return Loaded::Kept;
        };
        let is_overtaken = |document: &Document| {
            let now = document.file().map(Arc::as_ptr);
            now != last.as_ref().map(Arc::as_ptr)
        };
        // The text of a document that is not open is that of the file on disk.
        let from_disk = self.documents.by_uri.get(uri).is_some_and(|document| !document.is_open);
        let files = self.documents.overlay();
        let text = match from_disk.then(|| files.as_files().read(&path)) {
            Some(Ok(now)) if *now != text => {
                let now = Rope::from_str(&now);
                match self.documents.by_uri.get_mut(uri) {
                    Some(mut document) if !document.is_open => document.text = now.clone(),
                    // It has been opened or closed meanwhile, which loads it as well.
                    _ => return Loaded::Kept,
                }
                now
            }
            // The file was deleted, so its diagnostics for its sidecars are obsolete.
            Some(Err(error)) if error.is_missing() => {
                self.documents.take_out_if(uri, |document| !document.is_open);
                return Loaded::Kept;
            }
            _ => text,
        };
        let folder = folder_of(&path);
        let config = self.documents.configs.nearest(&files, folder);
        let is_prompt_language = PROMPT_LANGUAGES.contains(&&*language)
            || Dialect::from_language_id(&language).is_some();
        let text = PromptText::from(text);
        if !is_prompt_language
            && !PromptFile::is_one(
                &path,
                &text,
                config.as_deref(),
                &self.documents.code,
                last.as_deref(),
            )
        {
            let fingerprint =
                fingerprint(&path, None, !from_disk, |it| self.documents.listings.look(it));
            if let Some(mut document) = self.documents.by_uri.get_mut(uri) {
                if is_overtaken(&document) {
                    return Loaded::Overtaken;
                }
                self.hold(uri, &mut document, None);
                document.fingerprint = fingerprint;
            }
            return Loaded::Kept;
        }
        let overrides = self.documents.overrides_for(&language);
        // While inputs are being edited and do not parse, their last valid values are kept.
        let last_file = last.as_deref();
        let project = self.documents.project_with(&files);
        let mut file = PromptFile::read(project, &path, text.clone(), &overrides, last_file);
        let look = |folder: &Path| self.documents.listings.look(folder);
        let fingerprint = fingerprint(&path, Some(&file), !from_disk, look);
        let uris = self.documents.uris_of(uri, &file);
        let Some(mut document) = self.documents.by_uri.get_mut(uri) else { return Loaded::Kept };
        // The text may have changed while files were read in the background.
        if !document.text.is_instance(text.rope()) {
            let follows = document.file().is_some_and(|newer| file.follow(newer));
            if !follows {
                // That change has read the files itself.
                return Loaded::Kept;
            }
        } else if is_overtaken(&document) {
            return Loaded::Overtaken;
        }
        self.hold(uri, &mut document, Some(DocumentPrompts::new(file, uris)));
        document.fingerprint = fingerprint;
        Loaded::Kept
    }

    /// Replaces the prompts of a document.
    fn hold(&self, uri: &Uri, document: &mut Document, held: Option<DocumentPrompts>) {
        self.documents.index.update(uri, document, |document| document.held = held);
    }
}
