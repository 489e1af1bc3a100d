//! Which files are code.

use std::path::Path;

use promptls_hosts::Language;

/// Whether a file is code, by its name.
pub fn is_code(path: &Path) -> bool {
    language_of(path).is_some()
}

/// The language of a host of code, by its name.
pub fn language_of(path: &Path) -> Option<Language> {
    host_language(path).filter(|language| language.is_code())
}

/// The language of a file of code or data, by its name.
pub fn host_language(path: &Path) -> Option<Language> {
    Language::from_ending(path.extension()?.to_str()?)
}
