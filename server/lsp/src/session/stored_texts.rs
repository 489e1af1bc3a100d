//! Cached texts from stores, for comparisons with prompts.
//!
//! A comparison is requested again at each keystroke. A store is contacted at most once a minute.
//! Requests in between get the cached text, or wait for the same response.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};

use crate::errors::Result;

/// The time for which a text is cached.
const FRESH: Duration = Duration::from_secs(60);

/// The time for which a failure is cached: long enough for fast typing, short enough after its
/// cause is fixed.
const FAILED: Duration = Duration::from_secs(5);

/// A text that may still be loading.
pub type PendingText = Shared<BoxFuture<'static, Result<Arc<str>>>>;

/// The texts, by the request to the store.
#[derive(Debug, Default)]
pub struct StoredTexts(Mutex<HashMap<Vec<String>, (Instant, PendingText)>>);

impl StoredTexts {
    fn texts(&self) -> MutexGuard<'_, HashMap<Vec<String>, (Instant, PendingText)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a recently requested text, or starts a request, which continues even if its caller stops
    /// waiting.
    pub fn get<F>(&self, question: Vec<String>, request: impl FnOnce() -> F) -> PendingText
    where
        F: Future<Output = Result<Arc<str>>> + Send + 'static,
    {
        let mut texts = self.texts();
        if let Some((requested, answer)) = texts.get(&question) {
            let counts = match answer.peek() {
                None => true,
                Some(Ok(_)) => requested.elapsed() < FRESH,
                Some(Err(_)) => requested.elapsed() < FAILED,
            };
            if counts {
                return answer.clone();
            }
        }
        let answer = request().boxed().shared();
        tokio::spawn(answer.clone());
        texts.insert(question, (Instant::now(), answer.clone()));
        answer
    }

    /// Drops all texts, because the store has changed.
    pub fn forget(&self) {
        self.texts().clear();
    }
}
