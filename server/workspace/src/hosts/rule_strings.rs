//! The strings of a file that are prompts because of a rule of `promptls.toml`, or of another file.

use std::path::Path;
use std::sync::Arc;

use promptls_hosts::{
    CodeEntry, Demand, Finds, KeyPath, Language, Pack, find_with, may_hold, pack_of_name,
};
use promptls_resolver::Format;
use promptls_syntax::Dialect;

use crate::config::Config;

/// The strings that rules for a file name, in order of precedence, and those that other files use.
#[derive(Debug, Default, PartialEq)]
pub struct Strings {
    /// Key paths, in data.
    pub(super) paths: Vec<(KeyPath, Dialect)>,
    /// Constants and arguments, in code.
    pub(super) entries: Vec<(CodeEntry, Dialect)>,
    /// Strings that other files use.
    pub(super) uses: Arc<[Demand]>,
    /// The kind of pack that the file is by its name.
    pub(super) pack: Option<&'static Pack>,
}

impl Strings {
    /// The strings of some rules alone, each with its dialect, in order of precedence; `None` if
    /// none of the strings may be a prompt.
    pub fn new<'r>(
        rules: impl Iterator<Item = (&'r [String], Option<Dialect>)>,
    ) -> Option<Strings> {
        let mut strings = Strings::default();
        for (entries, dialect) in rules {
            if entries.is_empty() {
                return None;
            }
            let Some(dialect) = dialect else { continue };
            let paths = entries.iter().filter_map(|entry| KeyPath::parse(entry));
            strings.paths.extend(paths.map(|path| (path, dialect)));
            let in_code = entries.iter().filter_map(|entry| CodeEntry::parse(entry).ok());
            strings.entries.extend(in_code.map(|entry| (entry, dialect)));
        }
        Some(strings)
    }

    /// The strings of the rules for a file; `None` if it is no host.
    pub fn of_file(path: &Path, config: Option<&Config>, uses: &Arc<[Demand]>) -> Option<Strings> {
        let rules = || config.into_iter().flat_map(|config| config.rules_for(path));
        // A rule without strings is for files that are prompts as a whole, which data never is.
        let is_data = Format::from_path(path).is_some();
        if rules().next().is_some_and(|first| first.strings.is_none()) && !is_data {
            return None;
        }
        let strings = Strings::new(
            rules().filter_map(|rule| Some((&rule.strings.as_ref()?[..], rule.dialect))),
        )?;
        let pack = pack_by_name(path);
        Some(Strings { uses: uses.clone(), pack, ..strings })
    }

    /// `true` if rules, or other files, name any in a file of this language.
    pub fn are_named_in(&self, language: Language) -> bool {
        match language.is_code() {
            true => !self.entries.is_empty() || !self.uses.is_empty(),
            false => !self.paths.is_empty(),
        }
    }

    /// `true` if a code file may contain some of them.
    ///
    /// Cost: that of [`may_hold`].
    pub fn may_be_in(&self, language: Language, text: &str) -> bool {
        !self.uses.is_empty() || may_hold(language, text, &self.entries)
    }

    /// The contents of a code file: its prompts, its uses of other files, and its re-exports.
    pub fn find(&self, language: Language, text: &str) -> Finds {
        find_with(language, text, &self.entries, &self.uses)
    }
}

/// The kind of pack that a file is by its name; `None` if only its content can show that.
pub fn pack_by_name(path: &Path) -> Option<&'static Pack> {
    let language = Language::from_ending(path.extension()?.to_str()?)?;
    pack_of_name(language, path.file_stem()?.to_str()?)
}
