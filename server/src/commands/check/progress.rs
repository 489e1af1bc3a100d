//! How far a check has come, for a person who waits for it.

use std::sync::Once;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Nobody wonders about less.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on stderr, if that is a terminal and it has taken a while.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    since: Instant,
    shown: Once,
}

impl Progress {
    /// For so many prompts.
    pub fn new(prompts: usize) -> Progress {
        let hidden = ProgressDrawTarget::hidden();
        let bar = ProgressBar::with_draw_target(Some(prompts as u64), hidden);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len} prompts") {
            bar.set_style(style);
        }
        Progress { bar, since: Instant::now(), shown: Once::new() }
    }

    /// One more prompt is done.
    pub fn step(&self) {
        self.bar.inc(1);
        if self.since.elapsed() > PATIENCE {
            self.shown.call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }
}

/// Other lines come where it was.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
