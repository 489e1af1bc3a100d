//! The layout of JSON and TOML files of this project: inputs, variables and `promptls.toml`.
//!
//! A text is split into tokens, including comments, and only the whitespace between two tokens
//! changes. So no value, key, escape, comment or spelling of a number changes.

mod gaps;
mod indentation;
mod json;
mod toml;

use std::ops::Range;
use std::path::Path;

use promptls_resolver::{FileId, Format, Problem, Severity, parse_value};

pub use indentation::Indentation;

use crate::config::CONFIG_NAME;
use crate::config::reading::toml_errors;
use crate::readers::writing::Replacement;
use crate::sidecars::naming::sidecar_base;

/// The formats that are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// JSON: inputs files and variables files.
    Json,
    /// TOML: only `promptls.toml`, not other TOML files.
    Toml,
}

impl Layout {
    /// The layout of a file, by its name alone; `None` for foreign files, which other tools format,
    /// and for YAML, where whitespace is significant.
    pub fn of(path: &Path) -> Option<Layout> {
        let name = path.file_name()?.to_str()?;
        let is_json = || sidecar_base(name).is_some() && Format::of_sidecar(path) == Format::Json;
        match name {
            CONFIG_NAME => Some(Layout::Toml),
            _ => is_json().then_some(Layout::Json),
        }
    }

    /// The changes that lay out a text, in order. Empty if it does not parse.
    ///
    /// Cost: the text.
    ///
    /// ```
    /// use promptls_workspace::{Indentation, Layout, replaced};
    ///
    /// let text = "{\n\"price\":1.50} // for now";
    /// let changes = Layout::Json.changes(text, Indentation::Blanks(2));
    /// assert_eq!(replaced(text, &changes), "{\n  \"price\": 1.50\n} // for now\n");
    /// ```
    pub fn changes(self, text: &str, indentation: Indentation) -> Vec<Replacement> {
        let (mark, body) = after_mark(text);
        let changes = match self {
            _ if !self.errors(body).is_empty() => None,
            Layout::Json => json::changes(body, indentation),
            Layout::Toml => Some(toml::changes(body, indentation)),
        };
        let moved = |(range, new): Replacement| (range.start + mark..range.end + mark, new);
        changes.unwrap_or_default().into_iter().map(moved).collect()
    }

    /// The syntax errors of a text; empty if it parses.
    ///
    /// Cost: the text.
    pub fn errors(self, text: &str) -> Vec<Problem> {
        let (mark, body) = after_mark(text);
        let mut problems = match self {
            Layout::Json => parse_value(body, Format::Json, FileId::PROMPT, "no values").problems,
            Layout::Toml => toml_errors(body),
        };
        problems.retain(|problem| problem.severity == Severity::Error);
        for Range { start, end } in problems.iter_mut().map(|it| &mut it.location.range) {
            (*start, *end) = (*start + mark, *end + mark);
        }
        problems
    }
}

/// The length of the byte order mark of a text, and what follows it.
fn after_mark(text: &str) -> (usize, &str) {
    let body = text.trim_start_matches('\u{feff}');
    (text.len() - body.len(), body)
}

#[cfg(test)]
mod tests;
