//! `promptls check --watch`: checks again when a relevant file changes, and prints the result if it
//! differs from the last one.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crossterm::cursor::MoveTo;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType};
use promptls_workspace::{
    CONFIG_NAME, Disk, absolute, folders_below, may_be_read_by_code, may_matter,
};

use super::looking::Looking;
use super::once;
use crate::args::CheckArgs;
use crate::errors::CommandError;
use crate::output::terminal::{complain, print_all};
use crate::paths::Paths;
use crate::preview::changes::Changes;
use crate::preview::shutdown::ended;

/// Checks until the program is interrupted.
pub fn run(args: &CheckArgs, looking: &Looking, paths: &Paths) -> Result<ExitCode, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let ended = ended()?;
        tokio::pin!(ended);
        let mut changes = Changes::new();
        let is_screen = io::stdout().is_terminal();
        let named = named(args, paths);
        let mut read = BTreeSet::new();
        let mut other_texts = BTreeSet::new();
        let mut last = None;
        loop {
            // Before anything is read, so that no change is missed. Following a file watches its
            // folder, so new files there are noticed too.
            let folders: Vec<&Path> =
                named.iter().map(PathBuf::as_path).filter(|path| Disk.is_folder(path)).collect();
            let folders = folders_below(&folders, &looking.walking);
            let configs = folders.into_iter().map(|folder| folder.join(CONFIG_NAME));
            // A folder is followed by its config. As a file, it would add its parent folder.
            let files = named.iter().filter(|path| !Disk.is_folder(path)).cloned();
            let followed: Vec<PathBuf> = configs.chain(files).chain(read).collect();
            changes.follow(&followed);
            tracing::debug!("checking");
            let checked = once(args, looking, paths.clone())?;
            if last.as_ref() != Some(&checked.output) {
                if is_screen {
                    execute!(io::stdout(), Clear(ClearType::All), MoveTo(0, 0))?;
                }
                print_all(&checked.output)?;
                if !args.quiet {
                    complain("watching; Ctrl-C ends it");
                }
                last = Some(checked.output);
            }
            read = checked.read;
            changes.follow(followed.iter().chain(&read));
            let configs = looking.configs();
            let mut matters = |path: &PathBuf| {
                read.contains(path)
                    || named.contains(path)
                    || may_matter(path, &configs)
                    // Code may load a text file that appears; later changes are of no concern then.
                    || may_be_read_by_code(path) && other_texts.insert(path.clone())
            };
            tokio::select! {
                () = &mut ended => return Ok(checked.code),
                () = async { while !changes.next().await.iter().any(&mut matters) {} } => {}
            }
        }
    })
}

/// The files and folders that the command line names.
fn named(args: &CheckArgs, paths: &Paths) -> Vec<PathBuf> {
    let here = [paths.current().to_owned()];
    let checked = if args.paths.is_empty() { &here[..] } else { &args.paths };
    let all = checked.iter().chain(&args.baseline);
    all.map(|path| absolute(paths.current(), path)).collect()
}
