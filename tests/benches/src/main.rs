//! Measures promptls and prints the tables of `README.md`.
//!
//! `cargo run --profile dist -p promptls-benches` runs everything that needs no other
//! program; name a part to run it alone. The last four measure the `promptls`
//! program itself: `$PROMPTLS_BIN`, or the one next to this program.

// A bench talks to people on stdout.
#![allow(clippy::print_stdout)]

mod check;
mod keystroke;
mod letter;
mod lexing;
mod ours;
mod peers;
mod preview;
mod process;
mod startup;
mod stdio;
mod table;
mod timing;
mod wire;

use std::process::ExitCode;

/// A part by its name.
const PARTS: [(&str, fn()); 7] = [
    ("table", table::run),
    ("lex", lexing::run),
    ("keystroke", keystroke::run),
    ("check", check::run),
    ("startup", startup::run),
    ("stdio", stdio::run),
    ("preview", preview::run),
];

/// The parts that need no other program.
const IN_PROCESS: usize = 3;

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = wanted.iter().find(|it| PARTS.iter().all(|(name, _)| name != it)) {
        let known = PARTS.map(|(name, _)| name).join(", ");
        eprintln!("there is no part `{unknown}`; the parts are {known}");
        return ExitCode::FAILURE;
    }
    for (index, (name, run)) in PARTS.into_iter().enumerate() {
        let is_wanted = wanted.iter().any(|wanted| wanted == name);
        if is_wanted || (wanted.is_empty() && index < IN_PROCESS) {
            run();
        }
    }
    ExitCode::SUCCESS
}
