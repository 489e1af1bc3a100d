//! Files with some texts replaced.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_hosts::Demand;

use super::Files;
use crate::hosts::app_names::AppNames;
use crate::read_error::ReadError;

/// Files with some texts replaced or added. Globs ignore added files.
pub struct WithTexts<'f> {
    /// The files in which texts are replaced.
    pub files: &'f dyn Files,
    /// The replaced texts, by absolute path.
    pub texts: BTreeMap<PathBuf, Arc<str>>,
}

impl WithTexts<'_> {
    fn names_in(&self, folder: &Path) -> impl Iterator<Item = String> {
        let here = self.texts.keys().filter(move |path| path.parent() == Some(folder));
        here.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
    }
}

impl Files for WithTexts<'_> {
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.texts.get(path).map_or_else(|| self.files.read(path), |text| Ok(text.clone()))
    }

    fn read_shared(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        self.texts.get(path).map_or_else(|| self.files.read_shared(path), |text| Ok(text.clone()))
    }

    fn list(&self, folder: &Path) -> Arc<[String]> {
        let there = self.files.list(folder);
        let mut new: Vec<String> =
            self.names_in(folder).filter(|name| there.binary_search(name).is_err()).collect();
        if new.is_empty() {
            return there;
        }
        new.extend_from_slice(&there);
        new.sort_unstable();
        new.into()
    }

    fn is_there(&self, path: &Path) -> bool {
        self.texts.contains_key(path) || self.files.is_there(path)
    }

    fn is_link(&self, path: &Path) -> bool {
        self.files.is_link(path)
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        let there = self.files.without_links(path);
        there.or_else(|| self.texts.contains_key(path).then(|| path.to_owned()))
    }

    fn uses(&self, path: &Path) -> Option<Arc<[Demand]>> {
        self.files.uses(path)
    }

    fn app(&self, path: &Path) -> Option<Arc<AppNames>> {
        self.files.app(path)
    }

    fn holds_prompts(&self, path: &Path) -> Option<bool> {
        if self.texts.contains_key(path) { None } else { self.files.holds_prompts(path) }
    }

    fn note_searched(&self, folders: &[PathBuf]) {
        self.files.note_searched(folders);
    }

    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        self.files.glob(folder, glob)
    }
}
