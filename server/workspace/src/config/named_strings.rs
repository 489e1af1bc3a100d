//! The strings that some rules name.

use promptls_hosts::{CodeEntry, KeyPath};
use promptls_syntax::Dialect;

/// The strings that rules name as prompts, in order of precedence, each with the dialect of its
/// rule.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct NamedStrings {
    /// Key paths, in data.
    pub paths: Vec<(KeyPath, Dialect)>,
    /// Constants and arguments, in code.
    pub entries: Vec<(CodeEntry, Dialect)>,
}

impl NamedStrings {
    /// Parses the strings of some rules, in order of precedence; `None` if the strings of one are
    /// empty, so that no string is a prompt. A rule without a dialect names none.
    pub fn new<'r>(
        rules: impl Iterator<Item = (&'r [String], Option<Dialect>)>,
    ) -> Option<NamedStrings> {
        let mut strings = NamedStrings::default();
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
}
