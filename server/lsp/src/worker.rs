//! Where a request is answered: on the message task, or on a worker thread.
//!
//! Few work at once, or an editor that asks at each key would be answered by dozens, each slower
//! for the others. What is cancelled while it waits is never begun.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock};
use std::thread::available_parallelism;

use tokio::sync::Semaphore;
use tower_lsp::jsonrpc::{Error, Result};

use crate::errors;
use crate::session::prompt_snapshot::PromptSnapshot;

/// Texts above this size are looked at on a worker, in bytes.
pub const LONG_TEXT: usize = 64 * 1024;

/// What an answer costs. A hop to a worker thread takes 50 to 100 µs, longer than most answers,
/// so only what may take longer goes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// The names of the prompts, times their cases.
    OfNames,
    /// That, and the text that the editor shows, if it is longer than so many bytes.
    OfText(usize),
    /// The names, and the files beside the prompts, if one is longer than so many bytes.
    OfFiles(usize),
    /// It reads files, or takes long whatever it is about.
    Long,
}

impl Cost {
    /// Whether an answer about these prompts is for a worker.
    pub fn is_for_worker<'p>(self, prompts: impl IntoIterator<Item = &'p PromptSnapshot>) -> bool {
        let mut prompts = prompts.into_iter();
        match self {
            Cost::Long => true,
            Cost::OfNames => prompts.any(|prompt| prompt.snapshot().is_heavy()),
            Cost::OfText(limit) => prompts.any(|prompt| {
                prompt.snapshot().is_heavy() || prompt.document_text().len_bytes() > limit
            }),
            Cost::OfFiles(limit) => {
                prompts.any(|prompt| prompt.snapshot().is_heavy() || prompt.has_file_above(limit))
            }
        }
    }
}

/// A place for each that may work at once: more than there are processors, so that a short answer
/// does not wait for two long ones.
static PLACES: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let processors = available_parallelism().map_or(1, |processors| processors.get());
    Arc::new(Semaphore::new(2 + 2 * processors))
});

/// Does some work, on a worker or here and now. A panic costs this one answer.
pub async fn work<T: Send + 'static>(
    on_worker: bool,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let answer = move || catch_unwind(AssertUnwindSafe(work));
    let answer = if on_worker {
        let place = PLACES.clone().acquire_owned().await.map_err(|_| Error::internal_error())?;
        let answer = move || {
            let _place = place;
            answer()
        };
        tokio::task::spawn_blocking(answer).await.map_err(|_| Error::internal_error())?
    } else {
        answer()
    };
    answer.unwrap_or_else(|_| Err(errors::internal()))
}
