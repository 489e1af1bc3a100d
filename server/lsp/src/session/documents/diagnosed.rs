//! What the diagnostics of a document depend on.

use std::path::Path;

use promptls_resolver::Problem;
use promptls_workspace::{CONFIG_NAME, SharedReads, sidecar_like};

use super::Documents;
use crate::convert::{self, Uri};
use crate::session::document::DocumentSnapshot;

/// Returns what the diagnostics of documents depend on; changes nothing.
#[derive(Clone, Copy)]
pub struct DiagnosedDocuments<'d> {
    documents: &'d Documents,
}

impl Documents {
    /// What the diagnostics of documents depend on.
    pub fn diagnosed(&self) -> DiagnosedDocuments<'_> {
        DiagnosedDocuments { documents: self }
    }
}

impl DiagnosedDocuments<'_> {
    /// A document at this moment.
    ///
    /// Cost: for a file that prompts share by a rule, the names in the documents that share it.
    pub fn snapshot(&self, uri: &Uri) -> DocumentSnapshot {
        let documents = self.documents;
        let reports = |path: &Path| documents.log.reports(path);
        let Some(document) = documents.by_uri.get(uri) else {
            let is_reported_elsewhere = reports(&convert::path(uri));
            return DocumentSnapshot { is_reported_elsewhere, ..DocumentSnapshot::default() };
        };
        let mut snapshot = DocumentSnapshot {
            path: document.path.clone(),
            text: document.text.clone(),
            version: document.open_version(),
            file: document.of_file(),
            ..DocumentSnapshot::default()
        };
        drop(document);
        let (path, is_open) = (&snapshot.path, snapshot.version.is_some());
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        snapshot.is_open_config = is_open && name == CONFIG_NAME;
        snapshot.is_reported_elsewhere = reports(path);
        snapshot.is_part_of_open = !is_open && documents.is_part_of_open(path);
        if !snapshot.is_reported_elsewhere {
            snapshot.unused = self.unused_in_shared(path);
            snapshot.is_unread_sidecar =
                is_open && sidecar_like(name).is_some() && documents.index.readers(path).is_empty();
        }
        snapshot
    }

    /// The problems about unused keys of an open file that prompts share by a rule. `None` while
    /// not all of these prompts are loaded.
    fn unused_in_shared(&self, path: &Path) -> Option<Vec<Problem>> {
        self.documents.shared.contains_key(path).then_some(())?;
        let readers = self.documents.index.readers(path).into_iter();
        let reads = readers.filter_map(|uri| {
            Some(self.documents.by_uri.get(&uri)?.held.as_ref()?.reads().clone())
        });
        let reads: Vec<_> = reads.collect();
        Some(SharedReads::unused_in(path, &reads))
    }

    /// The open files that the prompts of a document share with others by their rule, if all
    /// readers of these files are loaded.
    pub fn shared_files_of(&self, uri: &Uri) -> Vec<Uri> {
        if self.documents.shared.is_empty() {
            return Vec::new();
        }
        let reads =
            self.documents.by_uri.get(uri).and_then(|it| Some(it.held.as_ref()?.reads().clone()));
        let reads = reads.unwrap_or_default();
        let known = reads.files().filter(|path| self.documents.shared.contains_key(*path));
        known.filter_map(|path| self.documents.uri(path)).collect()
    }
}
