//! One keystroke as an editor feels it: from `didChange` to the published problems, over pipes.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::process::{self, Server, uri};
use crate::table::time;
use crate::timing::quantile;
use crate::workloads::slots_text;

const KEYSTROKES: u64 = 400;

pub fn run() {
    let Some(promptls) = process::promptls() else { return };
    println!("## One keystroke over stdio\n");
    println!("| document | promptls lsp | 95 % below | an empty server | 95 % below |");
    println!("| ---: | ---: | ---: | ---: | ---: |");
    for kilobytes in [10, 1_000, 10_000, 100_000] {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let file = folder.path().join("letter.agentle.prompt");
        let name = |index: usize| format!("name_{:02}", index % 100);
        let text =
            slots_text(kilobytes * 1_000, kilobytes, |index| format!("{{{{{}}}}}", name(index)));
        let values: serde_json::Map<_, _> =
            (0..100).map(|index| (name(index), json!("a value"))).collect();
        fs::write(&file, &text).expect("the temporary folder can be written");
        fs::write(file.with_extension("inputs.json"), json!(values).to_string())
            .expect("the temporary folder can be written");
        let lines = text.lines().count() as u64;

        let uri = uri(&file);
        let mut servers = Server::pair(&promptls);
        for server in &mut servers {
            server.initialize(folder.path());
            server.notify("initialized", json!({}));
            let document =
                json!({ "uri": uri, "languageId": "prompt-agentle", "version": 0, "text": text });
            server.notify("textDocument/didOpen", json!({ "textDocument": document }));
            server.wait_for_problems(&uri, 0);
        }
        let mut times = [const { Vec::<Duration>::new() }; 2];
        for version in 1..=KEYSTROKES {
            for (server, times) in servers.iter_mut().zip(&mut times) {
                times.push(keystroke(server, &uri, version, lines));
            }
        }
        let columns = times.map(|mut times| {
            format!("{} | {}", time(quantile(&mut times, 0.5)), time(quantile(&mut times, 0.95)))
        });
        println!("| {kilobytes} KB | {} |", columns.join(" | "));
    }
    println!();
}

/// Types a letter somewhere, or takes it back.
fn keystroke(server: &mut Server, uri: &str, version: u64, lines: u64) -> Duration {
    // Odd versions type, the even ones behind them take back at the same place. Lines are
    // visited in an order that leaves caches cold.
    let line = version.div_ceil(2) * 7_368_787 % lines;
    let types = version % 2 == 1;
    let position = |character: u32| json!({ "line": line, "character": character });
    let range = json!({ "start": position(0), "end": position(u32::from(!types)) });
    let change = json!({ "range": range, "text": if types { "x" } else { "" } });
    let params = json!({
        "textDocument": { "uri": uri, "version": version },
        "contentChanges": [change],
    });
    let start = Instant::now();
    server.notify("textDocument/didChange", params);
    server.wait_for_problems(uri, version);
    start.elapsed()
}
