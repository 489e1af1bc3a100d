#![doc = include_str!("../README.md")]
//!
//! # Design
//!
//! All parts of a prompt form an [`Outline`], which is plain data. Calls of the [`PromptBuilder`]
//! add to one, and a [`Template`] contains one. `sections.rs` puts the parts in order, in the words
//! of a [`Language`]. `writer.rs` writes the text, and checks that the dialect parses exactly the
//! intended placeholders.
//!
//! This crate reads no files, and does not fill in values.

mod builder;
mod delimiters;
mod error;
mod language;
mod note;
mod outline;
mod part;
mod sections;
mod template;
mod templates;
mod text;
mod texts;
mod words;
mod writer;

pub use builder::{Built, PromptBuilder, builder};
pub use delimiters::Delimiters;
pub use error::{BuildError, TemplateError, Unknown};
pub use language::Language;
pub use note::Note;
pub use outline::{
    Audience, Context, Data, Difficulty, Document, Example, Examples, Input, Length, Message,
    Outline, Output, OutputFormat, Parameter, Reasoning, Strategy, Titled, Tool,
};
pub use promptls_syntax::{Dialect, spelled};
pub use template::{Template, Variable};
pub use text::Text;
