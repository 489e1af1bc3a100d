//! Runs requests on the message task or on a worker thread.
//!
//! The number of concurrent workers is limited. Otherwise an editor that sends a request at each
//! keystroke would start dozens, each slowed down by the others. A request that is cancelled while
//! it waits is never started.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, LazyLock};
use std::thread::available_parallelism;

use tokio::sync::Semaphore;

use crate::errors::{self, Result};
use crate::session::prompt_snapshot::PromptSnapshot;

/// Texts above this size in bytes are processed on a worker.
pub const LONG_TEXT: usize = 64 * 1024;

/// The cost of an answer. A hop to a worker thread takes 50 to 100 µs, longer than most answers. So
/// only answers that may take longer run there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// The names of the prompts, times their cases.
    OfNames,
    /// Also the text in the editor, if it is longer than this many bytes.
    OfText(usize),
    /// The names, and the sidecars of the prompts, if one is longer than this many bytes.
    OfFiles(usize),
    /// Reads files, or always takes long.
    Long,
}

impl Cost {
    /// Returns whether an answer about these prompts should run on a worker.
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

/// One permit per concurrent worker. There are more than processors, so that a short answer does
/// not wait for two long ones.
static PLACES: LazyLock<Arc<Semaphore>> = LazyLock::new(|| {
    let processors = available_parallelism().map_or(1, |processors| processors.get());
    Arc::new(Semaphore::new(2 + 2 * processors))
});

/// Runs some work, on a worker or on this task. A panic fails only this request.
pub async fn work<T: Send + 'static>(
    on_worker: bool,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let answer = move || catch_unwind(AssertUnwindSafe(work));
    let answer = if on_worker {
        let place = PLACES.clone().acquire_owned().await.map_err(|_| errors::ending())?;
        let answer = move || {
            let _place = place;
            answer()
        };
        tokio::task::spawn_blocking(answer).await.map_err(|_| errors::ending())?
    } else {
        answer()
    };
    answer.unwrap_or_else(|_| Err(errors::internal()))
}
