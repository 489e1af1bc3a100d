//! The commands, one module each.

mod check;
mod completions;
mod config;
mod convert;
mod diff;
mod engines;
mod explain;
mod fmt;
mod graph;
mod init;
mod man;
#[cfg(feature = "templates")]
mod new;
mod prompts;
mod resolve;
mod schema;
mod stats;
#[cfg(feature = "stores")]
mod store;
mod vars;

use std::env;
use std::process::ExitCode;

use anstream::ColorChoice;
use promptls_workspace::{absolute, allow_reading, set_max_file_bytes};
use tracing::level_filters::LevelFilter;

use crate::args::{COULD_NOT_RUN, Cli, Command, LogLevel, ReadingArgs, When};
use crate::call;
use crate::errors::CommandError;
use crate::output::terminal;

/// Runs the command of a command line.
pub fn run(mut cli: Cli) -> ExitCode {
    cli.command.split_names();
    log_to_stderr(cli.log);
    choice(cli.color).write_global();
    allow(&cli.reading);
    let outcome = match cli.command {
        Command::Resolve(args) => resolve::run(&args),
        Command::Vars(args) => vars::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Prompts(args) => prompts::run(&args),
        Command::Fmt(args) => fmt::run(&args),
        Command::Graph(args) => graph::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Schema(args) => schema::run(args.name.as_deref()).map(|()| ExitCode::SUCCESS),
        Command::Man(args) => man::run(args.folder.as_deref()).map(|()| ExitCode::SUCCESS),
        Command::Preview(mut args) => crate::preview::run(&mut args),
        Command::Init(args) => init::run(&args),
        #[cfg(feature = "templates")]
        Command::New(args) => new::run(&args),
        #[cfg(feature = "stores")]
        Command::Store { command } => store::run(&command),
        #[cfg(not(feature = "stores"))]
        Command::Store { .. } => Err(CommandError::NoStores),
        Command::Engines(args) => engines::run(args.format).map(|()| ExitCode::SUCCESS),
        Command::Explain(args) => explain::run(args.code.as_deref()).map(|()| ExitCode::SUCCESS),
        Command::Lsp(_) => Ok(promptls_lsp::run(call::program())),
        Command::Completions(args) => completions::run(args.shell).map(|()| ExitCode::SUCCESS),
    };
    match outcome {
        Ok(code) => code,
        // `promptls … | head` closes the pipe early, which is no failure.
        Err(CommandError::Write(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            terminal::complain(&format!("promptls: {error}"));
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

/// The colour choice for all streams. Most programs in CI use FORCE_COLOR; anstream supports only
/// other variables. NO_COLOR has priority over FORCE_COLOR.
fn choice(when: When) -> ColorChoice {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    match when {
        When::Always => ColorChoice::Always,
        When::Never => ColorChoice::Never,
        When::Auto if is_set("FORCE_COLOR") && !is_set("NO_COLOR") => ColorChoice::Always,
        When::Auto => ColorChoice::Auto,
    }
}

/// Applies the limits and folders that the user allows for reading.
fn allow(reading: &ReadingArgs) {
    set_max_file_bytes(reading.max_file_size);
    let folders = reading.allow_read.iter().flat_map(env::split_paths);
    // An empty variable allows nothing.
    let folders = folders.filter(|folder| !folder.as_os_str().is_empty());
    let current = env::current_dir().unwrap_or_default();
    allow_reading(folders.map(|folder| absolute(&current, &folder)).collect());
}

fn log_to_stderr(level: LogLevel) {
    let level = match level {
        LogLevel::Off => return,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .without_time()
        .init();
}
