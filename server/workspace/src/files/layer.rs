//! Files that differ from others in a few answers: texts of an editor, a commit, a cache.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::listing::Listing;
use super::{Entry, Files, Reading};
use crate::read_error::ReadError;
use crate::walking::walker::WalkedFile;

/// [`Files`] that differ from others in a few methods. A layer overrides these; all others are those
/// of the files below it.
pub trait Layer: Sync {
    /// The files that it is based on.
    fn below(&self) -> &dyn Files;

    /// [`Files::read_as`] of the files below, unless overridden.
    fn read_as(&self, path: &Path, reading: Reading) -> Result<Arc<str>, ReadError> {
        self.below().read_as(path, reading)
    }

    /// [`Files::list`] of the files below, unless overridden.
    fn list(&self, folder: &Path) -> Arc<Listing> {
        self.below().list(folder)
    }

    /// [`Files::is_there`] of the files below, unless overridden.
    fn is_there(&self, path: &Path) -> bool {
        self.below().is_there(path)
    }

    /// [`Files::entry`] of the files below, unless overridden.
    fn entry(&self, path: &Path) -> Entry {
        self.below().entry(path)
    }

    /// [`Files::without_links`] of the files below, unless overridden.
    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        self.below().without_links(path)
    }

    /// [`Files::visit`] of the files below, unless overridden.
    fn visit(
        &self,
        folder: &Path,
        places: Option<Vec<PathBuf>>,
        look: &(dyn Fn(WalkedFile) + Sync),
    ) {
        self.below().visit(folder, places, look);
    }

    /// [`Files::glob`] of the files below, unless overridden.
    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        self.below().glob(folder, glob)
    }
}

/// Files that another owner keeps.
impl<F: Files> Layer for &F {
    fn below(&self) -> &dyn Files {
        *self
    }
}

impl<L: Layer> Files for L {
    fn read_as(&self, path: &Path, reading: Reading) -> Result<Arc<str>, ReadError> {
        Layer::read_as(self, path, reading)
    }

    fn list(&self, folder: &Path) -> Arc<Listing> {
        Layer::list(self, folder)
    }

    fn is_there(&self, path: &Path) -> bool {
        Layer::is_there(self, path)
    }

    fn entry(&self, path: &Path) -> Entry {
        Layer::entry(self, path)
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        Layer::without_links(self, path)
    }

    fn visit(
        &self,
        folder: &Path,
        places: Option<Vec<PathBuf>>,
        look: &(dyn Fn(WalkedFile) + Sync),
    ) {
        Layer::visit(self, folder, places, look);
    }

    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        Layer::glob(self, folder, glob)
    }
}
