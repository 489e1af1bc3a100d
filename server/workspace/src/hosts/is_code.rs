//! Which files are code.

use std::path::Path;

use promptls_hosts::Language;

/// Whether a file is code, by its name.
pub fn is_code(path: &Path) -> bool {
    language_of(path).is_some()
}

/// The language of a host of code, by its name.
pub fn language_of(path: &Path) -> Option<Language> {
    let ending = path.extension()?.to_str()?;
    Language::from_ending(ending).filter(|language| language.is_code())
}
