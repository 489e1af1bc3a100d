//! What other code of a program decides about the prompts of a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_hosts::Demand;

use super::prompt_uses::Use;
use super::state_names::AppNames;

/// Facts about the programs in a project. Paths are absolute.
///
/// Every implementation answers each method itself: a default would be a fact about another
/// program.
pub trait ProgramFacts: Sync {
    /// The prompts of a code file that other files use, as far as known.
    fn uses(&self, path: &Path) -> Arc<[Demand]>;

    /// The uses of other files by a code file, as far as known.
    fn used_by(&self, path: &Path) -> Arc<[Use]>;

    /// The files with texts that prompts of a file include, as far as known.
    fn parts_of(&self, path: &Path) -> Vec<PathBuf>;

    /// The other files with texts that code passes to frameworks, as prompts or as parts of these, as
    /// far as known: the code of a file, or of all files below a folder.
    fn texts_used(&self, path: &Path) -> Vec<PathBuf>;

    /// The names in the code of the application around a file; `None` while they are not known, and
    /// if they are not tracked.
    fn names(&self, path: &Path) -> Option<Arc<AppNames>>;

    /// `true` if a file holds prompts, from an earlier look at its text, so that it need not be read
    /// again; `None` if not known.
    fn holds_prompts(&self, path: &Path) -> Option<bool>;

    /// Notes that all prompts below some folders are searched for, so that facts can be shared by
    /// all of them.
    fn note_searched(&self, folders: &[PathBuf], extent: Extent);
}

/// How much of some folders is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All that a search visits.
    Whole,
    /// Only some places, or not those that the user excludes.
    Part,
}

/// The facts about files that belong to no program: none.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgram;

impl ProgramFacts for NoProgram {
    fn uses(&self, _: &Path) -> Arc<[Demand]> {
        Arc::default()
    }

    fn used_by(&self, _: &Path) -> Arc<[Use]> {
        Arc::default()
    }

    fn parts_of(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn texts_used(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn names(&self, _: &Path) -> Option<Arc<AppNames>> {
        None
    }

    fn holds_prompts(&self, _: &Path) -> Option<bool> {
        None
    }

    fn note_searched(&self, _: &[PathBuf], _: Extent) {}
}
