//! The startup time of the server, and its memory while idle.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::programs::Programs;
use crate::report::{Figure, Table};
use crate::server::Server;
use crate::timing::quantile;

const TURNS: usize = 41;

pub fn run(programs: &Programs) -> Vec<Table> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let starts: [fn(&Programs) -> Server; 2] = [Server::promptls, Server::empty];
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        for (times, start) in times.iter_mut().zip(starts) {
            let spawned = Instant::now();
            start(programs).initialize(folder.path());
            times.push(spawned.elapsed());
        }
    }
    let servers = starts.map(|start| {
        let mut server = start(programs);
        server.initialize(folder.path());
        server.notify("initialized", serde_json::json!({}));
        server
    });
    // All remaining startup work is done by then.
    sleep(Duration::from_secs(2));

    let mut table = Table::new("startup", &["", "start", "idle memory", "size of the program"]);
    let programs =
        [("promptls lsp", &programs.promptls), ("an empty server", &programs.empty_server)];
    for (((name, path), mut times), server) in programs.into_iter().zip(times).zip(&servers) {
        let start = Figure::Time(quantile(&mut times, 0.5));
        let bytes = fs::metadata(path).map_or(Figure::Unknown, |file| Figure::Bytes(file.len()));
        table.row(name, [start, server.memory().resident, bytes]);
    }
    vec![table]
}
