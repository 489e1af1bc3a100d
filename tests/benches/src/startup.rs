//! How soon the server answers, and what it holds while nothing happens.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::process::{self, Server};
use crate::table::time;
use crate::timing::quantile;

const TURNS: usize = 41;

pub fn run() {
    let Some(promptls) = process::promptls() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        let start_promptls = || Server::start(&promptls, &["lsp"]);
        let start_empty = || Server::start(&process::empty_server(), &[]);
        let starts: [&dyn Fn() -> Server; 2] = [&start_promptls, &start_empty];
        for (times, start) in times.iter_mut().zip(starts) {
            let spawned = Instant::now();
            start().initialize(folder.path());
            times.push(spawned.elapsed());
        }
    }
    let servers = Server::pair(&promptls).map(|mut server| {
        server.initialize(folder.path());
        server.notify("initialized", serde_json::json!({}));
        server
    });
    // Whatever it still has to do at the start is done by then.
    sleep(Duration::from_secs(2));

    println!("## Start and idle memory\n");
    println!("| | from start to the answer to `initialize` | memory when idle |");
    println!("| --- | ---: | ---: |");
    let names = ["promptls lsp", "an empty server"];
    for ((name, mut times), server) in names.into_iter().zip(times).zip(&servers) {
        let memory = server
            .resident_kib()
            .map_or("?".to_owned(), |kib| format!("{:.1} MB", kib as f64 * 1024.0 / 1e6));
        println!("| {name} | {} | {memory} |", time(quantile(&mut times, 0.5)));
    }
    println!();
}
