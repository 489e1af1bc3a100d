//! Progress of a long command.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The delay before a progress bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// A progress bar on stderr, if that is a terminal and the delay has passed.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    since: Instant,
    /// The draw target until the bar is drawn.
    target: Mutex<Option<ProgressDrawTarget>>,
}

impl Progress {
    /// A bar for this many prompts.
    pub fn of_prompts(prompts: usize) -> Progress {
        let style = "{wide_bar} {pos} of {len} prompts";
        Progress::on(ProgressDrawTarget::stderr(), Some(prompts as u64), style, Instant::now())
    }

    /// A bar for a table of this many bytes; `None` if the size is unknown.
    pub fn of_rows(bytes: Option<u64>) -> Progress {
        let style = match bytes {
            Some(_) => "{wide_bar} {percent} %, {msg}, {eta} left",
            None => "{bytes} read, {msg}",
        };
        Progress::on(ProgressDrawTarget::stderr(), bytes, style, Instant::now())
    }

    fn on(target: ProgressDrawTarget, len: Option<u64>, style: &str, since: Instant) -> Progress {
        let bar = ProgressBar::with_draw_target(len, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        Progress { bar, since, target: Mutex::new(Some(target)) }
    }

    /// Advances by one prompt; short commands show no bar.
    pub fn step(&self) {
        self.bar.inc(1);
        self.show();
    }

    /// Sets the position: this many bytes and rows are done.
    pub fn is_at(&self, bytes: u64, rows: u64) {
        self.bar.set_position(bytes);
        self.bar.set_message(format!("{rows} rows"));
        self.show();
    }

    fn show(&self) {
        if self.since.elapsed() > PATIENCE
            && let Some(target) = self.target.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            self.bar.set_draw_target(target);
            self.bar.tick();
        }
    }
}

/// Clears the bar, because other lines follow.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use indicatif::InMemoryTerm;

    use super::*;

    #[test]
    fn progress_is_shown_only_after_a_delay() {
        let screen = InMemoryTerm::new(3, 40);
        let target = || ProgressDrawTarget::term_like(Box::new(screen.clone()));
        let style = "{wide_bar} {pos} of {len} prompts";
        let hasty = Progress::on(target(), Some(5), style, Instant::now() + PATIENCE);
        hasty.step();
        assert_eq!(screen.contents(), "");

        let long_ago = Instant::now().checked_sub(2 * PATIENCE).expect("the machine runs for long");
        let slow = Progress::on(target(), Some(5), style, long_ago);
        slow.step();
        assert!(screen.contents().ends_with("1 of 5 prompts"), "{:?}", screen.contents());
        drop(slow);
        assert_eq!(screen.contents(), "");

        let rows = Progress::on(target(), Some(200), "{percent} %, {msg}", long_ago);
        rows.is_at(50, 7);
        assert!(screen.contents().ends_with("25 %, 7 rows"), "{:?}", screen.contents());
    }
}
