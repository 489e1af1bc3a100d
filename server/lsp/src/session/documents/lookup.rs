//! Finds prompts: those of a document, at a position, or that read a file.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_analysis::position::Encoding;
use promptls_resolver::{FileId, Problem};
use promptls_workspace::{
    CommitError, Committed, Config, Configs, Files, GitCalls, Lock, ProjectEngine, PromptFile,
    Pulled, Rule, SharedReads, StoreConfig, UsedIgnores, is_shared_below, kind_of, moved_sidecars,
    orphan, project_engines, prompts_by_rule, prompts_of, sidecar_like,
};
use ropey::Rope;
use tower_lsp::ls_types as lsp;

use super::Documents;
use crate::convert;
use crate::session::document::{Document, DocumentPrompts};
use crate::session::overlay::{Wait, With};
use crate::session::prompt_snapshot::{FileSnapshot, PromptSnapshot, View};

impl Documents {
    /// The prompt at a position of a document. `None` if the document is not loaded, has no
    /// prompts, or has none there.
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

    /// The prompt that a custom request refers to. In a document with several, that is the prompt
    /// of the given name. Otherwise it is the prompt at or next to the position; without a
    /// position, the first one.
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

    /// The prompts of a document; empty if it has none.
    pub fn prompts(&self, uri: &lsp::Uri) -> Vec<PromptSnapshot> {
        self.documents.get(uri).map(|document| document.snapshots()).unwrap_or_default()
    }

    /// The same, also for a prompt that is not open, so call it on a worker. Other files have none.
    pub fn prompts_anywhere(&self, uri: &lsp::Uri) -> Vec<PromptSnapshot> {
        let prompts = self.prompts(uri);
        if !prompts.is_empty() {
            return prompts;
        }
        let path = convert::path(uri);
        let files = self.overlay_with(Wait::ForLarge);
        let config = self.configs.nearest(&files, path.parent().unwrap_or(Path::new("/")));
        match kind_of(&path, config.as_deref(), &files) {
            Some(_) => self.read(uri, &path, &files, &self.configs),
            None => Vec::new(),
        }
    }

    /// The file of prompts of a document; `None` for any other document.
    pub fn file(&self, uri: &lsp::Uri) -> Option<FileSnapshot> {
        self.documents.get(uri)?.of_file()
    }

    /// The views of a position. Inside a prompt, that is the view of this prompt. In an inputs or
    /// variables file, it is one view for each loaded prompt that reads it, in the order of their
    /// URIs.
    pub fn views(&self, uri: &lsp::Uri, position: lsp::Position, encoding: Encoding) -> Vec<View> {
        if let Some(prompt) = self.prompt_at(uri, position, encoding) {
            return vec![View { prompt, file: FileId::PROMPT }];
        }
        self.known_readers(uri)
    }

    /// The views of a range: one for each prompt with text in it. If it extends beyond a prompt,
    /// views of the document as a sidecar are included.
    pub fn views_in(&self, uri: &lsp::Uri, range: lsp::Range, encoding: Encoding) -> Vec<View> {
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
    pub fn known_readers(&self, uri: &lsp::Uri) -> Vec<View> {
        let path = convert::path(uri);
        let mut found: Vec<(lsp::Uri, FileId)> = Vec::new();
        for uri in self.index.readers(&path) {
            let document = self.documents.get(&uri);
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
        for uri in self.index.readers(path) {
            if let Some(document) = self.documents.get(&uri)
                && document.file().is_some_and(|file| file.file_at(path).is_some())
            {
                readers.extend(document.snapshots());
            }
        }
        let files = self.overlay_with(Wait::ForLarge);
        let shares = |rule: &Rule| rule.shares(path);
        let all = |folder: &Path| prompts_by_rule(folder, &files, &self.configs, &shares);
        for prompt in prompts_of(path, &files, &self.configs, all) {
            let Some(uri) = self.uri(&prompt) else { continue };
            if self.documents.contains_key(&uri) {
                continue;
            }
            let found = self.read(&uri, &prompt, &files, &self.configs).into_iter();
            readers.extend(found.filter(|prompt| prompt.file_at(path).is_some()));
        }
        readers.sort_by(|a, b| a.identity().cmp(&b.identity()));
        readers
    }

    /// The prompts of the surrounding application whose text contains a name, whether open or not.
    ///
    /// Cost: reading the files of the application that may contain prompts.
    pub fn prompts_of_app(&self, prompt: &PromptSnapshot, name: &str) -> Vec<PromptSnapshot> {
        let hosts = self.code.hosts_of_app(prompt.path()).into_iter();
        let prompts = hosts.filter_map(|host| self.uri(&host));
        let prompts = prompts.flat_map(|uri| self.prompts_anywhere(&uri));
        prompts.filter(|prompt| prompt.snapshot().text.whole().contains(name)).collect()
    }

    /// The number of places in the surrounding application that refer to a name.
    pub fn places_in_app(&self, prompt: &PromptSnapshot, name: &str) -> usize {
        self.code.app(prompt.path()).map_or(0, |app| app.places(name).len())
    }

    /// A place in the surrounding application that prevents renaming a state key, because its
    /// meaning is uncertain. Returns file name and line, for the user.
    pub fn in_the_way(&self, prompt: &PromptSnapshot, name: &str) -> Option<String> {
        let files = self.overlay_with(Wait::ForLarge);
        let found = self.code.uncertain(prompt.path(), name, &files)?.into_iter().next();
        let (path, text, at) = found?;
        let line = text[..at].matches('\n').count() + 1;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        Some(format!("{file}, line {line}"))
    }

    /// Returns whether a file of the surrounding program is unchanged since it was read.
    pub fn is_as_read(&self, prompt: &PromptSnapshot, file: FileId) -> bool {
        let file = prompt.file().path_of(file).zip(prompt.place(file));
        file.is_some_and(|(path, (text, _))| {
            self.overlay_with(Wait::ForLarge).read(path).is_ok_and(|now| *text == *now)
        })
    }

    /// The sidecars to move with a prompt, from and to; see [`moved_sidecars`].
    pub fn moved_sidecars(&self, old: &Path, new: &Path) -> Vec<(PathBuf, PathBuf)> {
        moved_sidecars(old, new, &self.overlay_with(Wait::ForLarge), &self.configs)
    }

    /// Returns whether a document is an open inputs or variables file that no loaded prompt reads.
    pub fn is_unread_sidecar(&self, uri: &lsp::Uri) -> bool {
        let Some(path) = self.documents.get(uri).filter(|it| it.is_open).map(|it| it.path.clone())
        else {
            return false;
        };
        let is_sidecar = path
            .file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| sidecar_like(name).is_some());
        is_sidecar && self.index.readers(&path).is_empty()
    }

    /// The effective config of a file.
    pub fn config_of(&self, path: &Path) -> Option<Arc<Config>> {
        self.configs.nearest(&self.overlay(), path.parent().unwrap_or(Path::new("/")))
    }

    /// Returns whether a link in the path of a file leads out of its project. The file need not
    /// exist.
    pub fn leads_out(&self, path: &Path) -> bool {
        let (files, reach) = (self.overlay(), self.configs.reach());
        let there = path.ancestors().find(|path| files.is_there(path)).unwrap_or(path);
        let folder = if there == path { path.parent().unwrap_or(path) } else { there };
        let root = reach.root(&files, folder);
        reach.check(&files, &root.0, there).is_err()
    }

    /// The engines that the surrounding project uses.
    ///
    /// Cost: see [`project_engines`].
    pub fn project_engines(&self, path: &Path) -> Vec<ProjectEngine> {
        let (folder, reach) = (path.parent().unwrap_or(Path::new("/")), self.configs.reach());
        // Lock files are long, and this is not called at each keystroke.
        let files = self.overlay_with(Wait::ForLarge);
        let root = reach.root(&files, folder);
        project_engines(&files, reach, folder, &root.0)
    }

    /// The problem of such a document whose prompt is missing, and its text; see [`orphan`].
    pub fn orphan(&self, uri: &lsp::Uri) -> Option<(Rope, Problem)> {
        let document = self.documents.get(uri)?;
        let (path, text) = (document.path.clone(), document.text.clone());
        drop(document);
        let files = self.overlay_with(Wait::ForLarge);
        let is_shared = || is_shared_below(&path, &files, &self.configs);
        Some((text, orphan(&path, &files, &self.configs, is_shared, &mut UsedIgnores::default())?))
    }

    /// The open files that the prompts of a document share with others by their rule, if all
    /// readers of these files are loaded.
    pub fn shared_files_of(&self, uri: &lsp::Uri) -> Vec<lsp::Uri> {
        if self.shared.is_empty() {
            return Vec::new();
        }
        let reads = self.documents.get(uri).and_then(|it| Some(it.held.as_ref()?.reads().clone()));
        let reads = reads.unwrap_or_default();
        let known = reads.files().filter(|path| self.shared.contains_key(*path));
        known.filter_map(|path| self.uri(path)).collect()
    }

    /// The problems about unused keys of an open file that prompts share by a rule, and its text.
    /// `None` while not all of these prompts are loaded.
    ///
    /// Cost: the names in the documents that share the file.
    pub fn unused_in_shared(&self, uri: &lsp::Uri) -> Option<(Rope, Vec<Problem>)> {
        let document = self.documents.get(uri)?;
        let (path, text) = (document.path.clone(), document.text.clone());
        drop(document);
        self.shared.contains_key(&path).then_some(())?;
        let readers = self.index.readers(&path).into_iter();
        let reads = readers
            .filter_map(|uri| Some(self.documents.get(&uri)?.held.as_ref()?.reads().clone()));
        let reads: Vec<_> = reads.collect();
        Some((text, SharedReads::unused_in(&path, &reads)))
    }

    /// The store entry that a prompt was pulled from; `None` if it was not.
    ///
    /// Cost: reading the locks of the stores that apply to it.
    pub fn pulled(&self, prompt: &PromptSnapshot) -> Option<Pulled> {
        let config = prompt.config().filter(|config| !config.stores.is_empty())?;
        // A store contains single prompts, not files with several. In an untrusted workspace, no
        // store is accessed.
        if prompt.name().is_some() || self.configs.reach().is_untrusted() {
            return None;
        }
        let files = self.files();
        let homes: BTreeSet<&Path> = config.stores.values().map(StoreConfig::home).collect();
        // Problems of a lock are reported by commands that write it.
        let locks = homes.into_iter().filter_map(|it| Lock::read(&files, &self.configs, it).ok());
        let mut pulled = locks.filter_map(|lock| lock.of_file(prompt.path(), config).cloned());
        pulled.next()
    }

    /// The prompts of a document as they would be if some files had other texts.
    pub fn read_with(&self, uri: &lsp::Uri, files: &With<'_>) -> Vec<PromptSnapshot> {
        self.read(uri, &convert::path(uri), files, &self.configs)
    }

    /// All files, with other texts for some of them.
    pub fn files_with<'t>(&'t self, texts: &'t HashMap<PathBuf, Arc<str>>) -> With<'t> {
        With::new(texts, self.overlay_with(Wait::ForLarge))
    }

    /// The prompts of a document at a commit, with their related files of that commit.
    ///
    /// Cost: a few git processes.
    pub fn committed(
        &self,
        uri: &lsp::Uri,
        revision: &str,
        calls: &GitCalls,
    ) -> Result<Vec<PromptSnapshot>, CommitError> {
        let now = self.overlay_with(Wait::ForLarge);
        let (files, path) = Committed::open(&convert::path(uri), revision, &now, calls)?;
        // The present configs may differ from those of the commit.
        Ok(self.read(uri, &path, &files, &self.configs.afresh()))
    }

    /// The prompts of a document whose file is at a path. They are read again and not stored. Empty
    /// if the file cannot be read.
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
            ..Document::new(path.to_owned(), Rope::from_str(&text))
        };
        let overrides = self.overrides_for(&document.language);
        let text = document.text.clone();
        let file = PromptFile::read(files, configs, path, text.into(), &overrides, None);
        let uris = self.uris_of(uri, &file);
        document.held = Some(DocumentPrompts::new(file, uris));
        document.snapshots()
    }

    /// The URI of the prompt at a canonical path; `None` if neither it nor one of its files is
    /// open.
    ///
    /// Cost: resolving the path of each document.
    pub fn uri_of(&self, path: &Path) -> Option<lsp::Uri> {
        let paths: Vec<(lsp::Uri, PathBuf)> = self
            .documents
            .iter()
            .filter(|document| !document.prompts().is_empty())
            .map(|document| (document.key().clone(), document.path.clone()))
            .collect();
        let files = self.overlay();
        let is_it = |own: &Path| own == path || files.without_links(own).as_deref() == Some(path);
        paths.into_iter().find(|(_, own)| is_it(own)).map(|(uri, _)| uri)
    }

    /// Converts a position of a document to another encoding; unchanged in a file that cannot be
    /// read at once.
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
        let read = || self.overlay().read(&convert::path(uri)).ok();
        let text = open.or_else(|| read().map(|text| Rope::from_str(&text)));
        let Some(text) = text else { return position };
        let offset = convert::nearest_offset(&text, position, from);
        convert::lsp_position(&text, offset, to)
    }

    /// The files that a document is made from, including itself and the files of `$file` values.
    pub fn files_of(&self, uri: &lsp::Uri) -> BTreeSet<PathBuf> {
        let Some(document) = self.documents.get(uri) else { return BTreeSet::new() };
        let files = document.file().into_iter().flat_map(|file| file.all_files());
        files.chain([&document.path]).cloned().collect()
    }
}
