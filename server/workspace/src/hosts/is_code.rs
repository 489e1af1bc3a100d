//! Detection of code files.

use std::path::Path;

use promptls_hosts::{Language, may_access, may_name_class};

use super::tool_files::is_data_of_tool;
use super::unsupported::is_unsupported;
use crate::files::paths::extension;
use crate::sidecars::naming::sidecar_base;

/// The maximum size of data that is read during the walk, in bytes; longer data is read on request.
/// So a check of one prompt does not wait for large files around it.
pub const MOST_OF_DATA: u64 = 1 << 20;

/// `true` if a file is code, by its name.
pub fn is_code(path: &Path) -> bool {
    language_of(path).is_some()
}

/// The language of a host of code, by its name.
pub fn language_of(path: &Path) -> Option<Language> {
    host_language(path).filter(|language| language.is_code())
}

/// The language of a file of code or data, by its name.
pub fn host_language(path: &Path) -> Option<Language> {
    Language::from_ending(extension(path)?)
}

/// `true` for a data file whose prompts may depend on the classes that it names.
pub fn names_class(path: &Path, text: &str) -> bool {
    host_language(path).is_some_and(|language| may_name_class(language, text))
}

/// `true` if a file may use others, by its name: code, and data that may name classes.
pub fn may_use_others(path: &Path) -> bool {
    host_language(path) == Some(Language::Yaml) || is_code(path)
}

/// `true` if prompts in a file can only be its strings, by its name: no rule makes it one prompt.
pub fn has_only_strings(path: &Path) -> bool {
    host_language(path).is_some_and(|language| language != Language::Markdown)
}

/// The file extensions, without dots, of code and data that may hold prompts.
pub fn endings_of_hosts() -> impl Iterator<Item = &'static str> {
    Language::endings()
}

/// `true` if a file is code or data by its name: not a prompt as a whole, unless explicitly named.
pub fn is_code_or_data(path: &Path) -> bool {
    has_only_strings(path) || is_unsupported(path) || is_named_in_capitals(path)
}

/// `true` if a file may be a prompt because code reads it as text, by its name.
pub fn may_be_read_by_code(path: &Path) -> bool {
    !is_code_or_data(path)
}

/// `true` if a file is data with strings that may be prompts, by its name.
pub fn is_data(path: &Path) -> bool {
    has_only_strings(path) && !is_code(path)
}

/// `true` if code may use texts in a file, or the file as a whole, by its name.
pub fn may_be_used_by_code(path: &Path) -> bool {
    host_language(path).is_some() || may_be_read_by_code(path)
}

/// `true` for a file such as `A.PY`, which is read as its language by some programs.
fn is_named_in_capitals(path: &Path) -> bool {
    let lower = extension(path).map(str::to_ascii_lowercase);
    let language = lower.and_then(|ending| Language::from_ending(&ending));
    language.is_some_and(|language| language != Language::Markdown)
}

/// The language in which names are searched in a file, by its name. Notebooks hold no prompts, but
/// run code of the application: each of their words may be a key. Inputs and variables have values
/// for their own prompts only: the application has none of their names. Nor has it those of
/// [data of tools](is_data_of_tool).
pub fn language_of_names(path: &Path) -> Option<Language> {
    let name = path.file_name().and_then(|name| name.to_str());
    if name.and_then(sidecar_base).is_some() || is_data_of_tool(path) {
        return None;
    }
    let is_notebook = || extension(path) == Some("ipynb");
    host_language(path).or_else(|| is_notebook().then_some(Language::Json))
}

/// `true` if a file may certainly refer to names of a state, or to artifacts.
///
/// Cost: a search of its text for a few words.
pub fn may_refer_to_state(path: &Path, text: &str) -> bool {
    language_of_names(path).is_some_and(|language| may_access(language, text))
}
