//! What goes into the editor's log, without anybody waiting for it, and without piling up for an
//! editor that does not read.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;
use tower_lsp::Client;
use tower_lsp::ls_types::MessageType;

/// The most lines that wait. The oldest go first, and their number is said.
const MAX_WAITING: usize = 100;

/// Lines that the editor has not taken yet.
#[derive(Debug, Default)]
pub struct EditorLog {
    waiting: Mutex<Waiting>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    lines: VecDeque<String>,
    /// How many went before those.
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

    /// The next line; `None` if all were taken.
    fn take(&self) -> Option<String> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::take(&mut waiting.dropped) {
            0 => waiting.lines.pop_front(),
            dropped => Some(format!("{dropped} earlier lines were left out")),
        }
    }

    /// Tells the editor for as long as the server lives.
    pub async fn run(self: Arc<Self>, client: Client) {
        loop {
            self.arrived.notified().await;
            while let Some(line) = self.take() {
                client.log_message(MessageType::WARNING, line).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_that_does_not_read_gets_the_newest_lines() {
        let log = EditorLog::default();
        for number in 0..20_000 {
            log.warn(number.to_string());
        }
        let taken: Vec<String> = std::iter::from_fn(|| log.take()).collect();
        assert_eq!(taken.len(), 1 + MAX_WAITING);
        assert_eq!(taken[0], "19900 earlier lines were left out");
        assert_eq!((&*taken[1], &*taken[100]), ("19900", "19999"));
        assert_eq!(log.take(), None);
    }
}
