//! The startup time of the server, and its memory while idle.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::programs::Programs;
use crate::report::{Figure, Table};
use crate::server::Server;
use crate::timing::{order, quantile};

const TURNS: usize = 42;

pub fn run(programs: &Programs) -> Vec<Table> {
    let rows = in_turns([&|| Server::promptls(programs), &|| Server::empty(programs)]);
    let paths = [&programs.promptls, &programs.empty_server];
    let mut table = Table::new("startup", &["", "start", "idle memory", "size of the program"]);
    for ((name, [start, memory]), path) in
        ["promptls lsp", "an empty server"].into_iter().zip(rows).zip(paths)
    {
        table.row(name, [start, memory, program_size(path)]);
    }
    vec![table]
}

/// The time from start to the answer to `initialize`, and the memory when idle, of two servers.
pub fn in_turns(starts: [&dyn Fn() -> Server; 2]) -> [[Figure; 2]; 2] {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut times = [Vec::new(), Vec::new()];
    for turn in 0..TURNS {
        for at in order(turn, starts.len()) {
            let spawned = Instant::now();
            starts[at]().initialize(folder.path());
            times[at].push(spawned.elapsed());
        }
    }
    let servers = starts.map(|start| {
        let mut server = start();
        server.initialize(folder.path());
        server.notify("initialized", serde_json::json!({}));
        server
    });
    // All remaining startup work is done by then.
    sleep(Duration::from_secs(2));
    let mut figures = times
        .iter_mut()
        .zip(&servers)
        .map(|(times, server)| [Figure::Time(quantile(times, 0.5)), server.memory().resident]);
    [figures.next(), figures.next()].map(|figures| figures.expect("there are two servers"))
}

pub fn program_size(path: &Path) -> Figure {
    fs::metadata(path).map_or(Figure::Unknown, |file| Figure::Bytes(file.len()))
}
