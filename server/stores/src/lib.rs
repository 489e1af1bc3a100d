#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! Where prompts are kept. [`PromptProvider`] reads, [`PromptStore`] writes; both are one interface
//! for all stores, so that one can take the place of another.
//!
//! Nothing here knows of `promptls.toml`, or of which files are prompts.

mod error;
mod filesystem;
mod langfuse;
mod provider;

pub use error::{StoreError, Trouble};
pub use filesystem::FilesystemStore;
pub use langfuse::{Keys, LangfuseBuilder, LangfuseStore, Limits, RetryPolicy};
pub use promptls_resolver::{Dialect, Prompt};
pub use provider::{Filters, Listed, MAX_BYTES, PromptProvider, PromptStore, Revision, Stored};
