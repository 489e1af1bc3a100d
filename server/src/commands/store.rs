//! `promptls store`: prompts in stores, and their local files.

mod diff;
mod list;
mod pull;
mod push;
mod remove;
mod show;

use std::process::ExitCode;

use crate::args::store::StoreCommand;
use crate::errors::CommandError;

pub fn run(command: &StoreCommand) -> Result<ExitCode, CommandError> {
    match command {
        StoreCommand::List { store } => list::run(store.as_deref()),
        StoreCommand::Show(args) => show::run(args),
        StoreCommand::Pull(args) => pull::run(args),
        StoreCommand::Push(args) => push::run(args),
        StoreCommand::Diff(args) => diff::run(args),
        StoreCommand::Rm(args) => remove::run(args),
    }
}
