//! Measures promptls beside other programs, and writes `README.md`.
//!
//! Parts (`parts.rs`) measure and return tables (`report.rs`); goals (`goals.rs`) are judged by
//! these tables.

// A bench prints human-readable output.
#![allow(clippy::print_stdout)]

mod against;
mod check;
mod engines;
mod goals;
mod keystroke;
mod letter;
mod lexing;
mod machine;
mod memory;
mod ours;
mod parts;
mod peers;
mod preview;
mod programs;
mod readme;
mod report;
mod server;
mod startup;
mod stdio;
mod timing;
mod wire;
mod workspace;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use clap::builder::PossibleValuesParser;

use parts::{PARTS, Part};
use programs::Programs;

/// Measures promptls beside other programs.
#[derive(Parser)]
struct Args {
    /// What to measure; without any, what needs no program but this one
    #[arg(value_parser = PossibleValuesParser::new(PARTS.map(|part| part.name)))]
    parts: Vec<String>,

    /// Measure all parts, and write tests/benches/README.md
    #[arg(long, conflicts_with = "parts")]
    write: bool,

    /// Compare with this older promptls instead, in turns
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["parts", "write"])]
    against: Option<PathBuf>,

    /// Run a command, and print the time and memory that it takes
    #[arg(long, hide = true, num_args = 1.., allow_hyphen_values = true, value_name = "COMMAND")]
    cost_of: Option<Vec<OsString>>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("promptls-benches: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> io::Result<()> {
    if let Some(command) = &args.cost_of {
        return against::print_cost(command);
    }
    if let Some(old) = &args.against {
        let new = Programs::paths();
        new.verify()?;
        let old = new.with_promptls(old)?;
        print!("{}", against::run(&new, &old));
        return Ok(());
    }
    let wanted = PARTS.iter().filter(|part| match &args.parts[..] {
        [] => args.write || !part.is_on_program(),
        named => named.iter().any(|name| name == part.name),
    });
    let programs = Programs::paths();
    if wanted.clone().any(Part::is_on_program) {
        programs.verify()?;
    }
    let mut sections = Vec::new();
    for part in wanted {
        let section = part.measure(&programs);
        print!("{section}");
        sections.push(section);
    }
    match args.write {
        true => readme::write(sections),
        false => Ok(()),
    }
}
