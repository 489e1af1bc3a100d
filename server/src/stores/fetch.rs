//! Prompts in stores as arguments of commands that take a file.

use std::path::{Path, PathBuf};

use promptls_stores::Filters;
use promptls_syntax::Dialect;
use promptls_workspace::{Configs, Disk, Files};

use super::address::Address;
use super::failure::StoreFailure;
use super::opened_store::{OpenedStore, block_on};
use crate::args::PromptArgs;
use crate::errors::CommandError;
use crate::output::terminal::complain;
use crate::paths::Paths;

/// A prompt from a store, with the actual or future path of its file.
pub struct Fetched {
    pub path: PathBuf,
    pub text: String,
    pub dialect: Dialect,
}

/// Whether an argument names a prompt in a store: `NAME:ID`, unless a file has that name.
pub fn is_address(prompt: &Path) -> bool {
    let Some((name, _)) = prompt.to_str().and_then(|text| text.split_once(':')) else {
        return false;
    };
    let Ok(paths) = Paths::new() else { return false };
    let config = Configs::default().nearest(&Disk, paths.current());
    config.is_some_and(|config| config.stores.contains_key(name)) && !Disk.is_there(prompt)
}

/// The prompt of a store on the command line; `None` if it names a file.
pub fn fetch(args: &PromptArgs) -> Result<Option<Fetched>, CommandError> {
    if !is_address(&args.prompt) {
        if args.which.filters() != Filters::default() {
            return Err(StoreFailure::NotInStore(args.prompt.display().to_string()).into());
        }
        return Ok(None);
    }
    let Ok(address) = args.prompt.to_string_lossy().parse::<Address>();
    let id = address.id()?;
    let store = OpenedStore::of(&address)?;
    let filters = store.filters(&args.which)?;
    let stored = block_on(async { Ok(store.find(id, &filters).await?) })?;
    if let Some(version) = stored.version {
        complain(&format!("promptls: note: {}:{id} is version {version}", store.name));
    }
    // A prompt without a valid file path has no sidecars.
    let path = store.path_of(id, None).unwrap_or_else(|_| store.config.prompts.join("unnamed"));
    let text = stored.prompt.content().to_owned();
    Ok(Some(Fetched { path, text, dialect: store.config.dialect }))
}
