//! Files with some texts replaced.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_hosts::Demand;

use super::layer::Layer;
use super::listing::Listing;
use super::{Files, Reading};
use crate::configs::Configs;
use crate::hosts::program_facts::{Extent, ProgramFacts};
use crate::hosts::prompt_uses::Use;
use crate::hosts::state_names::AppNames;
use crate::project::Project;
use crate::read_error::ReadError;

/// Files with some texts replaced or added. Globs ignore added files.
pub struct WithTexts<'f> {
    /// The files in which texts are replaced.
    pub files: &'f dyn Files,
    /// The facts about the code in these files, before the replacement.
    pub program: &'f dyn ProgramFacts,
    /// The replaced texts, by absolute path.
    pub texts: BTreeMap<PathBuf, Arc<str>>,
}

impl WithTexts<'_> {
    /// These files and the programs in them, with configs.
    pub fn project<'p>(&'p self, configs: &'p Configs) -> Project<'p> {
        Project { files: self, configs, program: self }
    }

    fn names_in(&self, folder: &Path) -> impl Iterator<Item = String> {
        let here = self.texts.keys().filter(move |path| path.parent() == Some(folder));
        here.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
    }
}

impl Layer for WithTexts<'_> {
    fn below(&self) -> &dyn Files {
        self.files
    }

    fn read_as(&self, path: &Path, reading: Reading) -> Result<Arc<str>, ReadError> {
        let text = self.texts.get(path);
        text.map_or_else(|| self.files.read_as(path, reading), |text| Ok(text.clone()))
    }

    fn list(&self, folder: &Path) -> Arc<Listing> {
        let there = self.files.list(folder);
        let mut new: Vec<String> =
            self.names_in(folder).filter(|name| there.binary_search(name).is_err()).collect();
        if new.is_empty() {
            return there;
        }
        new.extend_from_slice(&there);
        new.sort_unstable();
        Listing::of_names(new)
    }

    fn is_there(&self, path: &Path) -> bool {
        self.texts.contains_key(path) || self.files.is_there(path)
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        let there = self.files.without_links(path);
        there.or_else(|| self.texts.contains_key(path).then(|| path.to_owned()))
    }
}

impl ProgramFacts for WithTexts<'_> {
    fn uses(&self, path: &Path) -> Arc<[Demand]> {
        self.program.uses(path)
    }

    fn used_by(&self, path: &Path) -> Arc<[Use]> {
        self.program.used_by(path)
    }

    fn parts_of(&self, path: &Path) -> Vec<PathBuf> {
        self.program.parts_of(path)
    }

    fn texts_used(&self, path: &Path) -> Vec<PathBuf> {
        self.program.texts_used(path)
    }

    fn names(&self, path: &Path) -> Option<Arc<AppNames>> {
        self.program.names(path)
    }

    fn holds_prompts(&self, path: &Path) -> Option<bool> {
        if self.texts.contains_key(path) { None } else { self.program.holds_prompts(path) }
    }

    fn note_searched(&self, folders: &[PathBuf], extent: Extent) {
        self.program.note_searched(folders, extent);
    }
}
