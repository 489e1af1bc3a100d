//! Handlers: one function for each request.
//!
//! Each is a free function of a [`Context`](crate::context::Context) and the params of the request.
//! The context contains the prompts that the request refers to. `backend.rs` registers the
//! handlers.

pub mod cases;
pub mod code_action;
pub mod code_lens;
pub mod compare;
mod config_edit;
pub mod definition;
pub mod document_highlight;
pub mod document_link;
pub mod document_symbol;
pub mod execute_command;
pub mod folding_range;
pub mod hover;
pub mod inlay_hint;
pub mod inputs;
pub mod likely_prompt;
pub mod listed_action;
mod long_line;
mod new_file;
pub mod preview;
pub mod references;
pub mod rename;
pub mod rename_files;
#[cfg(feature = "templates")]
mod sections;
pub mod selection_range;
pub mod semantic_tokens;
pub mod size;
pub mod stores;
#[cfg(feature = "templates")]
pub mod templates;
pub mod text_document_content;
pub mod typing;
pub mod values;
pub mod workspace;

use std::collections::HashSet;
use std::hash::Hash;

use promptls_protocol::{
    CompareParams, Position, PreviewParams, PromptParams, SizeParams, TextDocumentIdentifier,
};

use crate::session::prompt_snapshot::View;

/// A command that the editor runs when the user selects its title.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandCall {
    pub title: String,
    /// Its name; empty if only the title is displayed.
    pub command: &'static str,
    pub arguments: Vec<serde_json::Value>,
}

/// A custom request that refers to one prompt.
pub trait AboutPrompt {
    /// The document, the name of the prompt in it, and a position in or near the prompt. The last
    /// two are optional.
    fn about(&self) -> (&TextDocumentIdentifier, Option<&str>, Option<Position>);
}

/// Implements the trait for params with fields of these names.
macro_rules! about_prompt {
    ($($params:ty),+) => {
        $(impl AboutPrompt for $params {
            fn about(&self) -> (&TextDocumentIdentifier, Option<&str>, Option<Position>) {
                (&self.text_document, self.task.as_deref(), self.position)
            }
        })+
    };
}

about_prompt!(PromptParams, PreviewParams, SizeParams, CompareParams);

/// Collects the results of a function for all prompts of a document, without duplicates.
fn from_all_views<T: Clone + Eq + Hash>(
    views: &[View],
    question: impl Fn(&View) -> Option<Vec<T>>,
) -> Vec<T> {
    let mut seen = HashSet::new();
    let answers = views.iter().filter_map(question).flatten();
    answers.filter(|answer| seen.insert(answer.clone())).collect()
}
