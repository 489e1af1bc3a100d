//! The semantic tokens that a client has, from which the changes of the next response are computed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::convert::Uri;
use tower_lsp::ls_types as lsp;

/// The last response for each open document.
#[derive(Debug, Default)]
pub struct LastTokens {
    answers: Mutex<Answers>,
}

#[derive(Debug, Default)]
struct Answers {
    count: u64,
    by_document: HashMap<Uri, (String, Arc<[lsp::SemanticToken]>)>,
}

impl LastTokens {
    /// Removes a document that was closed.
    pub fn forget(&self, uri: &Uri) {
        self.lock().by_document.remove(uri);
    }

    /// The last response, if it has this id.
    pub fn get(&self, uri: &Uri, id: &str) -> Option<Arc<[lsp::SemanticToken]>> {
        let answers = self.lock();
        let (last, tokens) = answers.by_document.get(uri)?;
        (last == id).then(|| tokens.clone())
    }

    /// Stores a response; returns its id.
    pub fn keep(&self, uri: Uri, tokens: Arc<[lsp::SemanticToken]>) -> String {
        let mut answers = self.lock();
        answers.count += 1;
        let id = answers.count.to_string();
        answers.by_document.insert(uri, (id.clone(), tokens));
        id
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
