//! A race: several methods of making the same text, timed in turns.
//!
//! On a machine with two cores, other processes always run. Contestants take turns of a millisecond
//! each, so that noise affects all of them equally; the median of many turns excludes most of it.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The approximate time of a turn: long enough for the clock, short enough to average out noise.
const TURN: Duration = Duration::from_millis(1);

/// The number of turns of a contestant.
const TURNS: usize = 301;

/// A contestant that has used this much time gets no further turn: some parsers take seconds for a
/// megabyte.
const BUDGET: Duration = Duration::from_millis(800);

/// The order of some contestants in a turn, as their positions: each second turn is the other way
/// round, because to follow on one's rival can be an advantage (a start after another program's end
/// takes a tenth less).
pub fn order(turn: usize, contestants: usize) -> impl Iterator<Item = usize> {
    let is_reversed = turn % 2 == 1;
    (0..contestants).map(move |at| if is_reversed { contestants - 1 - at } else { at })
}

/// One method of making a text.
pub struct Contestant<'a> {
    pub name: &'static str,
    /// Makes the text once; its duration is measured.
    pub make: Box<dyn FnMut() -> String + 'a>,
}

impl<'a> Contestant<'a> {
    pub fn new(name: &'static str, make: impl FnMut() -> String + 'a) -> Self {
        Contestant { name, make: Box::new(make) }
    }
}

/// The median time of each contestant, in order.
///
/// # Panics
///
/// If two of them make different texts: then the race would be meaningless.
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

/// The results of a contestant.
struct Lane {
    /// The number of runs in a turn.
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
            // The first run had cold caches; the estimated number of runs improves.
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

    /// Freeing the text is included: a text that is too large costs time.
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

/// The time below which this share of the runs stays.
pub fn quantile(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let last = times.len().saturating_sub(1);
    times.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
}
