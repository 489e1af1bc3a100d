//! The latency of the preview in an editor: from the request to the response, after each key press.

use crate::letter::Letter;
use crate::programs::Programs;
use crate::report::{Figure, Table, size};
use crate::server::Server;
use crate::timing::quantile;

const TURNS: usize = 300;

pub fn run(programs: &Programs) -> Vec<Table> {
    let mut table = Table::new("preview", &["document", "median", "95 % below", "resolved text"]);
    for kilobytes in [10, 100, 1_000] {
        let letter = Letter::new(kilobytes);
        let mut server = Server::promptls(programs);
        let mut letter = letter.open_in(&mut server);
        let mut times = Vec::new();
        let mut bytes = 0;
        for _ in 0..TURNS {
            letter.keystroke();
            let (elapsed, preview) = letter.preview();
            times.push(elapsed);
            bytes = preview["text"].as_str().map_or(0, str::len);
        }
        let [median, most] = [0.5, 0.95].map(|share| Figure::Time(quantile(&mut times, share)));
        table.row(size(kilobytes), [median, most, Figure::Bytes(bytes as u64)]);
    }
    vec![table]
}
