//! What all stores have in common.

use std::collections::BTreeSet;

use async_trait::async_trait;
use promptls_resolver::Prompt;

use crate::error::{StoreError, Trouble};

/// The largest prompt, or answer of a store, that is read: 16 MiB.
pub const MAX_BYTES: usize = 16 << 20;

/// Which version of a prompt is meant. Without either, the one that the store gives by itself.
///
/// A store that keeps no versions has only one to give.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Its number.
    pub version: Option<u32>,
    /// A name that stands on one version at a time, such as `production`.
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

/// A prompt as a store has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The prompt, never compiled.
    pub prompt: Prompt,
    /// Which version it is, where the store keeps versions.
    pub version: Option<u32>,
    /// The labels on that version.
    pub labels: Vec<String>,
    /// Whether the store has messages instead of one text. The prompt is then a line
    /// `role: content` for each of them; there is no way back.
    pub is_chat: bool,
}

/// What a store says of a prompt without giving it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// What it is called.
    pub id: String,
    /// Its versions, the oldest first; none where the store keeps none.
    pub versions: Vec<u32>,
    /// All labels on them.
    pub labels: Vec<String>,
}

/// What is said of a prompt that is saved. A store that keeps no versions has no use for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// The labels that move to the new version.
    pub labels: Vec<String>,
    /// Why it was changed.
    pub message: Option<String>,
}

/// Gives prompts: all that an application needs.
#[async_trait]
pub trait PromptProvider: Send + Sync {
    /// A prompt with what the store knows of it.
    async fn find(&self, id: &str, filters: &Filters) -> Result<Stored, StoreError>;

    /// All prompts, by id.
    async fn list(&self) -> Result<Vec<Listed>, StoreError>;

    /// A prompt, in the version that the store gives by itself.
    async fn provide_prompt(&self, id: &str) -> Result<Prompt, StoreError> {
        self.provide_prompt_with(id, &Filters::default()).await
    }

    /// A prompt in a certain version.
    async fn provide_prompt_with(&self, id: &str, filters: &Filters) -> Result<Prompt, StoreError> {
        Ok(self.find(id, filters).await?.prompt)
    }

    /// Whether there is such a prompt. An id that no prompt can have is one that none has.
    async fn exists(&self, id: &str) -> Result<bool, StoreError> {
        match self.find(id, &Filters::default()).await {
            Ok(_) => Ok(true),
            Err(error) if error.trouble() == Trouble::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The ids of all prompts.
    async fn list_prompt_ids(&self) -> Result<BTreeSet<String>, StoreError> {
        Ok(self.list().await?.into_iter().map(|listed| listed.id).collect())
    }
}

/// Takes prompts: for those who manage them.
#[async_trait]
pub trait PromptStore: Send + Sync {
    /// Saves a prompt as it is written, and says which version that made, where versions are kept.
    async fn save_as(
        &self,
        id: &str,
        prompt: &Prompt,
        revision: &Revision,
    ) -> Result<Option<u32>, StoreError>;

    /// Deletes a version of a prompt; without filters, all of it.
    async fn delete_with(&self, id: &str, filters: &Filters) -> Result<(), StoreError>;

    /// Saves a prompt as it is written.
    async fn save(&self, id: &str, prompt: &Prompt) -> Result<(), StoreError> {
        self.save_as(id, prompt, &Revision::default()).await.map(|_| ())
    }

    /// The same with its text alone.
    async fn save_text(&self, id: &str, text: &str) -> Result<(), StoreError> {
        self.save(id, &Prompt::of(text)).await
    }

    /// Deletes a prompt, with all its versions.
    async fn delete(&self, id: &str) -> Result<(), StoreError> {
        self.delete_with(id, &Filters::default()).await
    }
}
