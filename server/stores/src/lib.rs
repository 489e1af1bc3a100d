#![doc = include_str!("../README.md")]
//!
//! # Design
//!
//! Prompt stores. [`PromptProvider`] reads, and [`PromptStore`] writes; all stores have the same
//! interface, so that they are interchangeable.
//!
//! This crate does not depend on `promptls.toml`, or on the detection of prompt files.

mod error;
mod filesystem;
mod langfuse;
mod provider;

pub use error::{StoreError, Trouble};
pub use filesystem::FilesystemStore;
pub use langfuse::{Keys, LangfuseBuilder, LangfuseStore, Limits, RetryPolicy};
pub use promptls_resolver::{Dialect, Prompt};
pub use provider::{Filters, MAX_BYTES, PromptProvider, PromptStore, Revision, StoreEntry, Stored};
