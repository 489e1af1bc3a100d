//! What stores have of prompts that are compared with it.
//!
//! Whoever types beside a comparison asks at every key. A store is asked once a minute; who comes
//! meanwhile gets what is known, or waits for the same answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use tower_lsp::jsonrpc::Result;

/// How long a text counts as what the store has.
const FRESH: Duration = Duration::from_secs(60);

/// How long a failure does: long enough for fast typing, and short for who mends its cause.
const FAILED: Duration = Duration::from_secs(5);

/// A text, when it is there.
pub type Answer = Shared<BoxFuture<'static, Result<Arc<str>>>>;

/// The texts, by what the store was asked for.
#[derive(Debug, Default)]
pub struct StoredTexts(Mutex<HashMap<Vec<String>, (Instant, Answer)>>);

impl StoredTexts {
    fn texts(&self) -> MutexGuard<'_, HashMap<Vec<String>, (Instant, Answer)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A text that was asked for not long ago, or what `ask` says. It goes on when nobody waits.
    pub fn get<F>(&self, question: Vec<String>, ask: impl FnOnce() -> F) -> Answer
    where
        F: Future<Output = Result<Arc<str>>> + Send + 'static,
    {
        let mut texts = self.texts();
        if let Some((asked, answer)) = texts.get(&question) {
            let counts = match answer.peek() {
                None => true,
                Some(Ok(_)) => asked.elapsed() < FRESH,
                Some(Err(_)) => asked.elapsed() < FAILED,
            };
            if counts {
                return answer.clone();
            }
        }
        let answer = ask().boxed().shared();
        tokio::spawn(answer.clone());
        texts.insert(question, (Instant::now(), answer.clone()));
        answer
    }

    /// Forgets all: the store has something else now.
    pub fn forget(&self) {
        self.texts().clear();
    }
}
