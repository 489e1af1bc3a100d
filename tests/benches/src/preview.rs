//! The preview as an editor feels it: from the request to the answer, after each keystroke.

use crate::letter::Letter;
use crate::process::{self, Server};
use crate::table::time;
use crate::timing::quantile;

const TURNS: usize = 300;

pub fn run() {
    let Some(promptls) = process::promptls() else { return };
    println!("## The preview over stdio\n");
    println!("| document | promptls lsp | 95 % below | resolved text |");
    println!("| ---: | ---: | ---: | ---: |");
    for kilobytes in [10, 100, 1_000] {
        let letter = Letter::new(kilobytes);
        let mut server = Server::start(&promptls, &["lsp"]);
        let mut letter = letter.open_in(&mut server);
        let mut times = Vec::new();
        let mut bytes = 0;
        for _ in 0..TURNS {
            letter.keystroke();
            let (elapsed, preview) = letter.preview();
            times.push(elapsed);
            bytes = preview["text"].as_str().map_or(0, str::len);
        }
        let [median, most] = [0.5, 0.95].map(|share| time(quantile(&mut times, share)));
        println!("| {kilobytes} KB | {median} | {most} | {bytes} B |");
    }
    println!();
}
