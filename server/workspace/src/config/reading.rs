//! Reads the text of a config. What is invalid becomes a problem, and the rest applies.

mod ignores;
mod rules;
mod stores;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use promptls_analysis::{SeverityOverrides, TokenEncoding, did_you_mean};
use promptls_resolver::{Code, FileId, Location, Problem, Severity};
use promptls_syntax::Dialect;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{OFF, TABLES, TOP_KEYS};
use super::{CONFIG_NAME, Config};
use crate::files::paths::absolute;
use crate::read_error::ReadError;

impl Config {
    /// Parses a config. Invalid parts are left out and reported as problems.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use promptls_workspace::Config;
    ///
    /// let text = "[[prompts]]\nfiles = [\"prompts/*.txt\"]\ndialect = \"adk\"\n";
    /// let config = Config::parse(Path::new("/work/promptls.toml"), text);
    /// let rule = config.rule_for(Path::new("/work/prompts/a.txt")).unwrap();
    /// assert_eq!(rule.dialect.unwrap().spec().id, "adk");
    /// ```
    pub fn parse(path: &Path, text: &str) -> Config {
        Config::parse_for(path.parent().unwrap_or(Path::new("")), path, text)
    }

    /// Like [`Config::parse`], for a file that acts as the config of another folder.
    pub fn parse_for(folder: &Path, path: &Path, text: &str) -> Config {
        let mut reader = ConfigReader::new(folder, path);
        let (document, errors) = DeTable::parse_recoverable(text);
        match errors.is_empty() {
            true => reader.document(document.get_ref()),
            false => reader.config.problems = problems_of(&errors),
        }
        reader.config
    }

    /// A config that cannot be read.
    pub fn unread(path: &Path, error: &ReadError) -> Config {
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut reader = ConfigReader::new(folder, path);
        let at = error.offset();
        reader.problem(at..at, format!("`{CONFIG_NAME}` {}", error.reason()));
        reader.config
    }
}

/// The syntax errors of a TOML text; empty if it is valid.
///
/// Cost: the text.
pub(crate) fn toml_errors(text: &str) -> Vec<Problem> {
    problems_of(&DeTable::parse_recoverable(text).1)
}

fn problems_of(errors: &[toml::de::Error]) -> Vec<Problem> {
    let problem = |error: &toml::de::Error| {
        let location = Location { file: FileId::PROMPT, range: error.span().unwrap_or(0..0) };
        let message = format!("not valid TOML: {}", error.message());
        Problem::new(Code::InvalidConfig, location, message)
    };
    errors.iter().map(problem).collect()
}

/// Reads a config, and collects its problems.
pub(super) struct ConfigReader {
    pub(super) config: Config,
    /// The path and the folder of the config, shared by all its rules.
    path: Arc<Path>,
    folder: Arc<Path>,
}

/// A key with its range.
pub(super) type TomlKey<'i> = Spanned<std::borrow::Cow<'i, str>>;

impl ConfigReader {
    fn new(folder: &Path, path: &Path) -> ConfigReader {
        ConfigReader {
            config: Config::empty(folder, path),
            path: path.into(),
            folder: folder.into(),
        }
    }

    pub(super) fn problem(&mut self, range: Range<usize>, message: impl Into<String>) {
        // The config is the only file in this context.
        let location = Location { file: FileId::PROMPT, range };
        self.config.problems.push(Problem::new(Code::InvalidConfig, location, message));
    }

    fn unknown_key(&mut self, key: &TomlKey<'_>, known: impl Iterator<Item = &'static str>) {
        let known: Vec<&str> = known.collect();
        let name = key.get_ref();
        let hint = did_you_mean(name, known.iter().copied());
        self.problem(
            key.span(),
            format!("unknown key `{name}`; known: {}{hint}", known.join(", ")),
        );
    }

    fn document(&mut self, document: &DeTable<'_>) {
        for (key, value) in document {
            match &**key.get_ref() {
                "prompts" => self.rules(key, value),
                "problems" => match value.get_ref() {
                    DeValue::Table(table) => self.config.severities = self.severities(table),
                    _ => {
                        self.problem(key.span(), "`[problems]` is a table of codes and severities");
                    }
                },
                "ignore" => self.ignores(key, value),
                "stores" => self.stores(key, value),
                "root" => self.config.is_root = self.boolean(key, value),
                "templates" => {
                    let folder = self.string(key, value);
                    let base = self.config.folder();
                    self.config.templates = folder.map(|folder| absolute(base, Path::new(&folder)));
                }
                _ => {
                    let tables = TABLES.iter().map(|(_, table)| table.name);
                    self.unknown_key(key, tables.chain(TOP_KEYS.iter().map(|key| key.name)));
                }
            }
        }
    }

    fn dialect(&mut self, id: &str, span: Range<usize>) -> Option<Dialect> {
        let dialect = Dialect::from_id(id);
        if dialect.is_none() {
            let known = Dialect::ALL.map(|dialect| dialect.spec().id);
            let hint = did_you_mean(id, known);
            self.problem(
                span,
                format!("unknown dialect `{id}`; known: {}{hint}", known.join(", ")),
            );
        }
        dialect
    }

    fn encoding(&mut self, id: &str, span: Range<usize>) -> Option<TokenEncoding> {
        let encoding = TokenEncoding::from_id(id);
        if encoding.is_none() {
            let known = TokenEncoding::ALL.map(TokenEncoding::id);
            let hint = did_you_mean(id, known);
            self.problem(
                span,
                format!("unknown encoding `{id}`; known: {}{hint}", known.join(", ")),
            );
        }
        encoding
    }

    fn severities(&mut self, table: &DeTable<'_>) -> SeverityOverrides {
        let mut severities = SeverityOverrides::default();
        let known: Vec<&str> = Code::ALL.iter().map(|code| code.id()).collect();
        for (key, value) in table {
            let id = key.get_ref();
            let Some(code) = Code::from_id(id) else {
                let hint = did_you_mean(id, known.iter().copied());
                self.problem(key.span(), format!("unknown problem code `{id}`{hint}"));
                continue;
            };
            let severity = match value.get_ref() {
                DeValue::String(text) => severity(text),
                _ => None,
            };
            match severity {
                Some(severity) => severities.set(code, severity),
                None => self.problem(
                    value.span(),
                    "a severity is \"error\", \"warning\", \"info\", \"hint\" or \"off\"",
                ),
            }
        }
        severities
    }

    fn string(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => {
                self.problem(value.span(), format!("`{}` must be a string", key.get_ref()));
                None
            }
        }
    }

    fn boolean(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> bool {
        let boolean = value.get_ref().as_bool();
        if boolean.is_none() {
            self.problem(value.span(), format!("`{}` must be true or false", key.get_ref()));
        }
        boolean.unwrap_or_default()
    }

    fn positive(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> Option<usize> {
        let number = whole(value).filter(|number| *number > 0);
        if number.is_none() {
            self.problem(value.span(), format!("`{}` must be a positive integer", key.get_ref()));
        }
        number
    }

    fn number(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> Option<usize> {
        let number = whole(value);
        if number.is_none() {
            let message = format!("`{}` must be a non-negative integer", key.get_ref());
            self.problem(value.span(), message);
        }
        number
    }

    fn names(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> Arc<BTreeSet<String>> {
        Arc::new(self.strings(key, value).into_iter().collect())
    }

    fn strings(&mut self, key: &TomlKey<'_>, value: &Spanned<DeValue<'_>>) -> Vec<String> {
        let DeValue::Array(items) = value.get_ref() else {
            self.problem(value.span(), format!("`{}` must be a list of strings", key.get_ref()));
            return Vec::new();
        };
        let mut strings = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::String(text) => strings.push(text.to_string()),
                _ => self
                    .problem(item.span(), format!("`{}` must contain only strings", key.get_ref())),
            }
        }
        strings
    }
}

/// The severity of a word; `Some(None)` for "off".
fn severity(word: &str) -> Option<Option<Severity>> {
    let all = [Severity::Error, Severity::Warning, Severity::Information, Severity::Hint];
    match word {
        OFF => Some(None),
        _ => all.into_iter().find(|severity| severity.id() == word).map(Some),
    }
}

/// The value as a non-negative integer; `None` for any other value.
fn whole(value: &Spanned<DeValue<'_>>) -> Option<usize> {
    match value.get_ref() {
        DeValue::Integer(number) => usize::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    }
}
