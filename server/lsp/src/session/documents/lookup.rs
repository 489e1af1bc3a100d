//! Finds loaded prompts: those of a document, at a position, or that read a file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use promptls_analysis::position::Encoding;
use promptls_protocol as wire;
use promptls_resolver::FileId;
use promptls_workspace::{Files, PromptFile, is_code};
use ropey::Rope;

use super::Documents;
use crate::convert::{self, Uri};
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

impl Lookup<'_> {
    /// The prompt at a position of a document. `None` if the document is not loaded, has no
    /// prompts, or has none there.
    pub fn prompt_at(
        &self,
        uri: &Uri,
        position: wire::Position,
        encoding: Encoding,
    ) -> Option<PromptSnapshot> {
        self.prompt_found(uri, position, encoding, PromptFile::prompt_at)
    }

    /// The prompt that includes a part which the program computes at a position.
    fn prompt_with_hole(
        &self,
        uri: &Uri,
        position: wire::Position,
        encoding: Encoding,
    ) -> Option<PromptSnapshot> {
        self.prompt_found(uri, position, encoding, PromptFile::hole_at)
    }

    /// The prompt that `find` returns for the offset of a position, by its index.
    fn prompt_found(
        &self,
        uri: &Uri,
        position: wire::Position,
        encoding: Encoding,
        find: fn(&PromptFile, usize) -> Option<(usize, usize)>,
    ) -> Option<PromptSnapshot> {
        let document = self.documents.by_uri.get(uri)?;
        let offset = convert::offset(&document.text, position, encoding)?;
        let (index, _) = find(document.file()?, offset)?;
        document.snapshot(index)
    }

    /// The prompt that a custom request refers to. In a document with several, that is the prompt
    /// of the given name. Otherwise it is the prompt at or next to the position; without a
    /// position, the first one. An inputs file refers to a prompt that reads it, in its case.
    pub fn requested_prompt(
        &self,
        uri: &Uri,
        name: Option<&str>,
        position: Option<wire::Position>,
        encoding: Encoding,
    ) -> Option<PromptSnapshot> {
        let document = self.documents.by_uri.get(uri)?;
        let Some(file) = document.file() else {
            // Its readers are in the same map.
            drop(document);
            return self.prompt_with_inputs(uri, name);
        };
        let named = name.and_then(|name| file.prompt_or_chat_named(name));
        let index = named.or_else(|| match position {
            Some(at) => file.nearest(convert::nearest_offset(&document.text, at, encoding)),
            None => Some(0),
        });
        document.snapshot(index?)
    }

    /// The prompt of the given name that reads an inputs file, else the first one, in the case of
    /// the file.
    fn prompt_with_inputs(&self, uri: &Uri, name: Option<&str>) -> Option<PromptSnapshot> {
        let in_its_case = |view: View| {
            let case = view.case()?;
            Some(PromptSnapshot { case: Some(case), ..view.prompt })
        };
        let mut readers: Vec<PromptSnapshot> =
            self.known_readers(uri).into_iter().filter_map(in_its_case).collect();
        let is_named = |prompt: &PromptSnapshot| {
            name.is_some() && [prompt.name(), prompt.shown_name()].contains(&name)
        };
        let index = readers.iter().position(is_named).unwrap_or(0);
        (index < readers.len()).then(|| readers.swap_remove(index))
    }

    /// The prompts of a document; empty if it has none.
    pub fn prompts(&self, uri: &Uri) -> Vec<PromptSnapshot> {
        self.documents.by_uri.get(uri).map(|document| document.snapshots()).unwrap_or_default()
    }

    /// The file of prompts of a document; `None` for any other document.
    pub fn file(&self, uri: &Uri) -> Option<FileSnapshot> {
        self.documents.by_uri.get(uri)?.of_file()
    }

    /// The views of a position. Inside a prompt, that is the view of this prompt. In an inputs or
    /// variables file, it is one view for each loaded prompt that reads it, in the order of their
    /// URIs. At a place in code that sets or reads a name, it is one for each loaded prompt that
    /// reads the name. At a part that the program computes, it is that of its prompt.
    pub fn views(&self, uri: &Uri, position: wire::Position, encoding: Encoding) -> Vec<View> {
        if let Some(prompt) = self.prompt_at(uri, position, encoding) {
            return vec![View { prompt, file: FileId::PROMPT }];
        }
        // The file may have prompts of its own that do not read the name.
        let readers = self.readers_of_place(uri, position, encoding).unwrap_or_default();
        if !readers.is_empty() {
            return readers;
        }
        let hole = self.prompt_with_hole(uri, position, encoding);
        let hole = hole.map(|prompt| vec![View { prompt, file: FileId::PROMPT }]);
        hole.unwrap_or_else(|| self.known_readers(uri))
    }

    /// The views of a place in code or data, for each loaded prompt that reads its name.
    ///
    /// Cost: in code outside of words nothing, else the places of the loaded prompts whose program
    /// has this file. Only prompts that read the name are copied.
    fn readers_of_place(
        &self,
        uri: &Uri,
        position: wire::Position,
        encoding: Encoding,
    ) -> Option<Vec<View>> {
        let path = convert::path(uri);
        let text = self.documents.by_uri.get(uri)?.text.clone();
        let offset = convert::offset(&text, position, encoding)?;
        let is_of_word =
            |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
        let before = || text.bytes_at(offset).reversed().next().is_some_and(is_of_word);
        if is_code(&path) && !before() && !text.bytes_at(offset).next().is_some_and(is_of_word) {
            return None;
        }
        let mut views = Vec::new();
        for document in self.documents.by_uri.iter() {
            let Some(file) = document.file() else { continue };
            let Some(id) = file.code_file_at(&path) else { continue };
            for (index, prompt) in file.prompts.iter().enumerate() {
                let program = prompt.snapshot.program();
                if program.is_some_and(|program| program.place_at(id, offset).is_some()) {
                    views.extend(document.snapshot(index).map(|prompt| View { prompt, file: id }));
                }
            }
        }
        views.sort_by(|one, other| one.prompt.identity().cmp(&other.prompt.identity()));
        Some(views)
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

    /// The text of a document; of a file that is not loaded only if it can be read at once.
    pub fn text(&self, uri: &Uri) -> Option<Rope> {
        let loaded = self.documents.by_uri.get(uri).map(|document| document.text.clone());
        let read = || self.documents.overlay().as_files().read(&convert::path(uri)).ok();
        loaded.or_else(|| read().map(|text| Rope::from_str(&text)))
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

    /// The files that a document is made from, including itself and the files of `$file` values.
    pub fn files_of(&self, uri: &Uri) -> BTreeSet<PathBuf> {
        let Some(document) = self.documents.by_uri.get(uri) else { return BTreeSet::new() };
        let files = document.file().into_iter().flat_map(|file| file.all_files());
        files.chain([&document.path]).cloned().collect()
    }
}
