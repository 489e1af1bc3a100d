//! `[[ignore]]`: known and accepted problems.
//!
//! An ignore that suppresses nothing is a problem itself. So a check of all files of a config
//! records the ignores that had an effect, as [`UsedIgnores`].

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use promptls_resolver::{Code, FileId, Location, Problem};

use super::Config;
use super::rule_globs::{GlobIndex, RuleGlobs};
use crate::walking::file_globs::FileGlobs;

/// An `[[ignore]]` table; all of its conditions must hold.
#[derive(Debug)]
pub(super) struct Ignore {
    /// The config that contains the entry.
    pub config: Arc<Path>,
    /// Its range in the text of the config.
    pub place: Range<usize>,
    /// The files that it covers; `None` for all.
    pub files: Option<FileGlobs>,
    /// The codes that it covers; empty for all.
    pub codes: Vec<Code>,
    /// The names that it covers; empty for any.
    pub names: Vec<String>,
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

    /// Adds an ignore of the config itself.
    pub(super) fn push(&mut self, ignore: Ignore) {
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
