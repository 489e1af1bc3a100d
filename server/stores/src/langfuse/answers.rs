//! The used parts of Langfuse's responses.

use promptls_resolver::{Dialect, Prompt};
use serde::Deserialize;

use crate::error::StoreError;
use crate::provider::{StoreEntry, Stored};

/// A version of a prompt.
#[derive(Deserialize)]
pub struct Version {
    pub version: u32,
    #[serde(default)]
    labels: Vec<String>,
    #[serde(flatten)]
    content: LangfuseContent,
}

#[derive(Deserialize)]
#[serde(tag = "type", content = "prompt", rename_all = "lowercase")]
enum LangfuseContent {
    Text(String),
    Chat(Vec<LangfuseMessage>),
}

/// A message; a placeholder for messages of the application has neither role nor content.
#[derive(Deserialize)]
struct LangfuseMessage {
    role: Option<String>,
    content: Option<String>,
}

impl Version {
    pub fn parse(body: &[u8]) -> Result<Version, StoreError> {
        serde_json::from_slice(body).map_err(|error| no_answer("a prompt", error))
    }

    pub fn into_stored(self, dialect: Dialect) -> Result<Stored, StoreError> {
        let (text, is_chat) = match self.content {
            LangfuseContent::Text(text) => (text, false),
            LangfuseContent::Chat(messages) => (in_lines(&messages), true),
        };
        let prompt = Prompt::in_dialect(dialect, text);
        Ok(Stored { prompt, version: Some(self.version), labels: self.labels, is_chat })
    }
}

/// The messages as lines `role: content`, as Agentle reads them. Messages without role or content
/// are left out.
fn in_lines(messages: &[LangfuseMessage]) -> String {
    let line = |message: &LangfuseMessage| {
        Some(format!("{}: {}", message.role.as_deref()?, message.content.as_deref()?))
    };
    messages.iter().filter_map(line).collect::<Vec<_>>().join("\n")
}

/// A page of the list of prompts.
#[derive(Deserialize)]
pub struct Page {
    data: Vec<Meta>,
    meta: PageMeta,
}

#[derive(Deserialize)]
struct Meta {
    name: String,
    #[serde(default)]
    versions: Vec<u32>,
    #[serde(default)]
    labels: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageMeta {
    total_pages: usize,
}

impl Page {
    pub fn parse(body: &[u8]) -> Result<Page, StoreError> {
        serde_json::from_slice(body).map_err(|error| no_answer("a list of prompts", error))
    }

    /// `true` for the last page. A page without prompts counts as the last one, whatever its
    /// metadata.
    pub fn is_last(&self, number: usize) -> bool {
        number >= self.meta.total_pages || self.data.is_empty()
    }

    pub fn into_listed(self) -> impl Iterator<Item = StoreEntry> {
        self.data.into_iter().map(|mut meta| {
            meta.versions.sort_unstable();
            StoreEntry { id: meta.name, versions: meta.versions, labels: meta.labels }
        })
    }
}

fn no_answer(expected: &str, error: serde_json::Error) -> StoreError {
    StoreError::lasting(format!("the store returned something other than {expected}: {error}"))
        .because(error)
}
