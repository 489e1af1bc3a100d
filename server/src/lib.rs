#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! The program `promptls`: a language server, checker and preview for prompts. [`args`] is what
//! can be asked for, [`commands`] does it.
//!
//! It is a library so that it runs as a program (`main.rs`) and inside Python, where the package of
//! PyPI holds it once, beside the functions for Python. Its only interface is [`run`].

mod addresses;
mod args;
mod call;
mod commands;
mod errors;
mod opened_prompt;
mod output;
mod paths;
mod preview;
mod schemas;
#[cfg(feature = "stores")]
mod stores;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use clap_complete::CompleteEnv;

pub use crate::call::Call;
use crate::output::terminal;
use crate::output::visible::visible;

/// musl's own lets one thread at a time allocate, and the programs of a release are linked with it:
/// `check` took five times as long.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit code of a program of Rust that has panicked.
const PANICKED: u8 = 101;

/// Runs a command, and returns its exit code. The process should end then: some commands leave
/// threads that wait for input, and several end it themselves.
pub fn run(call: Call) -> u8 {
    let call = call.note();
    let ended = catch_unwind(AssertUnwindSafe(|| {
        complete(call);
        match args::Cli::try_parse_from(&call.arguments) {
            Ok(cli) => commands::run(cli),
            Err(error) => refused(&error),
        }
    }));
    ended.map_or(PANICKED, number)
}

/// The variable by which a shell asks what may be typed next: its name is its value.
const ASKED_BY_SHELL: &str = "PROMPTLS_COMPLETE";

/// Ends the process if a shell asks for completions.
fn complete(call: &Call) {
    // The library would copy the arguments before it looks.
    if env::var_os(ASKED_BY_SHELL).is_none() {
        return;
    }
    let completions = CompleteEnv::with_factory(args::Cli::command).var(ASKED_BY_SHELL);
    match completions.try_complete(&call.arguments, env::current_dir().ok().as_deref()) {
        Ok(false) => {}
        Ok(true) => std::process::exit(0),
        Err(error) => error.exit(),
    }
}

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

/// The standard library compares exit codes, but does not return their numbers.
fn number(code: ExitCode) -> u8 {
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(PANICKED)
}
