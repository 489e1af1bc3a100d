#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! The program `promptls`: a language server, checker and preview for prompts. [`args`] is the
//! command line interface, [`commands`] implements it.
//!
//! It is a library so that it runs both as a program (`main.rs`) and inside Python. The package on
//! PyPI contains it once, together with the functions for Python. Its only interface is [`run`].

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

use clap::Parser;
use clap_complete::CompleteEnv;

pub use crate::call::Call;
use crate::output::terminal;
use crate::output::visible::visible;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: promptls_memory::Allocator = promptls_memory::ALLOCATOR;

/// The time for which free memory is kept while other memory is used, in milliseconds. Editors send
/// messages in intervals that are longer; `check` takes a twelfth less memory, and no more time.
const KEEPS_FREE_MEMORY: u16 = 10;

/// The exit code of a Rust program that has panicked.
const PANICKED: u8 = 101;

/// Runs a command, and returns its exit code. The process should end then: some commands leave
/// threads that wait for input, and several end the process themselves.
pub fn run(call: Call) -> u8 {
    promptls_memory::give_back_after(KEEPS_FREE_MEMORY);
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

/// The environment variable that requests completions; its value is the name of the shell.
const COMPLETION_VARIABLE: &str = "PROMPTLS_COMPLETE";

/// Ends the process if a shell requests completions.
fn complete(call: &Call) {
    // The library would copy the arguments before it checks the variable.
    if env::var_os(COMPLETION_VARIABLE).is_none() {
        return;
    }
    let completions = CompleteEnv::with_factory(args::command_to_complete).var(COMPLETION_VARIABLE);
    match completions.try_complete(&call.arguments, env::current_dir().ok().as_deref()) {
        Ok(false) => {}
        Ok(true) => std::process::exit(0),
        Err(error) => error.exit(),
    }
}

/// Prints the error for an invalid call, or the help. File names inserted by a shell may contain
/// escape sequences.
fn refused(error: &clap::Error) -> ExitCode {
    let plain = error.render().to_string();
    if visible(&plain) == plain {
        error.exit();
    }
    terminal::complain(plain.trim_end());
    ExitCode::from(args::COULD_NOT_RUN)
}

/// The number of an exit code, which the standard library does not return.
fn number(code: ExitCode) -> u8 {
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(PANICKED)
}
