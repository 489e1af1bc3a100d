//! The documents as they would be if some files had other texts.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dashmap::DashMap;
use promptls_workspace::{
    AppNames, Demand, Extent, Files, Layer, ProgramFacts, Project, ReadError, Reading, Use,
    with_keys_of,
};

use super::Documents;
use crate::convert::{self, Uri};
use crate::session::overlay::{Overlay, Wait};
use crate::session::prompt_snapshot::PromptSnapshot;

/// All files and the programs in them, with other texts for some files.
pub struct WithTexts<'t> {
    documents: &'t Documents,
    files: Overlay<'t>,
    texts: &'t HashMap<PathBuf, Arc<str>>,
    /// The names that applications would set then, by their folders.
    apps: DashMap<PathBuf, Option<Arc<AppNames>>>,
}

impl Documents {
    /// All files, with other texts for some of them.
    pub fn with_texts<'t>(&'t self, texts: &'t HashMap<PathBuf, Arc<str>>) -> WithTexts<'t> {
        let files = self.overlay_with(Wait::ForLarge);
        WithTexts { documents: self, files, texts, apps: DashMap::new() }
    }
}

impl WithTexts<'_> {
    /// The prompts of a document. Empty if its file cannot be read.
    pub fn prompts(&self, uri: &Uri) -> Vec<PromptSnapshot> {
        let configs = &self.documents.configs;
        let project = Project { files: self, configs, program: self };
        self.documents.unstored().read(uri, &convert::path(uri), project)
    }
}

impl Layer for WithTexts<'_> {
    fn below(&self) -> &dyn Files {
        &self.files
    }

    fn read_as(&self, path: &Path, reading: Reading) -> Result<Arc<str>, ReadError> {
        match self.texts.get(path) {
            Some(text) => Ok(text.clone()),
            None => self.below().read_as(path, reading),
        }
    }

    fn is_there(&self, path: &Path) -> bool {
        self.texts.contains_key(path) || self.below().is_there(path)
    }
}

impl ProgramFacts for WithTexts<'_> {
    fn uses(&self, path: &Path) -> Arc<[Demand]> {
        let code = &self.documents.code;
        with_keys_of(code.uses(path), self.texts, code)
    }

    fn used_by(&self, path: &Path) -> Arc<[Use]> {
        self.documents.code.used_by(path)
    }

    fn parts_of(&self, path: &Path) -> Vec<PathBuf> {
        self.documents.code.parts_of(path)
    }

    fn texts_used(&self, path: &Path) -> Vec<PathBuf> {
        self.documents.code.texts_used(path)
    }

    fn names(&self, path: &Path) -> Option<Arc<AppNames>> {
        let code = &self.documents.code;
        let app = code.app_of(path)?;
        let names = || code.app_with(&app, self.texts, self);
        self.apps.entry(app.clone()).or_insert_with(names).clone()
    }

    /// Not known: what is read is not kept.
    fn holds_prompts(&self, _: &Path) -> Option<bool> {
        None
    }

    fn note_searched(&self, _: &[PathBuf], _: Extent) {}
}
