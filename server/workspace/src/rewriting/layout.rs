//! How JSON and TOML files of ours are laid out: inputs, variables and `promptls.toml`.
//!
//! A text is cut into pieces, comments among them, and only the blanks and line breaks between two
//! pieces become others. So whatever is decided here, no value, key, escape or comment changes, nor
//! how a number is spelled.

mod gaps;
mod indentation;
mod json;
mod toml;

use std::path::Path;

use promptls_resolver::{FileId, Format, Severity, parse_value};

pub use indentation::Indentation;

use crate::config::CONFIG_NAME;
use crate::readers::writing::Replacement;
use crate::sidecars::naming::sidecar_base;

/// What the files are written in that are laid out here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Inputs and variables.
    Json,
    /// `promptls.toml`
    Toml,
}

impl Layout {
    /// That of a file, by its name alone; `None` for files that are not ours, which others lay out,
    /// and for YAML, whose blanks mean something.
    pub fn of(path: &Path) -> Option<Layout> {
        let name = path.file_name()?.to_str()?;
        let is_json = || sidecar_base(name).is_some() && Format::of_sidecar(path) == Format::Json;
        match name {
            CONFIG_NAME => Some(Layout::Toml),
            _ => is_json().then_some(Layout::Json),
        }
    }

    /// The changes that lay a text out, in order. None if it does not parse.
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
        let mark = text.len() - text.trim_start_matches('\u{feff}').len();
        let body = &text[mark..];
        let changes = match self {
            Layout::Json if reads_as_json(body) => json::changes(body, indentation),
            Layout::Toml if reads_as_toml(body) => Some(toml::changes(body, indentation)),
            Layout::Json | Layout::Toml => None,
        };
        let moved = |(range, new): Replacement| (range.start + mark..range.end + mark, new);
        changes.unwrap_or_default().into_iter().map(moved).collect()
    }
}

fn reads_as_json(text: &str) -> bool {
    let read = parse_value(text, Format::Json, FileId::PROMPT, "no values");
    read.value.is_some() && read.problems.iter().all(|it| it.severity != Severity::Error)
}

fn reads_as_toml(text: &str) -> bool {
    text.parse::<toml_edit::DocumentMut>().is_ok()
}

#[cfg(test)]
mod tests;
