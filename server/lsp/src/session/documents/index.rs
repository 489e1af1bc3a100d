//! Indexes of the documents that a file may affect. An editor may have thousands of documents open,
//! so a scan of all of them is too slow.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dashmap::DashMap;
use promptls_workspace::{is_inputs_file, is_variables_file, sidecar_home, stem, stems_concerned};
use tower_lsp::ls_types as lsp;

use crate::session::document::Document;

/// Documents by folder, name and the files that they read.
#[derive(Default)]
pub struct Index {
    in_folder: Places,
    /// By their paths without the extension, as far as sidecars are concerned.
    by_stem: Places,
    /// Open sidecars, by the paths without extension of prompts that they may belong to.
    sidecars: Places,
    /// By each file that they are made from.
    readers: Places,
    /// By the path of their effective config.
    by_config: Places,
    /// Documents that are not open: prompts that were loaded for an open sidecar.
    not_open: Places,
}

type Places = DashMap<PathBuf, BTreeSet<lsp::Uri>>;

impl Index {
    /// Adds a document before anything is read for it.
    pub fn add(&self, uri: &lsp::Uri, document: &Document) {
        for (places, place) in self.places(document) {
            places.entry(place).or_default().insert(uri.clone());
        }
    }

    /// Removes a document before it is closed or loaded from other files.
    pub fn remove(&self, uri: &lsp::Uri, document: &Document) {
        for (places, place) in self.places(document) {
            if let Some(mut documents) = places.get_mut(&place) {
                documents.remove(uri);
            }
            places.remove_if(&place, |_, documents| documents.is_empty());
        }
    }

    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        let Index { in_folder, by_stem, sidecars, readers, by_config, not_open } = self;
        let all = [in_folder, by_stem, sidecars, readers, by_config, not_open];
        all.iter().all(|places| places.is_empty())
    }

    /// All index entries of a document.
    fn places(&self, document: &Document) -> Vec<(&Places, PathBuf)> {
        let path = &document.path;
        let mut places =
            vec![(&self.in_folder, folder(path)), (&self.by_stem, without_ending(path))];
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !document.is_open {
            places.push((&self.not_open, PathBuf::new()));
        } else if is_inputs_file(name) || is_variables_file(name) {
            let owners = stems_concerned(name);
            places.extend(owners.map(|stem| (&self.sidecars, path.with_file_name(stem))));
        }
        if let Some(file) = document.file() {
            places.extend(file.all_files().map(|file| (&self.readers, file.clone())));
            places.extend(file.config().map(|config| (&self.by_config, config.path.clone())));
        }
        places
    }

    /// The documents in a folder.
    pub fn in_folder(&self, folder: &Path) -> Vec<lsp::Uri> {
        at(&self.in_folder, folder)
    }

    /// The documents in the same folder that a file may belong to, or take a sidecar from, by its
    /// name.
    pub fn beside(&self, path: &Path) -> Vec<lsp::Uri> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stems = stems_concerned(name);
        stems.flat_map(|stem| at(&self.by_stem, &path.with_file_name(stem))).collect()
    }

    /// The documents with this path, or with the same path except for the extension.
    pub fn named(&self, path: &Path) -> Vec<lsp::Uri> {
        at(&self.by_stem, &without_ending(path))
    }

    /// The open sidecars that may belong to a file, by their names.
    pub fn sidecars(&self, path: &Path) -> Vec<lsp::Uri> {
        at(&self.sidecars, &without_ending(path))
    }

    /// The documents that are made from a file.
    pub fn readers(&self, path: &Path) -> Vec<lsp::Uri> {
        at(&self.readers, path)
    }

    /// The files below a folder that documents are made from.
    ///
    /// Cost: a scan of all such files.
    pub fn below(&self, folder: &Path) -> Vec<PathBuf> {
        let all = self.readers.iter().filter(|it| it.key().starts_with(folder));
        all.map(|it| it.key().clone()).filter(|path| path != folder).collect()
    }

    /// The effective configs of all documents, each with one of these documents.
    pub fn configs(&self) -> Vec<(PathBuf, lsp::Uri)> {
        let one = |documents: &BTreeSet<lsp::Uri>| documents.first().cloned();
        let configs = self.by_config.iter();
        configs.filter_map(|it| Some((it.key().clone(), one(it.value())?))).collect()
    }

    /// The documents with this effective config.
    pub fn of_config(&self, config: &Path) -> Vec<lsp::Uri> {
        at(&self.by_config, config)
    }

    /// The documents that are not open.
    pub fn not_open(&self) -> Vec<lsp::Uri> {
        at(&self.not_open, Path::new(""))
    }
}

fn at(places: &Places, place: &Path) -> Vec<lsp::Uri> {
    places.get(place).map(|documents| documents.iter().cloned().collect()).unwrap_or_default()
}

fn folder(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("/")).to_owned()
}

/// The path, without extension, of sidecars that share the name of a file.
fn without_ending(path: &Path) -> PathBuf {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    sidecar_home(path).with_file_name(stem(name))
}
