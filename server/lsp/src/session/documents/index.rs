//! An index from files to the documents that they concern. An editor may have thousands of
//! documents open, so a change of one file must not visit all of them.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use dashmap::DashMap;
use promptls_workspace::{
    folder_of, is_inputs_file, is_variables_file, sidecar_home, stem, stems_concerned,
};

use crate::convert::Uri;
use crate::session::document::Document;

/// Maps files to the URIs of the documents that depend on them.
#[derive(Default)]
pub struct Index {
    in_folder: Places,
    /// By their paths without the last extension, which sidecars share.
    by_stem: Places,
    /// Open sidecars, by the paths without extension of the prompts that they may belong to.
    sidecars: Places,
    /// By each file that a document depends on.
    readers: Places,
    /// By the path of the config that applies to them.
    by_config: Places,
    /// Documents that are not open: prompts that were loaded for an open sidecar.
    not_open: Places,
}

type Places = DashMap<PathBuf, BTreeSet<Uri>>;

impl Index {
    /// Adds a document of which no file has been read yet.
    pub fn add(&self, uri: &Uri, document: &Document) {
        for (places, place) in self.places(document) {
            places.entry(place).or_default().insert(uri.clone());
        }
    }

    /// Removes a document and all its entries.
    pub fn remove(&self, uri: &Uri, document: &Document) {
        for (places, place) in self.places(document) {
            remove(places, &place, uri);
        }
    }

    /// Replaces the entries of a document after it was loaded. An entry that exists before and after is
    /// never removed in between, because other threads look documents up at the same time.
    pub fn update(&self, uri: &Uri, document: &mut Document, change: impl FnOnce(&mut Document)) {
        let before = self.places(document);
        change(document);
        self.add(uri, document);
        let now = self.places(document);
        let id = |places: &Places| std::ptr::from_ref(places).addr();
        let now: HashSet<(usize, &Path)> =
            now.iter().map(|(places, place)| (id(places), place.as_path())).collect();
        for (places, place) in before {
            if !now.contains(&(id(places), place.as_path())) {
                remove(places, &place, uri);
            }
        }
    }

    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        let Index { in_folder, by_stem, sidecars, readers, by_config, not_open } = self;
        let all = [in_folder, by_stem, sidecars, readers, by_config, not_open];
        all.iter().all(|places| places.is_empty())
    }

    /// The entries of a document.
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

    /// Returns the documents in a folder.
    pub fn in_folder(&self, folder: &Path) -> Vec<Uri> {
        at(&self.in_folder, folder)
    }

    /// Returns the documents in a file's folder whose names show that the file may belong to them, or
    /// they to it.
    pub fn beside(&self, path: &Path) -> Vec<Uri> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stems = stems_concerned(name);
        stems.flat_map(|stem| at(&self.by_stem, &path.with_file_name(stem))).collect()
    }

    /// Returns the documents of a path, and those whose path differs only in its extension.
    pub fn named(&self, path: &Path) -> Vec<Uri> {
        at(&self.by_stem, &without_ending(path))
    }

    /// Returns the open sidecars whose names show that they may belong to a file.
    pub fn sidecars(&self, path: &Path) -> Vec<Uri> {
        at(&self.sidecars, &without_ending(path))
    }

    /// Returns the documents that depend on a file.
    pub fn readers(&self, path: &Path) -> Vec<Uri> {
        at(&self.readers, path)
    }

    /// Returns the files below a folder that documents depend on.
    ///
    /// Cost: linear in the number of all such files.
    pub fn below(&self, folder: &Path) -> Vec<PathBuf> {
        let all = self.readers.iter().filter(|it| it.key().starts_with(folder));
        all.map(|it| it.key().clone()).filter(|path| path != folder).collect()
    }

    /// Returns the configs that apply to documents, each with one of its documents.
    pub fn configs(&self) -> Vec<(PathBuf, Uri)> {
        let one = |documents: &BTreeSet<Uri>| documents.first().cloned();
        let configs = self.by_config.iter();
        configs.filter_map(|it| Some((it.key().clone(), one(it.value())?))).collect()
    }

    /// Returns the documents that a config applies to.
    pub fn of_config(&self, config: &Path) -> Vec<Uri> {
        at(&self.by_config, config)
    }

    /// Returns the documents that are not open.
    pub fn not_open(&self) -> Vec<Uri> {
        at(&self.not_open, Path::new(""))
    }
}

fn remove(places: &Places, place: &Path, uri: &Uri) {
    if let Some(mut documents) = places.get_mut(place) {
        documents.remove(uri);
    }
    places.remove_if(place, |_, documents| documents.is_empty());
}

fn at(places: &Places, place: &Path) -> Vec<Uri> {
    places.get(place).map(|documents| documents.iter().cloned().collect()).unwrap_or_default()
}

fn folder(path: &Path) -> PathBuf {
    folder_of(path).to_owned()
}

/// The path without extension that the sidecars of a file share.
fn without_ending(path: &Path) -> PathBuf {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    sidecar_home(path).with_file_name(stem(name))
}
