//! Files as the editor shows them: open documents take precedence over the disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dashmap::DashMap;
use ropey::Rope;

use crate::convert::{self, Uri};
use crate::session::document::Document;
use crate::session::documents::index::Index;
use crate::session::large_files::LargeFiles;
use crate::session::listings::Listings;
use promptls_workspace::{
    DISK, Disk, Entry, Files, Layer, Listing, ReadError, Reading, WalkedFile, expanded,
};

/// Open documents, then the files on disk. No guard of the map leaves a function.
pub struct Overlay<'d> {
    pub(super) documents: &'d DashMap<Uri, Document>,
    pub(super) index: &'d Index,
    /// The documents whose URI is not the file URI of their path.
    pub(super) elsewhere: &'d DashMap<PathBuf, Uri>,
    pub(super) large: &'d LargeFiles,
    pub(super) listings: &'d Listings,
    pub(super) wait: Wait,
}

/// Determines how large files that are not cached are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// They are read at once: for workers.
    ForLarge,
    /// They are read in the background.
    ForSmall,
    /// They are read at once, and no file from disk is cached: for callers that read all files.
    KeepNothing,
}

impl<'d> Overlay<'d> {
    /// The files with the methods that all files have.
    pub fn as_files(&self) -> &dyn Files {
        self
    }

    /// The URI of a file, as the editor writes it.
    pub fn uri(&self, path: &Path) -> Option<Uri> {
        self.elsewhere.get(path).map(|uri| uri.clone()).or_else(|| convert::uri(path))
    }

    /// The text of an open file; `None` if it is not open. Constant cost.
    pub fn open_text(&self, path: &Path) -> Option<Rope> {
        let document = self.documents.get(&self.uri(path)?)?;
        document.counts().then(|| document.text.clone())
    }
}

/// Returns whether a file exists on disk, regardless of open documents.
pub fn is_on_disk(path: &Path) -> bool {
    path.is_absolute() && Disk.is_there(path)
}

impl Layer for Overlay<'_> {
    fn below(&self) -> &dyn Files {
        &Disk
    }

    fn read_as(&self, path: &Path, _: Reading) -> Result<Arc<str>, ReadError> {
        if let Some(text) = self.open_text(path) {
            return Ok(text.to_string().into());
        }
        if !path.is_absolute() {
            return Err(ReadError::NotOpen { path: path.to_owned() });
        }
        match self.wait {
            Wait::ForLarge => self.large.read_now(path),
            Wait::ForSmall => self.large.read(path),
            Wait::KeepNothing => DISK.read(path),
        }
    }

    fn list(&self, folder: &Path) -> Arc<Listing> {
        // A sidecar is listed as soon as it is open, before it is saved for the first time.
        let open = || -> Vec<String> {
            let here = self.index.in_folder(folder).into_iter();
            let name = |uri| {
                let document = self.documents.get(&uri).filter(|document| document.counts())?;
                Some(document.path.file_name()?.to_str()?.to_owned())
            };
            here.filter_map(name).collect()
        };
        let mut names = match (folder.is_absolute(), self.wait) {
            (true, Wait::KeepNothing) => [open(), Disk.list(folder).to_vec()].concat(),
            (true, _) => return self.listings.names(folder, open),
            (false, _) => open(),
        };
        names.sort();
        names.dedup();
        Listing::of_names(names)
    }

    /// The files on disk; for a virtual folder, the open documents in it.
    fn visit(
        &self,
        folder: &Path,
        places: Option<Vec<PathBuf>>,
        look: &(dyn Fn(WalkedFile) + Sync),
    ) {
        if folder.is_absolute() {
            return Disk.visit(folder, places, look);
        }
        let open = self.documents.iter().filter(|document| document.is_open);
        let paths = open.map(|document| document.path.clone());
        let below: Vec<PathBuf> = paths.filter(|path| path.starts_with(folder)).collect();
        below.into_iter().for_each(|path| look(WalkedFile { path, is_regular: false }));
    }

    fn glob(&self, folder: &Path, glob: &str) -> Arc<[PathBuf]> {
        expanded(self, folder, glob)
    }

    fn is_there(&self, path: &Path) -> bool {
        self.open_text(path).is_some() || path.is_absolute() && Disk.is_there(path)
    }

    fn entry(&self, path: &Path) -> Entry {
        if path.is_absolute() { Disk.entry(path) } else { Entry::Other }
    }

    fn without_links(&self, path: &Path) -> Option<PathBuf> {
        path.is_absolute().then(|| Disk.without_links(path))?
    }
}
