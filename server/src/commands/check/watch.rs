//! `promptls check --watch`: checks again whenever a file changes.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crossterm::cursor::MoveTo;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType};
use promptls_workspace::{CONFIG_NAME, Disk, absolute, folders_below};

use super::looking::Looking;
use super::once;
use crate::args::CheckArgs;
use crate::errors::CommandError;
use crate::output::terminal::complain;
use crate::paths::Paths;
use crate::preview::changes::Changes;
use crate::preview::shutdown::ended;

/// Checks until somebody ends it.
pub fn run(args: &CheckArgs, looking: &Looking, paths: &Paths) -> Result<ExitCode, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let ended = ended()?;
        tokio::pin!(ended);
        let mut changes = Changes::new();
        let is_screen = io::stdout().is_terminal();
        let named = named(args, paths);
        let mut read = BTreeSet::new();
        loop {
            // Before anything is read, so that no change is missed. Who follows a file follows its
            // folder, and so what is new there.
            let folders: Vec<&Path> =
                named.iter().map(PathBuf::as_path).filter(|path| Disk.is_folder(path)).collect();
            let folders = folders_below(&folders, &looking.walking);
            let configs = folders.into_iter().map(|folder| folder.join(CONFIG_NAME));
            let followed: Vec<PathBuf> = configs.chain(named.iter().cloned()).chain(read).collect();
            changes.follow(&followed);
            if is_screen {
                execute!(io::stdout(), Clear(ClearType::All), MoveTo(0, 0))?;
            }
            let checked = once(args, looking, paths.clone())?;
            if !args.quiet {
                complain("watching; Ctrl-C ends it");
            }
            read = checked.read;
            changes.follow(followed.iter().chain(&read));
            tokio::select! {
                () = &mut ended => return Ok(checked.code),
                _ = changes.next() => {}
            }
        }
    })
}

/// What the command line names.
fn named(args: &CheckArgs, paths: &Paths) -> Vec<PathBuf> {
    match &args.paths[..] {
        [] => vec![paths.current().to_owned()],
        named => named.iter().map(|path| absolute(paths.current(), path)).collect(),
    }
}
