//! `[[ignore]]`: known and accepted problems.
//!
//! An ignore that suppresses nothing is a problem itself. So a check of all files of a config
//! records the ignores that had an effect, as [`UsedIgnores`].

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use promptls_analysis::did_you_mean;
use promptls_resolver::{Code, FileId, Location, Problem};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::rule_globs::{GlobIndex, RuleGlobs};
use super::{Config, ConfigKey, ConfigReader, TomlKey};
use crate::walking::file_globs::FileGlobs;

/// The keys of an `[[ignore]]`.
pub const IGNORE_KEYS: [ConfigKey; 4] = [
    ConfigKey {
        name: "files",
        value: "[\"\"]",
        about: "The files with the problems: globs as in `.gitignore`, relative to this file; all files by default.",
    },
    ConfigKey {
        name: "codes",
        value: "[\"\"]",
        about: "The codes of the problems; all by default.",
    },
    ConfigKey {
        name: "names",
        value: "[\"\"]",
        about: "The names in the problems; any by default.",
    },
    ConfigKey { name: "reason", value: "\"\"", about: "Why they are accepted, for readers." },
];

/// An `[[ignore]]` table; all of its conditions must hold.
#[derive(Debug)]
struct Ignore {
    /// The config that contains the entry.
    config: Arc<Path>,
    /// Its range in the text of the config.
    place: Range<usize>,
    /// The files that it covers; `None` for all.
    files: Option<FileGlobs>,
    /// The codes that it covers; empty for all.
    codes: Vec<Code>,
    /// The names that it covers; empty for any.
    names: Vec<String>,
}

/// The ignores of a config and of its parents that apply.
#[derive(Clone, Debug, Default)]
pub struct Ignores {
    all: Vec<Arc<Ignore>>,
    /// The index of their globs.
    index: OnceLock<Arc<GlobIndex>>,
}

/// Up to this number, ignores are tried one by one.
const FEW: usize = 16;

/// The ignores that suppress problems: the config of each, and its range there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsedIgnores(BTreeSet<(Arc<Path>, usize)>);

impl UsedIgnores {
    /// `true` if no ignore is recorded.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the ignores of another set.
    pub fn add(&mut self, others: UsedIgnores) {
        self.0.extend(others.0);
    }
}

impl Ignore {
    /// `true` if this entry suppresses a problem of a file.
    fn covers(&self, file: &Path, problem: &Problem) -> bool {
        (self.codes.is_empty() || self.codes.contains(&problem.code))
            && (self.names.is_empty() || problem.names.iter().any(|it| self.names.contains(it)))
            && self.files.as_ref().is_none_or(|files| files.mean(file, false))
    }
}

impl Ignores {
    /// `true` if there are no ignores.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Adds the ignores of a parent config.
    pub(super) fn add(&mut self, outer: &Ignores) {
        self.all.extend(outer.all.iter().cloned());
        self.index = OnceLock::new();
    }

    fn push(&mut self, ignore: Ignore) {
        self.all.push(Arc::new(ignore));
        self.index = OnceLock::new();
    }

    /// The ignores whose globs may match a file.
    fn near(&self, file: &Path) -> Vec<&Ignore> {
        if self.all.len() <= FEW {
            return self.all.iter().map(|ignore| &**ignore).collect();
        }
        let index = self.index.get_or_init(|| {
            let everywhere = RuleGlobs::all();
            let files = self.all.iter().map(|ignore| ignore.files.as_ref());
            let globs = files.map(|files| files.map_or(&everywhere, FileGlobs::globs));
            Arc::new(GlobIndex::new(globs))
        });
        index.near(file).into_iter().map(|number| &*self.all[number]).collect()
    }

    /// `true` if a problem of a file is suppressed. Records all ignores that do so.
    pub fn cover(&self, file: &Path, problem: &Problem, used: &mut UsedIgnores) -> bool {
        let mut is_covered = false;
        for ignore in self.near(file).into_iter().filter(|ignore| ignore.covers(file, problem)) {
            is_covered = true;
            used.0.insert((ignore.config.clone(), ignore.place.start));
        }
        is_covered
    }
}

impl Config {
    /// The ignores in its own text that suppress nothing, as problems. `used` must be collected
    /// from all files that the config applies to.
    pub fn unused_ignores(&self, used: &UsedIgnores) -> Vec<Problem> {
        let is_own = |ignore: &&Arc<Ignore>| *ignore.config == *self.path;
        let is_used =
            |ignore: &Ignore| used.0.contains(&(ignore.config.clone(), ignore.place.start));
        let unused = self.ignores.all.iter().filter(is_own).filter(|ignore| !is_used(ignore));
        let problems = unused.map(|ignore| {
            let location = Location { file: FileId::PROMPT, range: ignore.place.clone() };
            let message = "this entry matches no problem; remove it";
            Problem::new(Code::UnusedIgnore, location, message)
        });
        problems.filter_map(|problem| self.severities.apply(problem)).collect()
    }
}

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
        let says = |list: &Option<Vec<String>>| list.as_ref().is_some_and(|list| !list.is_empty());
        let has_codes = codes.as_ref().is_some_and(|codes: &Vec<Code>| !codes.is_empty());
        if !(has_codes || says(&files) || says(&names)) {
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
