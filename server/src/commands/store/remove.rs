//! `promptls store rm`: deletes prompts or versions in a store. Local files stay.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use promptls_stores::Filters;

use crate::args::COULD_NOT_RUN;
use crate::args::store::RemoveArgs;
use crate::commands::init::confirm;
use crate::errors::CommandError;
use crate::output::terminal::complain;
use crate::stores::{OpenedStore, block_on};

pub fn run(args: &RemoveArgs) -> Result<ExitCode, CommandError> {
    let mut store = OpenedStore::of(&args.address)?;
    let id = args.address.id()?;
    let filters = store.filters(&args.which)?;
    let what = match (&filters.label, filters.version) {
        (_, Some(version)) => format!("version {version} of {}:{id}", store.name),
        (Some(label), None) => format!("the version `{label}` of {}:{id}", store.name),
        (None, None) if store.keeps_versions() => {
            format!("{}:{id} with all its versions", store.name)
        }
        (None, None) => format!("{}:{id}", store.name),
    };
    if !args.yes {
        if !io::stdin().is_terminal() {
            complain(
                "promptls: nothing is deleted: stdin is not a terminal; add --yes to delete without confirmation",
            );
            return Ok(ExitCode::from(COULD_NOT_RUN));
        }
        if !confirm(&format!("Delete {what}?"))? {
            complain("nothing is deleted");
            return Ok(ExitCode::SUCCESS);
        }
    }
    if filters == Filters::default() && store.lock.find(&store.name, id).is_some() {
        store.check_lock()?;
    }
    block_on(async { Ok(store.delete(id, &filters).await?) })?;
    if filters == Filters::default() {
        store.forget(id)?;
    }
    complain(&format!("deleted {what}"));
    Ok(ExitCode::SUCCESS)
}
