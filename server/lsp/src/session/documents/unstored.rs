//! Reads prompts without storing them: of documents that are not loaded, and of commits.

use std::path::Path;

use promptls_workspace::{
    CodeIndex, CommitError, Committed, GitCalls, PartFiles, ProgramFacts, Project, PromptFile,
    Rule, folder_of, kind_of, prompts_by_rule, prompts_in, prompts_of,
};
use ropey::Rope;

use super::Documents;
use crate::convert::{self, Uri};
use crate::session::document::{Document, DocumentPrompts};
use crate::session::overlay::Wait;
use crate::session::prompt_snapshot::{FileSnapshot, PromptSnapshot, View};

/// Prompts that need not be loaded. Use it on a worker.
#[derive(Clone, Copy)]
pub struct UnstoredPrompts<'d> {
    pub(super) documents: &'d Documents,
}

impl Documents {
    /// Reads prompts without storing them.
    pub fn unstored(&self) -> UnstoredPrompts<'_> {
        UnstoredPrompts { documents: self }
    }
}

impl UnstoredPrompts<'_> {
    /// The prompts of a document, loaded or not. Empty if no rule and no name makes its file one of
    /// prompts.
    pub fn prompts(&self, uri: &Uri) -> Vec<PromptSnapshot> {
        let prompts = self.documents.lookup().prompts(uri);
        if !prompts.is_empty() {
            return prompts;
        }
        let path = convert::path(uri);
        let files = self.documents.overlay_with(Wait::ForLarge);
        let project = self.documents.project_with(&files);
        let config = project.configs.nearest(&files, folder_of(&path));
        match kind_of(&path, config.as_deref(), project) {
            Some(_) => self.read(uri, &path, project),
            None => Vec::new(),
        }
    }

    /// All prompts that have a file among their inputs and variables files, loaded or not.
    ///
    /// Cost: for a file that a rule shares, a walk through the folder of the config. The prompts of
    /// that rule which are not loaded are read.
    pub fn readers(&self, path: &Path) -> Vec<PromptSnapshot> {
        let mut readers = Vec::new();
        for uri in self.documents.index.readers(path) {
            if let Some(document) = self.documents.by_uri.get(&uri)
                && document.file().is_some_and(|file| file.file_at(path).is_some())
            {
                readers.extend(document.snapshots());
            }
        }
        let files = self.documents.overlay_with(Wait::ForLarge);
        let project = self.documents.project_with(&files);
        let shares = |rule: &Rule| rule.shares(path);
        let all = |folder: &Path| prompts_by_rule(folder, project, &shares);
        for prompt in prompts_of(path, project, all) {
            let Some(uri) = self.documents.uri(&prompt) else { continue };
            if self.documents.by_uri.contains_key(&uri) {
                continue;
            }
            let found = self.read(&uri, &prompt, project).into_iter();
            readers.extend(found.filter(|prompt| prompt.file_at(path).is_some()));
        }
        readers.sort_by(|a, b| a.identity().cmp(&b.identity()));
        readers
    }

    /// The prompts of the application around a file whose text contains a name, loaded or not.
    ///
    /// Cost: a walk of the application, and reading its files that may contain prompts.
    pub fn of_app(&self, path: &Path, name: &str) -> Vec<PromptSnapshot> {
        let code = self.documents.code_facts();
        let Some(app) = code.app_of(path) else { return Vec::new() };
        let files = self.documents.overlay_with(Wait::ForLarge);
        let mut hosts = code.hosts_of_app(&app);
        hosts.extend(prompts_in(&app, self.documents.project_with(&files)));
        let prompts = hosts.iter().filter_map(|host| self.documents.uri(host));
        let prompts = prompts.flat_map(|uri| self.prompts(&uri));
        prompts.filter(|it| it.snapshot().text.whole().contains(name)).collect()
    }

    /// The views of a place that sets or reads a name of the state, or supplies a value in a call, for
    /// each prompt that reads the name, loaded or not.
    ///
    /// Cost: at a name of the state that of [`UnstoredPrompts::of_app`]; at a key of a call, reading
    /// the files with prompts that get a value under it; else the uses of files by others.
    pub fn readers_of_place(&self, path: &Path, offset: usize) -> Vec<View> {
        let app = self.documents.code.names(path);
        let prompts = match app.as_ref().and_then(|app| app.name_at(path, offset)) {
            Some(name) => self.of_app(path, name),
            None => {
                let word = self.word_at(path, offset);
                let hosts = self.documents.code_facts().supplied_with(path, &word).into_iter();
                let uris = hosts.filter_map(|host| self.documents.uri(&host));
                uris.flat_map(|uri| self.prompts(&uri)).collect()
            }
        };
        let view = |prompt: PromptSnapshot| {
            let file = prompt.file().code_file_at(path)?;
            prompt.snapshot().program()?.place_at(file, offset)?;
            Some(View { prompt, file })
        };
        prompts.into_iter().filter_map(view).collect()
    }

    /// The word around an offset of a document; empty if there is none.
    fn word_at(&self, path: &Path, offset: usize) -> String {
        let text = self.documents.uri(path).and_then(|uri| self.documents.lookup().text(&uri));
        let Some(text) = text else { return String::new() };
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
        let before = text.bytes_at(offset).reversed().take_while(is_part).count();
        let behind = text.bytes_at(offset).take_while(is_part).count();
        text.byte_slice(offset - before..offset + behind).to_string()
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
        let configs = &self.documents.configs.afresh();
        // Code at a commit is followed within that commit, as by the command.
        let program = CodeIndex::new(&files, self.documents.configs.afresh());
        let project = Project { files: &files, configs, program: &program };
        let prompts = self.read(uri, &path, project);
        files.failure(revision).map_or(Ok(prompts), Err)
    }

    /// The prompts of a document whose file is at a path. Empty if the file cannot be read.
    pub(super) fn read(&self, uri: &Uri, path: &Path, project: Project<'_>) -> Vec<PromptSnapshot> {
        let Ok(text) = project.files.read(path) else { return Vec::new() };
        let language = self.documents.by_uri.get(uri).map(|document| document.language.clone());
        let mut document = Document {
            language: language.unwrap_or_default(),
            ..Document::new(path.to_owned(), Rope::from_str(&text))
        };
        let overrides = self.documents.overrides_for(&document.language);
        let text = document.text.clone();
        let file = PromptFile::read(project, path, text.into(), &overrides, None);
        let uris = self.documents.uris_of(uri, &file);
        document.held = Some(DocumentPrompts::new(file, uris));
        document.snapshots()
    }

    /// The files with parts of the prompts of a file.
    ///
    /// Cost: that of [`PartFiles::of`].
    pub fn parts_of(&self, file: &PromptFile) -> PartFiles {
        let files = self.documents.overlay_with(Wait::ForLarge);
        PartFiles::of(file, self.documents.project_with(&files))
    }

    /// A snapshot of a file that was read elsewhere, with the URIs of its files.
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
}
