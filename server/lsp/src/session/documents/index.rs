//! Which documents a file may concern, so that nobody looks at all of them: an editor may have
//! thousands open.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use dashmap::DashMap;
use promptls_workspace::{is_inputs_file, is_variables_file, sidecar_home, stem, stems_concerned};
use tower_lsp::ls_types as lsp;

use crate::session::document::Document;

/// Documents by what leads to them.
#[derive(Default)]
pub struct Index {
    in_folder: Places,
    /// By their paths, as far as sidecars go, without the last extension.
    by_stem: Places,
    /// Open sidecars, by the paths without endings of prompts that they may belong to.
    sidecars: Places,
    /// By each file that they are made from.
    readers: Places,
    /// By the path of the config that counts for them.
    by_config: Places,
    /// Those that are not open: prompts that were taken in for an open sidecar.
    not_open: Places,
}

type Places = DashMap<PathBuf, BTreeSet<lsp::Uri>>;

impl Index {
    /// A document came, with nothing read for it yet.
    pub fn add(&self, uri: &lsp::Uri, document: &Document) {
        for (places, place) in self.places(document) {
            places.entry(place).or_default().insert(uri.clone());
        }
    }

    /// A document went.
    pub fn remove(&self, uri: &lsp::Uri, document: &Document) {
        for (places, place) in self.places(document) {
            remove(places, &place, uri);
        }
    }

    /// A document changes. What leads to it before and after does so all the time: other threads look
    /// for it meanwhile.
    pub fn update(
        &self,
        uri: &lsp::Uri,
        document: &mut Document,
        change: impl FnOnce(&mut Document),
    ) {
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

    /// All that leads to a document.
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

    /// The documents beside a file that it may belong to, or take something from, by its name.
    pub fn beside(&self, path: &Path) -> Vec<lsp::Uri> {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let stems = stems_concerned(name);
        stems.flat_map(|stem| at(&self.by_stem, &path.with_file_name(stem))).collect()
    }

    /// The documents of a path, and those that are called the same but for the ending.
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
    /// Cost: a look at all such files.
    pub fn below(&self, folder: &Path) -> Vec<PathBuf> {
        let all = self.readers.iter().filter(|it| it.key().starts_with(folder));
        all.map(|it| it.key().clone()).filter(|path| path != folder).collect()
    }

    /// The configs that count for documents, each with one of these.
    pub fn configs(&self) -> Vec<(PathBuf, lsp::Uri)> {
        let one = |documents: &BTreeSet<lsp::Uri>| documents.first().cloned();
        let configs = self.by_config.iter();
        configs.filter_map(|it| Some((it.key().clone(), one(it.value())?))).collect()
    }

    /// The documents for which a config counts.
    pub fn of_config(&self, config: &Path) -> Vec<lsp::Uri> {
        at(&self.by_config, config)
    }

    /// The documents that are not open.
    pub fn not_open(&self) -> Vec<lsp::Uri> {
        at(&self.not_open, Path::new(""))
    }
}

fn remove(places: &Places, place: &Path, uri: &lsp::Uri) {
    if let Some(mut documents) = places.get_mut(place) {
        documents.remove(uri);
    }
    places.remove_if(place, |_, documents| documents.is_empty());
}

fn at(places: &Places, place: &Path) -> Vec<lsp::Uri> {
    places.get(place).map(|documents| documents.iter().cloned().collect()).unwrap_or_default()
}

fn folder(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("/")).to_owned()
}

/// Where sidecars would be that are called as a file is, without the ending.
fn without_ending(path: &Path) -> PathBuf {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    sidecar_home(path).with_file_name(stem(name))
}
