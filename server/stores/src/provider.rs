//! The common interface of all stores.

use std::collections::BTreeSet;

use async_trait::async_trait;
use promptls_resolver::Prompt;

use crate::error::{StoreError, Trouble};

/// The maximum size of a prompt, or of a store's response, in bytes: 16 MiB.
pub const MAX_BYTES: usize = 16 << 20;

/// Selects a version of a prompt. Without version and label, the default version of the store.
///
/// A store without versions ignores the filters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// The number of the version.
    pub version: Option<u32>,
    /// A name that is assigned to one version at a time, such as `production`.
    pub label: Option<String>,
}

impl Filters {
    /// The version of this number.
    pub fn version(number: u32) -> Filters {
        Filters { version: Some(number), label: None }
    }

    /// The version with this label.
    pub fn label(label: impl Into<String>) -> Filters {
        Filters { version: None, label: Some(label.into()) }
    }
}

/// A prompt as returned by a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The prompt in source form, never compiled.
    pub prompt: Prompt,
    /// Its version; `None` if the store keeps none.
    pub version: Option<u32>,
    /// The labels of that version.
    pub labels: Vec<String>,
    /// `true` if the store has messages instead of one text. The prompt is then a line `role:
    /// content` for each of them; this cannot be reversed.
    pub is_chat: bool,
}

/// The list entry of a prompt, without its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreEntry {
    /// The id of the prompt.
    pub id: String,
    /// Its versions, the oldest first; empty if the store keeps none.
    pub versions: Vec<u32>,
    /// The labels of all versions.
    pub labels: Vec<String>,
}

/// Metadata of a saved prompt. A store without versions ignores it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// The labels that move to the new version.
    pub labels: Vec<String>,
    /// The reason for the change.
    pub message: Option<String>,
}

/// Read access to prompts: sufficient for applications.
#[async_trait]
pub trait PromptProvider: Send + Sync {
    /// Returns a prompt with its metadata.
    async fn find(&self, id: &str, filters: &Filters) -> Result<Stored, StoreError>;

    /// Returns all prompts, sorted by id.
    async fn list(&self) -> Result<Vec<StoreEntry>, StoreError>;

    /// Returns a prompt in the default version of the store.
    async fn provide_prompt(&self, id: &str) -> Result<Prompt, StoreError> {
        self.provide_prompt_with(id, &Filters::default()).await
    }

    /// Returns a prompt in a selected version.
    async fn provide_prompt_with(&self, id: &str, filters: &Filters) -> Result<Prompt, StoreError> {
        Ok(self.find(id, filters).await?.prompt)
    }

    /// Returns `true` if the prompt exists. An invalid id yields `false`.
    async fn exists(&self, id: &str) -> Result<bool, StoreError> {
        match self.find(id, &Filters::default()).await {
            Ok(_) => Ok(true),
            Err(error) if error.trouble() == Trouble::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns the ids of all prompts.
    async fn list_prompt_ids(&self) -> Result<BTreeSet<String>, StoreError> {
        Ok(self.list().await?.into_iter().map(|listed| listed.id).collect())
    }
}

/// Write access to prompts, for tools that manage them.
#[async_trait]
pub trait PromptStore: Send + Sync {
    /// Saves a prompt verbatim, and returns the new version; `None` if the store keeps none.
    async fn save_as(
        &self,
        id: &str,
        prompt: &Prompt,
        revision: &Revision,
    ) -> Result<Option<u32>, StoreError>;

    /// Deletes a version of a prompt; without filters, the whole prompt.
    async fn delete_with(&self, id: &str, filters: &Filters) -> Result<(), StoreError>;

    /// Saves a prompt verbatim, without returning the new version.
    async fn save(&self, id: &str, prompt: &Prompt) -> Result<(), StoreError> {
        self.save_as(id, prompt, &Revision::default()).await.map(|_| ())
    }

    /// Saves a text as a prompt, verbatim.
    async fn save_text(&self, id: &str, text: &str) -> Result<(), StoreError> {
        self.save(id, &Prompt::of(text)).await
    }

    /// Deletes a prompt, with all its versions.
    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.delete_with(id, &Filters::default()).await
    }
}
