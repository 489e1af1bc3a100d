//! Which strings of a file are prompts because a rule of `promptls.toml` says so.

use promptls_hosts::{
    CodeEntry, Found, KeyPath, Language, find_in_data, find_with, is_data_broken,
};
use promptls_syntax::Dialect;

/// What the rules for a file say of its strings, in the order in which they count.
#[derive(Debug, Default)]
pub struct Strings {
    /// Paths of keys, in data.
    paths: Vec<(KeyPath, Dialect)>,
    /// Constants and arguments, in code.
    entries: Vec<(CodeEntry, Dialect)>,
}

impl Strings {
    /// Those of some rules, each with its dialect, of which the first counts before the others;
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

    /// The prompts of a file, in the order in which they are written.
    pub fn find(&self, language: Language, text: &str) -> Vec<Found> {
        match language.is_code() {
            true => find_with(language, text, &self.entries, &[]).prompts,
            false => find_in_data(language, text, &self.paths),
        }
    }

    /// Whether a file may hold prompts, but cannot be read now.
    pub fn is_broken(&self, language: Language, text: &str) -> bool {
        match language.is_code() {
            true => find_with(language, text, &self.entries, &[]).cut_off.is_some(),
            false => is_data_broken(language, text, &self.paths),
        }
    }
}

/// Why an entry of `strings` means nothing in any language; `None` for one that does.
pub fn why_unusable(entry: &str) -> Option<String> {
    let in_code = CodeEntry::parse(entry).err()?;
    KeyPath::parse(entry).is_none().then(|| in_code.to_string())
}
