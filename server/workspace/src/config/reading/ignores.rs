//! Reads the `[[ignore]]` tables of a config.

use std::ops::Range;

use promptls_analysis::did_you_mean;
use promptls_resolver::Code;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ConfigReader, TomlKey};
use crate::config::ignore::Ignore;
use crate::config::keys::IGNORE_KEYS;
use crate::walking::file_globs::FileGlobs;

impl ConfigReader {
    pub(super) fn ignores(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) {
        let DeValue::Array(ignores) = value.get_ref() else {
            return self.problem(key.span(), "ignores are written `[[ignore]]`, with two brackets");
        };
        for ignore in ignores {
            match ignore.get_ref() {
                DeValue::Table(table) => self.ignore(table, ignore.span()),
                _ => self.problem(ignore.span(), "an ignore is a table: `[[ignore]]`"),
            }
        }
    }

    fn ignore(&mut self, table: &DeTable<'_>, span: Range<usize>) {
        let config = self.config.path.as_path().into();
        let problems_before = self.config.problems.len();
        let (mut files, mut codes, mut names) = (None, None, None);
        for (key, value) in table {
            match &**key.get_ref() {
                "files" => files = Some(self.strings(key, value)),
                "codes" => codes = Some(self.codes(key, value)),
                "names" => names = Some(self.strings(key, value)),
                "reason" => {
                    self.string(key, value);
                }
                _ => self.unknown_key(key, IGNORE_KEYS.iter().map(|key| key.name)),
            }
        }
        // An invalid part may be what restricts the entry, so without it the entry would cover
        // everything.
        if self.config.problems.len() > problems_before {
            return;
        }
        let has_items =
            |list: &Option<Vec<String>>| list.as_ref().is_some_and(|list| !list.is_empty());
        let has_codes = codes.as_ref().is_some_and(|codes: &Vec<Code>| !codes.is_empty());
        if !(has_codes || has_items(&files) || has_items(&names)) {
            self.problem(span, "an ignore needs `codes`, `names` or `files`");
            return;
        }
        let files = files.map(|patterns| FileGlobs::parse(self.config.folder(), &patterns));
        let files = match files.transpose() {
            Ok(files) => files,
            Err(reason) => return self.problem(span, reason),
        };
        let (codes, names) = (codes.unwrap_or_default(), names.unwrap_or_default());
        let ignore = Ignore { config, place: span, files, codes, names };
        self.config.ignores.push(ignore);
    }

    fn codes(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> Vec<Code> {
        let DeValue::Array(items) = value.get_ref() else {
            self.problem(value.span(), format!("`{}` must be a list of strings", key.get_ref()));
            return Vec::new();
        };
        let mut codes = Vec::new();
        for item in items {
            let id = item.get_ref().as_str().unwrap_or_default();
            match Code::from_id(id) {
                Some(code) => codes.push(code),
                None => {
                    let hint = did_you_mean(id, Code::ALL.iter().map(|code| code.id()));
                    self.problem(item.span(), format!("unknown problem code `{id}`{hint}"));
                }
            }
        }
        codes
    }
}
