//! A race: several ways to make the same thing, timed in turns.
//!
//! On a machine with two cores something else always runs. Contestants take
//! turns, a millisecond each, so that noise hits all of them alike; the median
//! of many turns leaves most of it out.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long a turn takes, roughly: long enough for the clock, short enough that noise passes.
const TURN: Duration = Duration::from_millis(1);

/// How many turns a contestant gets.
const TURNS: usize = 301;

/// Whoever has used this much takes no further turn: some parsers take seconds for a megabyte.
const BUDGET: Duration = Duration::from_millis(800);

/// One way to make a text.
pub struct Contestant<'a> {
    /// Who it is.
    pub name: &'static str,
    /// Makes the text once.
    pub make: Box<dyn FnMut() -> String + 'a>,
}

impl<'a> Contestant<'a> {
    pub fn new(name: &'static str, make: impl FnMut() -> String + 'a) -> Self {
        Contestant { name, make: Box::new(make) }
    }
}

/// The median time of each contestant, in their order.
///
/// # Panics
///
/// If two of them make different texts: then the race would say nothing.
pub fn race(contestants: &mut [Contestant<'_>]) -> Vec<Duration> {
    let mut lanes: Vec<Lane> = Vec::new();
    let mut expected = None;
    for Contestant { name, make } in &mut *contestants {
        let start = Instant::now();
        let made = make();
        let first = start.elapsed();
        let expected = expected.get_or_insert_with(|| made.clone());
        assert!(made == *expected, "{name} makes another text than the first contestant");
        lanes.push(Lane::new(first, make));
    }
    for _ in 0..TURNS {
        for (contestant, lane) in contestants.iter_mut().zip(&mut lanes) {
            if lane.spent < BUDGET {
                lane.turn(&mut contestant.make);
            }
        }
    }
    lanes.into_iter().map(|mut lane| quantile(&mut lane.times, 0.5)).collect()
}

/// What a contestant has achieved.
struct Lane {
    /// How often it runs in a turn.
    runs: u32,
    /// The time of one run, in each turn.
    times: Vec<Duration>,
    spent: Duration,
}

impl Lane {
    /// After a first run, which counts only if there is no time for another.
    fn new(first: Duration, make: &mut dyn FnMut() -> String) -> Lane {
        let mut lane = Lane { runs: 1, times: vec![first], spent: first };
        if first < TURN {
            // The first run found cold caches; the number of runs is a guess that gets better.
            for _ in 0..4 {
                let once = lane.turn(make).as_nanos().max(1);
                lane.runs = (TURN.as_nanos() / once).max(1) as u32;
            }
        }
        if lane.spent < BUDGET {
            lane.times.clear();
            lane.spent = Duration::ZERO;
        }
        lane
    }

    /// Freeing the text counts: whoever makes a text that is too large pays for it.
    fn turn(&mut self, make: &mut dyn FnMut() -> String) -> Duration {
        let start = Instant::now();
        for _ in 0..self.runs {
            black_box(make());
        }
        let elapsed = start.elapsed();
        let once = elapsed / self.runs;
        self.times.push(once);
        self.spent += elapsed;
        once
    }
}

/// The time that this share of the runs stays below.
pub fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let last = times.len().saturating_sub(1);
    times.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
}
