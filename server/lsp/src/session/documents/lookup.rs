//! Finds prompts: those of a document, at a position, or that read a file.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::position::Encoding;
use promptls_resolver::{FileId, Problem};
use promptls_workspace::{
    CONFIG_NAME, CommitError, Committed, Configs, Files, GitCalls, PromptFile, Rule, SharedReads,
    Siblings, UsedIgnores, folder_of, is_shared_below, kind_of, orphan, prompts_by_rule,
    prompts_of, sidecar_like,
};
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use super::Documents;
use crate::convert::{self, Uri};
use crate::session::document::{Document, DocumentPrompts, DocumentSnapshot};
use crate::session::overlay::{Wait, With};
use crate::session::prompt_snapshot::{FileSnapshot, PromptSnapshot, View};

/// Finds prompts of documents and positions; changes nothing.
#[derive(Clone, Copy)]
pub struct Lookup<'d> {
    documents: &'d Documents,
}

impl Documents {
    /// Finds prompts of documents and positions.
    pub fn lookup(&self) -> Lookup<'_> {
        Lookup { documents: self }
    }
}

impl<'d> Lookup<'d> {
    /// The prompt at a position of a document. `None` if the document is not loaded, has no
    /// prompts, or has none there.
    pub fn prompt_at(
        &self,
        uri: &Uri,
        position: lsp::Position,
        encoding: Encoding,
    ) -> Option<PromptSnapshot> {
        let document = self.documents.by_uri.get(uri)?;
        let offset = convert::offset(&document.text, position, encoding)?;
        let (index, _) = document.file()?.prompt_at(offset)?;
        document.snapshot(index)
    }

    /// The prompt that a custom request refers to. In a document with several, that is the prompt
    /// of the given name. Otherwise it is the prompt at or next to the position; without a
    /// position, the first one.
    pub fn prompt_asked_for(
        &self,
        uri: &Uri,
        name: Option<&str>,
        position: Option<lsp::Position>,
        encoding: Encoding,
    ) -> Option<PromptSnapshot> {
        let document = self.documents.by_uri.get(uri)?;
        let file = document.file()?;
        let named = name.and_then(|name| file.prompt_named(name));
        let index = named.or_else(|| match position {
            Some(at) => file.nearest(convert::nearest_offset(&document.text, at, encoding)),
            None => Some(0),
        });
        document.snapshot(index?)
    }

    /// The prompts of a document; empty if it has none.
    pub fn prompts(&self, uri: &Uri) -> Vec<PromptSnapshot> {
        self.documents.by_uri.get(uri).map(|document| document.snapshots()).unwrap_or_default()
    }

    /// The same, also for a prompt that is not open, so call it on a worker. Other files have none.
    pub fn prompts_anywhere(&self, uri: &Uri) -> Vec<PromptSnapshot> {
        let prompts = self.prompts(uri);
        if !prompts.is_empty() {
            return prompts;
        }
        let path = convert::path(uri);
        let files = self.documents.overlay_with(Wait::ForLarge);
        let config = self.documents.configs.nearest(&files, folder_of(&path));
        match kind_of(&path, config.as_deref(), &files) {
            Some(_) => self.read(uri, &path, &files, &self.documents.configs),
            None => Vec::new(),
        }
    }

    /// The file of prompts of a document; `None` for any other document.
    pub fn file(&self, uri: &Uri) -> Option<FileSnapshot> {
        self.documents.by_uri.get(uri)?.of_file()
    }

    /// A document at this moment, for a check of it.
    ///
    /// Cost: for a file that prompts share by a rule, the names in the documents that share it.
    pub fn snapshot(&self, uri: &Uri) -> DocumentSnapshot {
        let documents = self.documents;
        let reports = |path: &Path| documents.log.reports(path);
        let Some(document) = documents.by_uri.get(uri) else {
            let is_reported_elsewhere = reports(&convert::path(uri));
            return DocumentSnapshot { is_reported_elsewhere, ..DocumentSnapshot::default() };
        };
        let mut snapshot = DocumentSnapshot {
            path: document.path.clone(),
            text: document.text.clone(),
            version: document.open_version(),
            file: document.of_file(),
            ..DocumentSnapshot::default()
        };
        drop(document);
        let (path, is_open) = (&snapshot.path, snapshot.version.is_some());
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        snapshot.is_open_config = is_open && name == CONFIG_NAME;
        snapshot.is_reported_elsewhere = reports(path);
        if !snapshot.is_reported_elsewhere {
            snapshot.unused = self.unused_in_shared(path);
            snapshot.is_unread_sidecar =
                is_open && sidecar_like(name).is_some() && documents.index.readers(path).is_empty();
        }
        snapshot
    }

    /// The views of a position. Inside a prompt, that is the view of this prompt. In an inputs or
    /// variables file, it is one view for each loaded prompt that reads it, in the order of their
    /// URIs.
    pub fn views(&self, uri: &Uri, position: lsp::Position, encoding: Encoding) -> Vec<View> {
        if let Some(prompt) = self.prompt_at(uri, position, encoding) {
            return vec![View { prompt, file: FileId::PROMPT }];
        }
        self.known_readers(uri)
    }

    /// The views of a range: one for each prompt with text in it. If it extends beyond a prompt,
    /// views of the document as a sidecar are included.
    pub fn views_in(&self, uri: &Uri, range: lsp::Range, encoding: Encoding) -> Vec<View> {
        let at = |position| Some(self.prompt_at(uri, position, encoding)?.index);
        if let (Some(first), Some(last)) = (at(range.start), at(range.end))
            && first == last
        {
            return self.views(uri, range.start, encoding);
        }
        let prompts = self.prompts(uri).into_iter();
        let prompts = prompts.filter(|prompt| !prompt.bytes_in(range, encoding).is_empty());
        let views = prompts.map(|prompt| View { prompt, file: FileId::PROMPT });
        let mut views: Vec<View> = views.chain(self.known_readers(uri)).collect();
        if views.is_empty() {
            views = self.views(uri, range.start, encoding);
        }
        views
    }

    /// The views of an inputs or variables file for each loaded prompt that reads it, in the order
    /// of their URIs. A document that declares variables for its own prompts also counts.
    pub fn known_readers(&self, uri: &Uri) -> Vec<View> {
        let path = convert::path(uri);
        let mut found: Vec<(Uri, FileId)> = Vec::new();
        for uri in self.documents.index.readers(&path) {
            let document = self.documents.by_uri.get(&uri);
            if let Some(file) = document.and_then(|document| document.file()?.file_at(&path)) {
                found.push((uri, file));
            }
        }
        found.sort();
        let views =
            |(uri, file)| self.prompts(&uri).into_iter().map(move |prompt| View { prompt, file });
        found.into_iter().flat_map(views).collect()
    }

    /// All prompts that have a file among their inputs and variables files, whether open or not.
    ///
    /// Cost: for a file that a rule shares, a walk through the folder of the config. The prompts of
    /// that rule which are not open are read.
    pub fn all_readers(&self, path: &Path) -> Vec<PromptSnapshot> {
        let mut readers = Vec::new();
        for uri in self.documents.index.readers(path) {
            if let Some(document) = self.documents.by_uri.get(&uri)
                && document.file().is_some_and(|file| file.file_at(path).is_some())
            {
                readers.extend(document.snapshots());
            }
        }
        let files = self.documents.overlay_with(Wait::ForLarge);
        let shares = |rule: &Rule| rule.shares(path);
        let all = |folder: &Path| prompts_by_rule(folder, &files, &self.documents.configs, &shares);
        for prompt in prompts_of(path, &files, &self.documents.configs, all) {
            let Some(uri) = self.documents.uri(&prompt) else { continue };
            if self.documents.by_uri.contains_key(&uri) {
                continue;
            }
            let found = self.read(&uri, &prompt, &files, &self.documents.configs).into_iter();
            readers.extend(found.filter(|prompt| prompt.file_at(path).is_some()));
        }
        readers.sort_by(|a, b| a.identity().cmp(&b.identity()));
        readers
    }

    /// The prompts of the surrounding application whose text contains a name, whether open or not.
    ///
    /// Cost: reading the files of the application that may contain prompts.
    pub fn prompts_of_app(&self, prompt: &PromptSnapshot, name: &str) -> Vec<PromptSnapshot> {
        let hosts = self.documents.code.hosts_of_app(prompt.path()).into_iter();
        let prompts = hosts.filter_map(|host| self.documents.uri(&host));
        let prompts = prompts.flat_map(|uri| self.prompts_anywhere(&uri));
        prompts.filter(|prompt| prompt.snapshot().text.whole().contains(name)).collect()
    }

    /// The problem of a sidecar whose prompt is missing; see [`orphan`].
    pub fn orphan(&self, path: &Path) -> Option<Problem> {
        let files = self.documents.overlay_with(Wait::ForLarge);
        let configs = &self.documents.configs;
        let is_shared = || is_shared_below(path, &files, configs);
        orphan(
            path,
            &Siblings::of(path, &files),
            &files,
            configs,
            is_shared,
            &mut UsedIgnores::default(),
        )
    }

    /// The problems about unused keys of an open file that prompts share by a rule. `None` while
    /// not all of these prompts are loaded.
    fn unused_in_shared(&self, path: &Path) -> Option<Vec<Problem>> {
        self.documents.shared.contains_key(path).then_some(())?;
        let readers = self.documents.index.readers(path).into_iter();
        let reads = readers.filter_map(|uri| {
            Some(self.documents.by_uri.get(&uri)?.held.as_ref()?.reads().clone())
        });
        let reads: Vec<_> = reads.collect();
        Some(SharedReads::unused_in(path, &reads))
    }

    /// The open files that the prompts of a document share with others by their rule, if all
    /// readers of these files are loaded.
    pub fn shared_files_of(&self, uri: &Uri) -> Vec<Uri> {
        if self.documents.shared.is_empty() {
            return Vec::new();
        }
        let reads =
            self.documents.by_uri.get(uri).and_then(|it| Some(it.held.as_ref()?.reads().clone()));
        let reads = reads.unwrap_or_default();
        let known = reads.files().filter(|path| self.documents.shared.contains_key(*path));
        known.filter_map(|path| self.documents.uri(path)).collect()
    }

    /// The prompts of a document as they would be if some files had other texts.
    pub fn read_with(&self, uri: &Uri, files: &With<'_>) -> Vec<PromptSnapshot> {
        self.read(uri, &convert::path(uri), files, &self.documents.configs)
    }

    /// All files, with other texts for some of them.
    pub fn files_with<'t>(&self, texts: &'t HashMap<PathBuf, Arc<str>>) -> With<'t>
    where
        'd: 't,
    {
        With::new(texts, self.documents.overlay_with(Wait::ForLarge))
    }

    /// The prompts of a document at a commit, with their related files of that commit.
    ///
    /// Cost: a few git processes.
    pub fn committed(
        &self,
        uri: &Uri,
        revision: &str,
        calls: &GitCalls,
    ) -> Result<Vec<PromptSnapshot>, CommitError> {
        let now = self.documents.overlay_with(Wait::ForLarge);
        let (files, path) = Committed::open(&convert::path(uri), revision, &now, calls)?;
        // The present configs may differ from those of the commit.
        Ok(self.read(uri, &path, &files, &self.documents.configs.afresh()))
    }

    /// The prompts of a document whose file is at a path. They are read again and not stored. Empty
    /// if the file cannot be read.
    fn read(
        &self,
        uri: &Uri,
        path: &Path,
        files: &dyn Files,
        configs: &Configs,
    ) -> Vec<PromptSnapshot> {
        let Ok(text) = files.read(path) else { return Vec::new() };
        let language = self.documents.by_uri.get(uri).map(|document| document.language.clone());
        let mut document = Document {
            language: language.unwrap_or_default(),
            ..Document::new(path.to_owned(), Rope::from_str(&text))
        };
        let overrides = self.documents.overrides_for(&document.language);
        let text = document.text.clone();
        let file = PromptFile::read(files, configs, path, text.into(), &overrides, None);
        let uris = self.documents.uris_of(uri, &file);
        document.held = Some(DocumentPrompts::new(file, uris));
        document.snapshots()
    }

    /// A snapshot of prompts that are not stored here, with the URIs of their files.
    pub fn snapshot_of(&self, file: PromptFile) -> Option<FileSnapshot> {
        let path = &file.files[0];
        let uri = self.documents.uri(path)?;
        let text = match (&file.texts[0], &file.prompts[..]) {
            (Some(text), _) => Rope::from_str(text),
            (None, [prompt]) => prompt.snapshot.text.rope().clone(),
            _ => Rope::new(),
        };
        let uris = self.documents.uris_of(&uri, &file);
        let mut document = Document::new(path.clone(), text);
        document.held = Some(DocumentPrompts::new(file, uris));
        document.of_file()
    }

    /// The URI of the prompt at a canonical path; `None` if neither it nor one of its files is
    /// open.
    ///
    /// Cost: resolving the path of each document.
    pub fn uri_of(&self, path: &Path) -> Option<Uri> {
        let paths: Vec<(Uri, PathBuf)> = self
            .documents
            .by_uri
            .iter()
            .filter(|document| !document.prompts().is_empty())
            .map(|document| (document.key().clone(), document.path.clone()))
            .collect();
        let files = self.documents.overlay();
        let is_it = |own: &Path| own == path || files.without_links(own).as_deref() == Some(path);
        paths.into_iter().find(|(_, own)| is_it(own)).map(|(uri, _)| uri)
    }

    /// Converts a position of a document to another encoding; unchanged in a file that cannot be
    /// read at once.
    pub fn reencoded(
        &self,
        uri: &Uri,
        position: lsp::Position,
        from: Encoding,
        to: Encoding,
    ) -> lsp::Position {
        if from == to {
            return position;
        }
        let open = self.documents.by_uri.get(uri).map(|document| document.text.clone());
        let read = || self.documents.overlay().read(&convert::path(uri)).ok();
        let text = open.or_else(|| read().map(|text| Rope::from_str(&text)));
        let Some(text) = text else { return position };
        let offset = convert::nearest_offset(&text, position, from);
        convert::lsp_position(&text, offset, to)
    }

    /// The files that a document is made from, including itself and the files of `$file` values.
    pub fn files_of(&self, uri: &Uri) -> BTreeSet<PathBuf> {
        let Some(document) = self.documents.by_uri.get(uri) else { return BTreeSet::new() };
        let files = document.file().into_iter().flat_map(|file| file.all_files());
        files.chain([&document.path]).cloned().collect()
    }
}
