//! One keystroke as an editor feels it: from `didChange` to the published problems, over pipes.
//!
//! The two servers take turns, a keystroke each, so that whatever else the machine does hits
//! both alike. The first keystrokes warm caches up and do not count.

use crate::letter::Letter;
use crate::process::{self, Server};
use crate::table::time;
use crate::timing::quantile;

const WARM_UP: usize = 200;
const KEYSTROKES: usize = 2_000;

pub fn run() {
    let Some(promptls) = process::promptls() else { return };
    println!("## One keystroke over stdio\n");
    println!(
        "| document | promptls lsp | 95 % below | an empty server | 95 % below | ratio of medians |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: |");
    for kilobytes in [10, 1_000, 10_000, 100_000] {
        let letter = Letter::new(kilobytes);
        let mut servers = Server::pair(&promptls);
        let mut open = servers.each_mut().map(|server| letter.open_in(server));
        let mut times = [Vec::new(), Vec::new()];
        for turn in 0..WARM_UP + KEYSTROKES {
            for (letter, times) in open.iter_mut().zip(&mut times) {
                let elapsed = letter.keystroke();
                if turn >= WARM_UP {
                    times.push(elapsed);
                }
            }
        }
        let [(ours, ours_95), (empty, empty_95)] =
            times.each_mut().map(|times| (quantile(times, 0.5), quantile(times, 0.95)));
        let ratio = ours.as_secs_f64() / empty.as_secs_f64();
        let columns = [ours, ours_95, empty, empty_95].map(time).join(" | ");
        println!("| {kilobytes} KB | {columns} | {ratio:.1} |");
    }
    println!();
}
