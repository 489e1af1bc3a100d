//! `promptls`: a language server, checker and preview for prompts.
//!
//! `cli.rs` says what can be asked for; each command is a module of its own.

mod check;
mod chosen;
mod cli;
mod completions;
mod envelope;
mod errors;
mod excerpts;
mod explain;
mod init;
mod lsp;
#[cfg(unix)]
mod meeting;
mod outbox;
mod paths;
mod preview;
mod report;
mod resolve;
mod sources;
mod terminal;
mod workspace;
mod write;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
