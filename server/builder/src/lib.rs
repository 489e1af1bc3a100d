#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! Everything that can be said about a prompt is an [`Outline`], which is plain data: calls of
//! the [`PromptBuilder`] add to one, and a [`Template`] is one. `sections.rs` brings it into the
//! order in which prompts are written, in the words of a [`Language`]; `writer.rs` writes it, and
//! holds that the dialect reads as placeholders what was meant as such, and nothing else.
//!
//! Nothing here reads files, or fills in values.

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
