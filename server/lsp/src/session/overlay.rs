//! Files as the editor sees them: what is open there counts before the disk.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dashmap::DashMap;
use tower_lsp::ls_types as lsp;

use crate::convert;
use crate::session::document::Document;
use promptls_workspace::{Files, ReadError, list_on_disk, read_from_disk};

/// Open documents, then the files on disk. No guard of the map leaves a function.
pub struct Overlay<'d> {
    documents: &'d DashMap<lsp::Uri, Document>,
    limit: Option<u64>,
    has_large: AtomicBool,
}

impl<'d> Overlay<'d> {
    /// Files larger than the limit, in bytes, are left out.
    pub fn new(documents: &'d DashMap<lsp::Uri, Document>, limit: Option<u64>) -> Self {
        Overlay { documents, limit, has_large: false.into() }
    }

    /// Whether a file was left out.
    pub fn has_large(&self) -> bool {
        self.has_large.load(Ordering::Relaxed)
    }
}

impl Files for Overlay<'_> {
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        let open = convert::uri(path).and_then(|uri| {
            let document = self.documents.get(&uri)?;
            document.is_open.then(|| document.text.clone())
        });
        if let Some(text) = open {
            return Ok(text.to_string().into());
        }
        if let Some(limit) = self.limit
            && std::fs::metadata(path).is_ok_and(|metadata| metadata.len() > limit)
        {
            self.has_large.store(true, Ordering::Relaxed);
            return Ok("{}".into());
        }
        read_from_disk(path).map(Arc::from)
    }

    fn list(&self, folder: &Path) -> Arc<[String]> {
        let mut names = list_on_disk(folder);
        // A sidecar counts as soon as it is open, before it is saved for the first time.
        for document in self.documents {
            if document.is_open
                && let Some(path) = &document.path
                && path.parent() == Some(folder)
                && let Some(name) = path.file_name().and_then(|name| name.to_str())
            {
                names.push(name.to_owned());
            }
        }
        names.sort();
        names.dedup();
        names.into()
    }
}

/// The same files, of which some have other texts.
pub struct With<'t> {
    pub texts: &'t HashMap<PathBuf, Arc<str>>,
    pub others: Overlay<'t>,
}

impl Files for With<'_> {
    fn read(&self, path: &Path) -> Result<Arc<str>, ReadError> {
        match self.texts.get(path) {
            Some(text) => Ok(text.clone()),
            None => self.others.read(path),
        }
    }

    fn list(&self, folder: &Path) -> Arc<[String]> {
        self.others.list(folder)
    }
}
