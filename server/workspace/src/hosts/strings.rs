//! Which strings of a file are prompts because a rule of `promptls.toml` says so.

use promptls_hosts::{Found, KeyPath, Language, find_in_data, is_data_broken};
use promptls_syntax::Dialect;

use crate::config::Rule;

/// What the rules for a file say of its strings.
#[derive(Debug, Default)]
pub struct Strings {
    /// In the order in which they count.
    paths: Vec<(KeyPath, Dialect)>,
}

impl Strings {
    /// Those of some rules, the first of which counts before the others; `None` if none of the
    /// strings may be a prompt.
    pub fn new<'r>(rules: impl Iterator<Item = &'r Rule>) -> Option<Strings> {
        let mut strings = Strings::default();
        for rule in rules {
            let Some(entries) = &rule.strings else { continue };
            if entries.is_empty() {
                return None;
            }
            let Some(dialect) = rule.dialect else { continue };
            let paths = entries.iter().filter_map(|entry| KeyPath::parse(entry));
            strings.paths.extend(paths.map(|path| (path, dialect)));
        }
        Some(strings)
    }

    /// The prompts of a file, in the order in which they are written.
    pub fn find(&self, language: Language, text: &str) -> Vec<Found> {
        find_in_data(language, text, &self.paths)
    }

    /// Whether a file may hold prompts, but cannot be read now.
    pub fn is_broken(&self, language: Language, text: &str) -> bool {
        is_data_broken(language, text, &self.paths)
    }
}
