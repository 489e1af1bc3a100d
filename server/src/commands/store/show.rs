//! `promptls store show`: a prompt as it is in a store, with its placeholders.

use std::process::ExitCode;

use crate::args::store::ShowArgs;
use crate::errors::CommandError;
use crate::output::terminal;
use crate::stores::{OpenedStore, block_on};

pub fn run(args: &ShowArgs) -> Result<ExitCode, CommandError> {
    let store = OpenedStore::of(&args.address)?;
    let filters = store.filters(&args.which)?;
    let stored = block_on(async { Ok(store.find(args.address.id()?, &filters).await?) })?;
    terminal::print_text(stored.prompt.content())?;
    Ok(ExitCode::SUCCESS)
}
