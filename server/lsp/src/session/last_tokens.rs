//! The semantic tokens that a client has, from which the changes of the next response are computed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::convert::Uri;

/// A token, relative to the previous one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RelativeToken {
    /// The distance from the line of the previous token.
    pub line: u32,
    /// The distance from the start of the previous token if both are in one line; otherwise the column.
    pub start: u32,
    pub length: u32,
    /// The index of its type in the list that the server announces.
    pub kind: u32,
    /// A bit for each of its modifiers, in the order of the list that the server announces.
    pub modifiers: u32,
}

/// The last response for each open document.
#[derive(Debug, Default)]
pub struct LastTokens {
    answers: Mutex<Answers>,
}

#[derive(Debug, Default)]
struct Answers {
    count: u64,
    by_document: HashMap<Uri, (String, Arc<[RelativeToken]>)>,
}

impl LastTokens {
    /// Removes a document that was closed.
    pub fn forget(&self, uri: &Uri) {
        self.lock().by_document.remove(uri);
    }

    /// The last response, if it has this id.
    pub fn get(&self, uri: &Uri, id: &str) -> Option<Arc<[RelativeToken]>> {
        let answers = self.lock();
        let (last, tokens) = answers.by_document.get(uri)?;
        (last == id).then(|| tokens.clone())
    }

    /// Stores a response; returns its id.
    pub fn keep(&self, uri: Uri, tokens: Arc<[RelativeToken]>) -> String {
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
