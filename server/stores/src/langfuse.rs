//! Prompts in Langfuse, with its public API (`/api/public/v2/prompts`).
//!
//! `answers.rs` defines the responses, and `http.rs` sends requests with the keys, limits and
//! retries of `settings.rs`.

mod answers;
mod http;
mod settings;

use async_trait::async_trait;
use promptls_resolver::{Dialect, Prompt};
use reqwest::{Method, Url};
use serde::Serialize;

use self::answers::{Page, Version};
use self::http::{Http, Retry};
pub use self::settings::{Keys, Limits, RetryPolicy};
use crate::error::StoreError;
use crate::provider::{Filters, PromptProvider, PromptStore, Revision, StoreEntry, Stored};

/// The prompts of a project in Langfuse.
#[derive(Clone, Debug)]
pub struct LangfuseStore {
    http: Http,
    base: Url,
    dialect: Dialect,
}

/// The configuration of a [`LangfuseStore`].
#[derive(Clone, Debug)]
#[must_use = "there is no store before `build`"]
pub struct LangfuseBuilder {
    keys: Keys,
    base_url: String,
    dialect: Dialect,
    retries: RetryPolicy,
    limits: Limits,
}

impl LangfuseBuilder {
    /// Sets the URL of a self-hosted instance; the default is Langfuse's own cloud.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self
    }

    /// Sets the dialect of its prompts; the default is Agentle's.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Sets the policy for retries.
    pub fn retry_policy(mut self, retries: RetryPolicy) -> Self {
        self.retries = retries;
        self
    }

    /// Sets the time limits of requests.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Creates the store. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// An invalid URL, or one that contains keys; a system without trusted certificates.
    pub fn build(self) -> Result<LangfuseStore, StoreError> {
        let wrong = |why: &str| StoreError::lasting(format!("the URL of the store {why}"));
        let base =
            Url::parse(&self.base_url).map_err(|error| wrong("is invalid").because(error))?;
        if !matches!(base.scheme(), "http" | "https") || !base.has_host() {
            return Err(wrong("must start with https://"));
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(wrong(
                "must not contain credentials; set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY",
            ));
        }
        let http = Http::new(self.keys, self.retries, self.limits)?;
        Ok(LangfuseStore { http, base, dialect: self.dialect })
    }
}

impl LangfuseStore {
    /// The URL of Langfuse's own cloud, the default of the builder.
    pub const CLOUD: &str = "https://cloud.langfuse.com";

    /// Starts a store for the project of these keys.
    pub fn builder(keys: Keys) -> LangfuseBuilder {
        LangfuseBuilder {
            keys,
            base_url: LangfuseStore::CLOUD.to_owned(),
            dialect: Dialect::Agentle,
            retries: RetryPolicy::default(),
            limits: Limits::default(),
        }
    }

    /// Starts a store with the variables of Langfuse's own libraries: `LANGFUSE_PUBLIC_KEY`,
    /// `LANGFUSE_SECRET_KEY` and, if set, `LANGFUSE_HOST`.
    pub fn from_env() -> Result<LangfuseBuilder, StoreError> {
        let read = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let key = |name: &str| {
            read(name).ok_or_else(|| StoreError::lasting(format!("the variable {name} is not set")))
        };
        let keys =
            Keys { public: key("LANGFUSE_PUBLIC_KEY")?, secret: key("LANGFUSE_SECRET_KEY")? };
        let builder = LangfuseStore::builder(keys);
        Ok(match read("LANGFUSE_HOST") {
            Some(host) => builder.base_url(host),
            None => builder,
        })
    }

    /// The URL of all prompts, or of one.
    fn url(&self, id: Option<&str>, filters: &Filters) -> Result<Url, StoreError> {
        // A URL cannot contain such path segments, even escaped, and drops control characters.
        let has_none = |id: &&str| matches!(*id, "" | "." | "..") || id.contains(char::is_control);
        if let Some(id) = id.filter(has_none) {
            return Err(StoreError::lasting(format!("no prompt can have the name {id:?}")).of(id));
        }
        if let Some(id) = id.filter(|id| id.len() > MAX_ID_BYTES) {
            let why = format!("the id has {} bytes; at most {MAX_ID_BYTES} are allowed", id.len());
            return Err(StoreError::lasting(why).of(id));
        }
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(["api", "public", "v2", "prompts"]).extend(id);
        }
        if let Some(version) = filters.version {
            url.query_pairs_mut().append_pair("version", &version.to_string());
        }
        if let Some(label) = &filters.label {
            url.query_pairs_mut().append_pair("label", label);
        }
        Ok(url)
    }
}

/// The maximum length of an id, in bytes. Longer URLs are not supported everywhere.
const MAX_ID_BYTES: usize = 2000;

/// The number of prompts per page of the list.
const PAGE_SIZE: usize = 100;

/// The maximum number of requested pages, in case a server never ends its list.
const MAX_PAGES: usize = 1000;

#[async_trait]
impl PromptProvider for LangfuseStore {
    async fn find(&self, id: &str, filters: &Filters) -> Result<Stored, StoreError> {
        let fetch = async || {
            let url = self.url(Some(id), filters)?;
            let body = self.http.send(Method::GET, url, None, Retry::Always).await?;
            Version::parse(&body)?.into_stored(self.dialect)
        };
        fetch().await.map_err(|error| error.of(id))
    }

    async fn list(&self) -> Result<Vec<StoreEntry>, StoreError> {
        let mut found = Vec::new();
        for number in 1..=MAX_PAGES {
            let mut url = self.url(None, &Filters::default())?;
            url.query_pairs_mut()
                .append_pair("page", &number.to_string())
                .append_pair("limit", &PAGE_SIZE.to_string());
            let body = self.http.send(Method::GET, url, None, Retry::Always).await?;
            let page = Page::parse(&body)?;
            let is_last = page.is_last(number);
            found.extend(page.into_listed());
            if is_last {
                found.sort_by(|a: &StoreEntry, b| a.id.cmp(&b.id));
                found.dedup_by(|a, b| a.id == b.id);
                return Ok(found);
            }
        }
        Err(StoreError::lasting(format!("the list has more than {MAX_PAGES} pages")))
    }
}

/// The request body for a new version.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NewVersion<'p> {
    r#type: &'static str,
    name: &'p str,
    prompt: &'p str,
    labels: &'p [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    commit_message: Option<&'p str>,
}

#[async_trait]
impl PromptStore for LangfuseStore {
    async fn save_as(
        &self,
        id: &str,
        prompt: &Prompt,
        revision: &Revision,
    ) -> Result<Option<u32>, StoreError> {
        let save = async || {
            // Its id must be valid, because it is requested by that id later.
            self.url(Some(id), &Filters::default())?;
            let new = NewVersion {
                r#type: "text",
                name: id,
                prompt: prompt.content(),
                labels: &revision.labels,
                commit_message: revision.message.as_deref(),
            };
            let body = serde_json::to_vec(&new)
                .map_err(|error| StoreError::lasting("cannot be written as JSON").because(error))?;
            let url = self.url(None, &Filters::default())?;
            let body =
                self.http.send(Method::POST, url, Some(body), Retry::IfWithoutEffect).await?;
            Ok(Some(Version::parse(&body)?.version))
        };
        save().await.map_err(|error: StoreError| error.of(id))
    }

    async fn delete_with(&self, id: &str, filters: &Filters) -> Result<(), StoreError> {
        let delete = async || {
            let url = self.url(Some(id), filters)?;
            self.http.send(Method::DELETE, url, None, Retry::Always).await
        };
        delete().await.map(|_| ()).map_err(|error| error.of(id))
    }
}
