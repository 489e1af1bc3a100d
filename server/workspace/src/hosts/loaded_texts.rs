//! Text files that code may load as prompts.
//!
//! The text of a call such as `load("plan.txt")` is unknown. But if only one text file has that name,
//! it is probably the prompt.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_hosts::literals;
use promptls_syntax::Dialect;

use super::is_code::host_language;
use super::prompt_cache::found_in;
use super::rule_strings::Strings;
use crate::project::Project;

/// A text file that code may load.
#[derive(Debug, PartialEq, Eq)]
pub struct LoadedText {
    /// The path as written in the code, relative to an unknown folder.
    pub written: PathBuf,
    /// The dialect in which the framework reads it.
    pub dialect: Dialect,
}

/// The text files that a code file may load as prompts; empty if it cannot be read.
///
/// Cost: that of reading its prompts.
pub fn loaded_texts(project: Project<'_>, path: &Path) -> Vec<LoadedText> {
    let language = host_language(path).filter(|language| language.is_code());
    let text = language.and_then(|_| project.files.read(path).ok());
    let (Some(language), Some(text)) = (language, text) else { return Vec::new() };
    let strings = Strings { uses: project.program.uses(path), ..Strings::default() };
    let found = found_in(language, &text, &Arc::new(strings));
    if found.computed.is_empty() {
        return Vec::new();
    }
    let mut loaded = Vec::new();
    for (range, decoded) in literals(language, &text) {
        let is_around =
            |value: &std::ops::Range<usize>| value.start <= range.start && range.end <= value.end;
        let value = found.computed.iter().find(|value| is_around(&value.unread.range));
        let written = decoded.map(|decoded| PathBuf::from(decoded.text()));
        let written = written.filter(|written| written.extension().is_some());
        if let (Some(value), Some(written)) = (value, written) {
            loaded.push(LoadedText { written, dialect: value.dialect });
        }
    }
    loaded
}
