//! Publishes diagnostics without blocking any handler on the editor.
//!
//! Handlers only mark changed documents. One task takes the marks, checks the documents and
//! publishes the result. While it waits for a slow editor, further marks accumulate and are handled
//! together. So the first change is published at once, and no timer is needed.
//!
//! Pull requests are answered from the same checks. They cover open documents. Problems of sidecars
//! that are not open are pushed, unless the editor pulls the whole workspace.

mod store;

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use promptls_protocol::{PreviewChangedParams, TextDocumentIdentifier};
use tokio::sync::Notify;

use self::store::DiagnosticStore;
pub use self::store::{DiagnosticSource, DiagnosticsByFile, ListQuery, PublishPolicy, by_file};
use crate::convert::Uri;
use crate::convert::diagnostic::{Diagnostic, DiagnosticCapabilities, DiagnosticStyle, NamedList};
use crate::editor::Editor;
use crate::editor::refresh::Refresh;
use crate::followers::Followers;
use crate::session::documents::Documents;

/// The documents to check, and the results of the checks.
#[derive(Default)]
pub struct Diagnostics {
    marks: Mutex<BTreeSet<Uri>>,
    marked: Notify,
    store: tokio::sync::Mutex<DiagnosticStore>,
    refresh: Arc<Refresh>,
    followers: Arc<Followers>,
}

impl Diagnostics {
    /// Marks documents whose problems may have changed.
    pub fn mark(&self, uris: impl IntoIterator<Item = Uri>) {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner).extend(uris);
        self.marked.notify_one();
    }

    /// Refresh requests, for features other than diagnostics.
    pub fn refresh(&self) -> &Arc<Refresh> {
        &self.refresh
    }

    /// Other programs that follow a prompt.
    pub fn followers(&self) -> &Arc<Followers> {
        &self.followers
    }

    fn take(&self) -> BTreeSet<Uri> {
        std::mem::take(&mut self.marks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Publishes diagnostics until the server ends.
    pub async fn run(
        self: Arc<Self>,
        editor: Editor,
        documents: Arc<Documents>,
        capabilities: DiagnosticCapabilities,
    ) {
        loop {
            self.marked.notified().await;
            let mut store = self.store.lock().await;
            store.check_all(&documents, self.take(), capabilities.style).await;
            let changes = store.take_changes(&documents, capabilities);
            drop(store);
            for uri in &changes.prompts {
                self.followers.preview_changed(uri, documents.version(uri));
            }
            for uri in changes.previews {
                self.refresh.contents_of(&uri);
                if !capabilities.previews {
                    continue;
                }
                let version = documents.version(&uri);
                let text_document = TextDocumentIdentifier { uri: uri.to_string() };
                let params = PreviewChangedParams { text_document, version };
                editor.preview_changed(params).await;
            }
            for list in changes.lists {
                editor.publish(list.uri, list.diagnostics, list.version).await;
            }
            if let Some(unpublished @ 1..) = changes.unpublished {
                let files = match unpublished {
                    1 => "1 more file of the workspace has".to_owned(),
                    more => format!("{more} more files of the workspace have"),
                };
                let words = format!("{files} problems; `promptls check` lists all");
                editor.log_information(words).await;
            }
            if changes.is_display_old {
                self.refresh.display();
            }
            if changes.is_pulled_old {
                self.refresh.diagnostics();
            }
        }
    }

    /// Changes which diagnostics the editor receives for files that are not open.
    pub async fn set_policy(&self, policy: PublishPolicy) {
        self.store.lock().await.set_policy(policy);
        self.marked.notify_one();
    }

    /// Drops all diagnostics except those of loaded documents with prompts.
    pub async fn forget_others(&self, documents: &Documents) {
        self.store.lock().await.forget_others(documents);
        self.marked.notify_one();
    }

    /// Stores the results of a background check. Blocks for a moment, so call it from other
    /// threads.
    pub fn update(
        &self,
        documents: &Documents,
        all: impl IntoIterator<Item = (DiagnosticSource, DiagnosticsByFile)>,
    ) {
        for (source, diagnostics) in all {
            // The lock is released between sources, so that checks of typed text can run in
            // between.
            let mut store = self.store.blocking_lock();
            // Open documents are checked as they are typed.
            let is_open = |uri| documents.version(uri).is_some();
            if !matches!(&source, DiagnosticSource::Document(uri) if is_open(uri)) {
                store.update(source, diagnostics);
            }
        }
        self.marked.notify_one();
    }

    /// Passes the workspace lists that differ from those named in `known` to `take`, and updates
    /// `known` if the request waits. The first time, unchanged lists are passed as well. Does
    /// nothing once `is_waiting` returns `false`.
    pub async fn changed_since(
        &self,
        documents: &Arc<Documents>,
        known: &mut HashMap<Uri, String>,
        query: ListQuery,
        is_waiting: impl Fn() -> bool,
        take: impl FnMut(NamedList),
    ) {
        let mut store = self.store.lock().await;
        if !is_waiting() {
            return;
        }
        store.check_all(documents, self.take(), query.style).await;
        self.marked.notify_one();
        store.changed_since(known, query, take);
    }

    /// The problems of an open document, with the name of this list. Without items if that is the
    /// name of the previous list. `None` if the document changed meanwhile.
    pub async fn pull(
        &self,
        documents: &Arc<Documents>,
        uri: &Uri,
        previous: Option<&str>,
        style: DiagnosticStyle,
    ) -> Option<(String, Option<Vec<Diagnostic>>)> {
        let version = documents.version(uri);
        let mut store = self.store.lock().await;
        store.check_all(documents, self.take(), style).await;
        // Other results of the checks are published by the task.
        self.marked.notify_one();
        let is_current = documents.version(uri) == version;
        is_current.then(|| store.pull(uri, version, previous))
    }
}
