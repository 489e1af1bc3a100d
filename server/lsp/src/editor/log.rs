//! Lines for the editor's log. Writers never wait, and the number of lines for an editor that does
//! not read is limited.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

/// The maximum number of waiting lines. Beyond it, the oldest are dropped and counted.
const MAX_WAITING: usize = 100;

/// Lines that have not been sent to the editor yet.
#[derive(Debug, Default)]
pub struct EditorLog {
    waiting: Mutex<Waiting>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    lines: VecDeque<String>,
    /// The number of dropped lines before these.
    dropped: usize,
}

impl EditorLog {
    /// Adds a line. Never waits.
    pub fn warn(&self, line: String) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.lines.len() == MAX_WAITING {
            waiting.lines.pop_front();
            waiting.dropped += 1;
        }
        waiting.lines.push_back(line);
        self.arrived.notify_one();
    }

    /// Takes the next line; `None` if there is none.
    fn take(&self) -> Option<String> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::take(&mut waiting.dropped) {
            0 => waiting.lines.pop_front(),
            dropped => Some(format!("{dropped} earlier lines were omitted")),
        }
    }

    /// Passes lines to `warn`, which shows them in the editor, until the server ends.
    pub async fn run<F: Future<Output = ()>>(self: Arc<Self>, warn: impl Fn(String) -> F) {
        loop {
            self.arrived.notified().await;
            while let Some(line) = self.take() {
                warn(line).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_lines_are_kept_for_a_client_that_does_not_read() {
        let log = EditorLog::default();
        for number in 0..20_000 {
            log.warn(number.to_string());
        }
        let taken: Vec<String> = std::iter::from_fn(|| log.take()).collect();
        assert_eq!(taken.len(), 1 + MAX_WAITING);
        assert_eq!(taken[0], "19900 earlier lines were omitted");
        assert_eq!((&*taken[1], &*taken[100]), ("19900", "19999"));
        assert_eq!(log.take(), None);
    }
}
