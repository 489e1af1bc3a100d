//! `promptls`: a language server, checker and preview for prompts.
//!
//! [`args`] says what can be asked for, [`commands`] does it.

mod args;
mod commands;
mod errors;
mod opened_prompt;
mod output;
mod paths;
mod preview;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    commands::run(args::Cli::parse())
}
