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
mod schemas;
#[cfg(feature = "stores")]
mod stores;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use clap_complete::CompleteEnv;

use crate::output::terminal;
use crate::output::visible::visible;

/// musl's own lets one thread at a time allocate, and the programs of a release are linked with it:
/// `check` took five times as long.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // It ends the program where a shell asks what may be typed next.
    CompleteEnv::with_factory(args::Cli::command).var(ASKED_BY_SHELL).complete();
    match args::Cli::try_parse() {
        Ok(cli) => commands::run(cli),
        Err(error) => refused(&error),
    }
}

/// The variable by which a shell asks: its name is its value.
const ASKED_BY_SHELL: &str = "PROMPTLS_COMPLETE";

/// A call that is wrong, or asks for help. Names of files that a shell has put there may steer the
/// terminal.
fn refused(error: &clap::Error) -> ExitCode {
    let plain = error.render().to_string();
    if visible(&plain) == plain {
        error.exit();
    }
    terminal::complain(plain.trim_end());
    ExitCode::from(args::COULD_NOT_RUN)
}
