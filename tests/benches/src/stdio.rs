//! The latency of one key press in an editor: from `didChange` to the published problems, over
//! pipes.
//!
//! The two servers take turns, one key press each, so that other load affects both equally. The
//! first key presses warm up caches and do not count.

use crate::letter::Letter;
use crate::programs::Programs;
use crate::report::{Figure, Table, size};
use crate::server::Server;
use crate::timing::{order, quantile};

const WARM_UP: usize = 200;
const KEYSTROKES: usize = 2_000;

pub fn run(programs: &Programs) -> Vec<Table> {
    let columns =
        ["document", "promptls lsp", "95 % below", "an empty server", "95 % below", "ratio"];
    let mut table = Table::new("stdio", &columns);
    for kilobytes in [10, 1_000, 10_000, 100_000] {
        let servers = [Server::promptls(programs), Server::empty(programs)];
        let [[ours, ours_95], [empty, empty_95]] = in_turns(kilobytes, servers);
        let ratio = ours.over(&empty);
        table.row(size(kilobytes), [ours, ours_95, empty, empty_95, ratio]);
    }
    vec![table]
}

/// The median of each server, and the time below which 95 % of its keystrokes stay.
pub fn in_turns(kilobytes: usize, mut servers: [Server; 2]) -> [[Figure; 2]; 2] {
    let letter = Letter::new(kilobytes);
    let mut open = servers.each_mut().map(|server| letter.open_in(server));
    let mut times = [Vec::new(), Vec::new()];
    for turn in 0..WARM_UP + KEYSTROKES {
        for at in order(turn, open.len()) {
            let elapsed = open[at].keystroke();
            if turn >= WARM_UP {
                times[at].push(elapsed);
            }
        }
    }
    times.each_mut().map(|times| [0.5, 0.95].map(|share| Figure::Time(quantile(times, share))))
}
