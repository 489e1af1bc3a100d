//! Data files that do not parse, so that it is unknown whether they have prompts.

use std::path::Path;
use std::sync::Arc;

use promptls_analysis::position::{Encoding, position};
use promptls_hosts::Language;
use promptls_resolver::{FileId, Location};
use ropey::Rope;

use super::is_code::host_language;
use super::reader::values;

/// The reason why a file that is data by its name does not parse: `cannot be read at 2:7: …`; `None`
/// for others. Markdown is none: its first lines may be for any other tool.
///
/// Cost: that of reading its values.
pub fn why_broken(path: &Path, text: &Arc<str>) -> Option<String> {
    let is_data = |it: &Language| matches!(it, Language::Yaml | Language::Json | Language::Toml);
    let language = host_language(path).filter(is_data)?;
    let values = values(language, text, FileId::PROMPT);
    let problem = values.problems.into_iter().next().filter(|_| values.value.is_none())?;
    let Location { range, .. } = problem.location;
    let at = position(&Rope::from_str(text), range.start, Encoding::Utf32);
    Some(format!("cannot be read at {}:{}: {}", at.line + 1, at.column + 1, problem.message))
}
