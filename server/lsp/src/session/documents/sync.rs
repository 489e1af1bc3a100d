//! Applies what the editor reports: documents that are opened, edited and closed, and files that
//! change on disk.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use promptls_analysis::position::Encoding;
use promptls_workspace::{Change, Disk, ProgramFacts, Prompt, folder_of, may_refer_to_state};
use ropey::Rope;

use super::Documents;
use crate::convert::{self, Uri};
use crate::session::document::{Document, OpenedDocument, TextChange};
use crate::session::overlay::is_on_disk;
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

/// Keeps documents as the editor has them. Each function returns the documents to check again.
#[derive(Clone, Copy)]
pub struct TextSync<'d> {
    documents: &'d Documents,
}

impl Documents {
    /// Applies what the editor reports.
    pub fn sync(&self) -> TextSync<'_> {
        TextSync { documents: self }
    }
}

impl TextSync<'_> {
    /// Opens a document. Returns the prompts whose problems may have changed.
    ///
    /// Small sidecars are read at once, so that a request right after this one uses them. Also
    /// returns `true` if prompts elsewhere may share the document: see [`Documents::open_sharing`].
    pub fn open(&self, opened: OpenedDocument) -> (BTreeSet<Uri>, bool) {
        self.documents.next_generation();
        // A config may have been added without a notification.
        self.documents.configs.forget_configs();
        let uri = opened.uri;
        let path = convert::path(&uri);
        if convert::uri(&path).as_ref() != Some(&uri) {
            self.documents.elsewhere.insert(path.clone(), uri.clone());
        }
        // A request at a place that sets a name may be the first one in its application.
        if may_refer_to_state(&path, &opened.text) {
            self.documents.code.names(&path);
        }
        let document = Document {
            version: opened.version,
            language: opened.language,
            is_open: true,
            // The selection is kept when a document is opened again.
            selected: self
                .documents
                .selected
                .get(&uri)
                .map(|cases| cases.clone())
                .unwrap_or_default(),
            ..Document::new(path.clone(), Rope::from_str(&opened.text))
        };
        self.documents.put(&uri, document);
        self.documents.log.note(&path, Change::Place);
        self.documents.code.changed(&path);
        let mut touched = self.documents.loader().reload_around(&path);
        self.documents.loader().load(&uri);
        touched.extend(self.documents.loader().open_texts(&path));
        let is_shared = path.parent().is_some_and(|folder| {
            let config = self.documents.configs.nearest(&self.documents.overlay(), folder);
            config.is_some_and(|config| config.shares(&path))
        });
        touched.insert(uri);
        (touched, is_shared)
    }

    /// Applies the changes of a version in order: all of them, or none if it fails.
    pub fn change(
        &self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextChange>,
        encoding: Encoding,
    ) -> Result<BTreeSet<Uri>, ChangeError> {
        self.documents.next_generation();
        let mut touched = BTreeSet::from([uri.clone()]);
        let mut is_back = false;
        let path = {
            let mut document = self
                .documents
                .by_uri
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
        self.documents.log.note(&path, if is_back { Change::Place } else { Change::Text });
        self.documents.code.changed(&path);
        if is_back {
            self.documents.listings.opened_or_closed(&path);
            touched.extend(self.documents.loader().reload_around(&path));
        }
        touched.extend(self.documents.loader().reload_readers(&path));
        Ok(touched)
    }

    /// Closes a document: from now on its file on disk is used. Returns the prompts whose problems
    /// may have changed.
    pub fn close(&self, uri: &Uri) -> BTreeSet<Uri> {
        self.documents.next_generation();
        let Some(document) = self.documents.take_out(uri) else { return BTreeSet::new() };
        let path = document.path;
        self.documents.log.note(&path, Change::Place);
        self.documents.code.changed(&path);
        self.documents.elsewhere.remove_if(&path, |_, other| other == uri);
        self.documents.shared.remove(&path);
        let mut touched = BTreeSet::from([uri.clone()]);
        touched.extend(self.documents.loader().reload_around(&path));
        // Its sidecars may still be open, and depend on it for their problems.
        for sidecar in self.documents.index.sidecars(&path) {
            self.documents.loader().open_owners_beside(&convert::path(&sidecar));
        }
        touched.extend(self.documents.loader().drop_unneeded());
        touched
    }

    /// Handles files and folders that changed on disk, appeared or disappeared. Returns the prompts
    /// whose problems may have changed.
    pub fn files_changed(&self, paths: &[PathBuf]) -> BTreeSet<Uri> {
        self.documents.changes.send_replace(());
        self.documents.configs.forget_projects();
        let mut touched = BTreeSet::new();
        let paths: Vec<&PathBuf> = paths.iter().filter(|path| Self::may_matter(path)).collect();
        let is_other = |path: &&PathBuf| !is_watched(path);
        // Editors do not report the files inside a folder separately.
        let below =
            paths.iter().copied().filter(is_other).flat_map(|it| self.documents.index.below(it));
        let below: BTreeSet<PathBuf> = below.collect();
        for path in paths.into_iter().chain(&below) {
            self.documents.listings.forget(folder_of(path));
            self.documents.log.note(path, Change::Place);
            self.documents.code.changed(path);
            // The editor's text takes precedence over the file, and its changes are notified
            // separately.
            if !self.documents.is_open(path) || self.comes_or_goes(path) {
                touched.extend(self.documents.loader().take_in(path));
                touched.extend(self.documents.loader().reload_around(path));
            }
        }
        // A deleted prompt no longer reads the files that it shared.
        touched.extend(
            self.documents.shared.iter().filter_map(|shared| self.documents.uri(shared.key())),
        );
        touched
    }

    /// Returns whether a change of a path may affect a prompt: it is missing, a folder, or a
    /// watched file.
    fn may_matter(path: &Path) -> bool {
        is_watched(path) || !is_on_disk(path) || Disk.is_folder(path)
    }

    /// Returns whether the file of an open document was deleted, or exists again.
    fn comes_or_goes(&self, path: &Path) -> bool {
        let uri = self.documents.uri(path);
        let Some(mut document) = uri.and_then(|uri| self.documents.by_uri.get_mut(&uri)) else {
            return false;
        };
        let is_deleted = !is_on_disk(path);
        let is_other = std::mem::replace(&mut document.is_deleted, is_deleted) != is_deleted;
        self.documents.listings.opened_or_closed(path);
        is_other
    }

    /// Selects a case for the prompt of a name, or for all prompts of a document; `false` if none
    /// of them has it.
    pub fn select_case(&self, uri: &Uri, prompt: Option<&str>, case: &str) -> bool {
        let Some(mut document) = self.documents.by_uri.get_mut(uri) else { return false };
        let is_meant = |it: &&Prompt| prompt.is_none() || it.name.as_deref() == prompt;
        let mut prompts = document.prompts().iter().filter(is_meant);
        let is_known = prompts.any(|prompt| prompt.snapshot.case_named(case).is_some());
        if is_known {
            document.selected.select(prompt, case);
            self.documents.selected.insert(uri.clone(), document.selected.clone());
        }
        is_known
    }
}
