//! The names that the code of an application sets.
//!
//! All prompts of an application share one list. Work proportional to the list is done once for it.
//! With thousands of names and prompts, doing it for each prompt took quadratic time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use promptls_resolver::Engine;

use super::key::is_meant;
use crate::suggest::{NameIndex, SharedNames};

/// Names that code sets, each with the name of a file that sets it, for the user.
#[derive(Debug, Default)]
pub struct SuppliedNames {
    files: BTreeMap<String, String>,
    to_mean: Mutex<Vec<(Engine, SharedNames)>>,
}

impl SuppliedNames {
    /// Creates the list from names, each with the name of its file.
    pub fn new(files: BTreeMap<String, String>) -> SuppliedNames {
        SuppliedNames { files, to_mean: Mutex::default() }
    }

    /// The file that sets a name; `None` if there is none.
    pub fn file_of(&self, name: &str) -> Option<&str> {
        self.files.get(name).map(String::as_str)
    }

    /// All names, sorted, with their files.
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// The names that misspelt ones in prompts of an engine may refer to.
    ///
    /// Cost: the names, at the first call for an engine.
    pub(crate) fn names_to_mean(&self, engine: Engine) -> SharedNames {
        let mut known = self.to_mean.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, names)) = known.iter().find(|(of, _)| *of == engine) {
            return names.clone();
        }
        let names = self.files.keys().map(String::as_str).filter(|name| is_meant(engine, name));
        let names = Arc::new(NameIndex::new(names.map(Arc::from)));
        known.push((engine, names.clone()));
        names
    }
}

impl PartialEq for SuppliedNames {
    fn eq(&self, other: &SuppliedNames) -> bool {
        self.files == other.files
    }
}

impl Eq for SuppliedNames {}
