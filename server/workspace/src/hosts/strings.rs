//! Which strings of a file are prompts because a rule of `promptls.toml`, or another file, says so.

use std::path::Path;
use std::sync::Arc;

use promptls_hosts::{CodeEntry, Demand, Finds, KeyPath, Language, find_with, may_hold};
use promptls_resolver::Format;
use promptls_syntax::Dialect;

use crate::config::Config;

/// What the rules for a file say of its strings, in the order in which they count, and what others
/// use of it.
#[derive(Debug, Default, PartialEq)]
pub struct Strings {
    /// Paths of keys, in data.
    pub(super) paths: Vec<(KeyPath, Dialect)>,
    /// Constants and arguments, in code.
    pub(super) entries: Vec<(CodeEntry, Dialect)>,
    /// What others use of it.
    pub(super) uses: Arc<[Demand]>,
}

impl Strings {
    /// Those of some rules alone, each with its dialect, of which the first counts before the others;
    /// `None` if none of the strings may be a prompt.
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

    /// Those of the rules for a file; `None` if it is none of a host's.
    pub fn of_file(path: &Path, config: Option<&Config>, uses: &Arc<[Demand]>) -> Option<Strings> {
        let rules = || config.into_iter().flat_map(|config| config.rules_for(path));
        // A rule without strings is for files that are prompts as a whole, which data never are.
        let is_data = Format::from_path(path).is_some();
        if rules().next().is_some_and(|first| first.strings.is_none()) && !is_data {
            return None;
        }
        let strings = Strings::new(
            rules().filter_map(|rule| Some((&rule.strings.as_ref()?[..], rule.dialect))),
        )?;
        Some(Strings { uses: uses.clone(), ..strings })
    }

    /// Whether rules, or other files, name any in a file of this language.
    pub fn are_named_in(&self, language: Language) -> bool {
        match language.is_code() {
            true => !self.entries.is_empty() || !self.uses.is_empty(),
            false => !self.paths.is_empty(),
        }
    }

    /// Whether a file of code may have some of them.
    ///
    /// Cost: that of [`may_hold`].
    pub fn may_be_in(&self, language: Language, text: &str) -> bool {
        !self.uses.is_empty() || may_hold(language, text, &self.entries)
    }

    /// What is found in a file of code: its prompts, and what it uses of others, or hands on to those
    /// who use it.
    pub fn find(&self, language: Language, text: &str) -> Finds {
        find_with(language, text, &self.entries, &self.uses)
    }
}
