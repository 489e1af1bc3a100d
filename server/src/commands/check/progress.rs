//! How far a check has come, for a person who waits for it.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Nobody wonders about less.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar on stderr, if that is a terminal and it has taken a while.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    since: Instant,
    /// Where it is drawn, until it is.
    target: Mutex<Option<ProgressDrawTarget>>,
}

impl Progress {
    /// For so many prompts.
    pub fn new(prompts: usize) -> Progress {
        Progress::on(ProgressDrawTarget::stderr(), prompts, Instant::now())
    }

    fn on(target: ProgressDrawTarget, prompts: usize, since: Instant) -> Progress {
        let hidden = ProgressDrawTarget::hidden();
        let bar = ProgressBar::with_draw_target(Some(prompts as u64), hidden);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos} of {len} prompts") {
            bar.set_style(style);
        }
        Progress { bar, since, target: Mutex::new(Some(target)) }
    }

    /// One more prompt is done.
    pub fn step(&self) {
        self.bar.inc(1);
        if self.since.elapsed() > PATIENCE
            && let Some(target) = self.target.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            self.bar.set_draw_target(target);
            self.bar.tick();
        }
    }
}

/// Other lines come where it was.
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
    fn who_waits_sees_how_far_it_is_and_nobody_else() {
        let screen = InMemoryTerm::new(3, 30);
        let target = || ProgressDrawTarget::term_like(Box::new(screen.clone()));
        let hasty = Progress::on(target(), 5, Instant::now() + PATIENCE);
        hasty.step();
        assert_eq!(screen.contents(), "");

        let long_ago = Instant::now().checked_sub(2 * PATIENCE).expect("the machine runs for long");
        let slow = Progress::on(target(), 5, long_ago);
        slow.step();
        assert!(screen.contents().ends_with("1 of 5 prompts"), "{:?}", screen.contents());
        drop(slow);
        assert_eq!(screen.contents(), "");
    }
}
