//! `promptls check --against`: prompts that differ from those in a store.
//!
//! The lock lists the prompts that were pulled from it. This is the only part of a check that uses
//! the network, and only if the store does.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use promptls_resolver::Code;
use promptls_stores::{Filters, Prompt, Stored, Trouble};
use promptls_workspace::{Files, Pulled, by_bytes};

use super::{Check, Outcome};
use crate::errors::CommandError;
use crate::stores::{Address, OpenedStore, StoreFailure, block_on};

impl Check<'_> {
    /// Compares the prompts that were pulled from a store with those in it, one after the other.
    /// `address` is the name of the store, with a label.
    pub(super) fn against(
        &self,
        address: &Address,
        prompts: &[PathBuf],
        outcome: &mut Outcome,
    ) -> Result<(), CommandError> {
        let store = OpenedStore::open(&address.store, &self.files, &self.configs)?;
        let filters = Filters { version: None, label: address.id.clone() };
        if filters.label.is_some() && !store.keeps_versions() {
            return Err(StoreFailure::NoVersions(store.name).into());
        }
        let is_checked = |path: &PathBuf| prompts.binary_search_by(|it| by_bytes(it, path)).is_ok();
        let pulled: Vec<(&Pulled, PathBuf)> = store
            .lock
            .of_store(&store.name)
            .map(|pulled| (pulled, store.lock.path_of(pulled)))
            .filter(|(_, path)| is_checked(path))
            .collect();
        if pulled.is_empty() {
            return Err(StoreFailure::NothingPulled(store.name).into());
        }
        block_on(async {
            for (pulled, path) in pulled {
                let id = &pulled.id;
                let message = match store.find(id, &filters).await {
                    Ok(stored) => self.difference(&store, id, &stored, &path)?,
                    Err(StoreFailure::Failed { error, hint, .. })
                        if error.trouble() == Trouble::NotFound =>
                    {
                        Some(format!("`{id}` is not in the store `{}`{hint}", store.name))
                    }
                    Err(failure) => return Err(failure.into()),
                };
                if let Some(message) = message {
                    self.of_file(&path, Code::DiffersFromStore, message, outcome);
                }
            }
            Ok(())
        })
    }

    /// The difference of a file, human-readable; `None` if there is none.
    fn difference(
        &self,
        store: &OpenedStore,
        id: &str,
        stored: &Stored,
        path: &Path,
    ) -> Result<Option<String>, CommandError> {
        let here = (&self.files as &dyn Files).read(path)?;
        if *here == *stored.prompt.content() {
            return Ok(None);
        }
        let names = |prompt: &Prompt| prompt.extract_variable_names().into_iter().collect();
        let there: BTreeSet<String> = names(&stored.prompt);
        let here: BTreeSet<String> = names(&Prompt::in_dialect(stored.prompt.dialect(), here));
        let only = |some: &BTreeSet<String>, others: &BTreeSet<String>| {
            some.difference(others).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        let version = stored.version.map(|it| format!("version {it} of ")).unwrap_or_default();
        let mut message = format!("differs from {version}`{id}` in the store `{}`", store.name);
        let (unused_here, new) = (only(&there, &here), only(&here, &there));
        if !unused_here.is_empty() {
            message.push_str(&format!("; only the store uses {unused_here}"));
        }
        if !new.is_empty() {
            message.push_str(&format!("; only the file uses {new}"));
        }
        Ok(Some(message))
    }
}
