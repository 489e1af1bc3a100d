//! The strings of a file that are prompts because of a rule of `promptls.toml`, or of another file.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use promptls_hosts::{
    Demand, Finds, Language, Pack, find_all_in_data, find_in_text, find_with, may_hold, may_use,
    pack_of_name,
};

use super::is_code::has_only_strings;
use crate::config::named_strings::NamedStrings;
use crate::config::{Config, Rule};

/// The strings that rules for a file name, and those that other files use.
#[derive(Debug, Default, PartialEq)]
pub struct Strings {
    /// The strings that rules for the file name.
    pub(super) named: Arc<NamedStrings>,
    /// Strings that other files use.
    pub(super) uses: Arc<[Demand]>,
    /// The kind of pack that the file is by its name.
    pub(super) pack: Option<&'static Pack>,
}

/// The strings of a file without rules. Nearly all files have these, so they share an allocation.
static NO_STRINGS: LazyLock<Arc<NamedStrings>> = LazyLock::new(Arc::default);

impl Strings {
    /// The strings of the rules for a file; `None` if it is no host.
    pub fn of_file(path: &Path, config: Option<&Config>, uses: &Arc<[Demand]>) -> Option<Strings> {
        let rules = || config.into_iter().flat_map(|config| config.rules_for(path));
        // A rule without strings is for files that are prompts as a whole, which code and data never
        // are: there it only adds settings, as it does without a dialect for a text that code reads.
        let is_read = || uses.iter().any(|it| matches!(it, Demand::Text(_)));
        let is_whole =
            |first: &Rule| first.strings.is_none() && (first.dialect.is_some() || !is_read());
        if rules().next().is_some_and(is_whole) && !has_only_strings(path) {
            return None;
        }
        let named = match config {
            Some(config) => config.strings_for(path)?,
            None => NO_STRINGS.clone(),
        };
        Some(Strings { named, uses: uses.clone(), pack: pack_by_name(path) })
    }

    /// `true` if rules, or other files, name any in a file of this language.
    pub fn are_named_in(&self, language: Language) -> bool {
        let is_named = match language.is_code() {
            true => !self.named.entries.is_empty(),
            false => !self.named.paths.is_empty(),
        };
        is_named || !self.uses.is_empty()
    }

    /// `true` if a code file may contain some of them.
    ///
    /// Cost: that of [`may_hold`].
    pub fn may_be_in(&self, language: Language, text: &str) -> bool {
        !self.uses.is_empty() || may_hold(language, text, &self.named.entries)
    }

    /// `true` if a code file may contain some of them, or use those or the classes of other files.
    ///
    /// Cost: that of [`may_use`].
    pub fn may_use(&self, language: Language, text: &str) -> bool {
        !self.uses.is_empty() || may_use(language, text, &self.named.entries)
    }

    /// The contents of a file of any language.
    pub fn find_all(&self, language: Language, text: &str) -> Finds {
        match language {
            Language::Text => find_in_text(text, &self.uses),
            language if language.is_code() => self.find(language, text),
            _ => find_all_in_data(language, text, self.pack, &self.named.paths, &self.uses),
        }
    }

    /// The contents of a code file: its prompts, its uses of other files, and its re-exports.
    pub fn find(&self, language: Language, text: &str) -> Finds {
        find_with(language, text, &self.named.entries, &self.uses)
    }
}

/// The kind of pack that a file is by its name; `None` if only its content can show that.
pub fn pack_by_name(path: &Path) -> Option<&'static Pack> {
    let language = Language::from_ending(path.extension()?.to_str()?)?;
    pack_of_name(language, path.file_stem()?.to_str()?)
}
