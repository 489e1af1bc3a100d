//! Writing files, only through a [`Writer`], which determines the project of each file.

use std::env;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use promptls_workspace::{Disk, Files, Reach, Within};
use promptls_writer::{WriteError, Writer};

use crate::args::OutputArgs;
use crate::errors::CommandError;
use crate::output::files_read::FilesRead;
use crate::output::terminal;

/// A writer that follows no link out of the project: the repository, else the folder of the
/// outermost config, else the current folder. `force` also replaces read-only files and hard links.
pub fn writer(force: bool) -> Writer {
    let reach = Reach::default();
    let current = env::current_dir().ok().and_then(|current| Disk.without_links(&current));
    Writer::new(move |folder| project(&reach, current.as_deref(), folder)).force(force)
}

fn project(reach: &Reach, current: Option<&Path>, folder: &Path) -> Option<PathBuf> {
    let root = reach.root(&Disk, folder);
    match root.1 {
        Within::Repository | Within::OutermostConfig => Some(root.0.clone()),
        Within::Folder | Within::UntrustedFolder => {
            current.filter(|current| folder.starts_with(current)).map(Path::to_owned)
        }
    }
}

/// Converts an error into that of a command that could not write a file. `path` is its displayed
/// name.
pub fn failed(path: impl Display) -> impl FnOnce(WriteError) -> CommandError {
    move |source| CommandError::NotWritten { path: path.to_string(), source }
}

/// Writes an output file of the command line, unless the command has read that file.
pub fn named_output(
    file: &Path,
    bytes: &[u8],
    force: bool,
    read: &FilesRead,
) -> Result<(), CommandError> {
    read.keep_from(file, file.display())?;
    writer(force).put(file, bytes).map_err(failed(file.display()))
}

/// Writes output into the file of the command line, else to stdout. `read` has the files that the
/// command has read.
pub fn output(to: &OutputArgs, text: &str, read: &FilesRead) -> Result<(), CommandError> {
    match &to.output {
        None => terminal::print(text),
        Some(file) => named_output(file, text.as_bytes(), to.force, read),
    }
}

/// The same for output that contains texts or names of users. It is unchanged in a file or a pipe,
/// and control characters are visible on a terminal.
pub fn text_output(to: &OutputArgs, text: &str, read: &FilesRead) -> Result<(), CommandError> {
    if to.output.is_none() { terminal::print_text(text) } else { output(to, text, read) }
}

/// The same for an object, in one line.
pub fn json_output(
    to: &OutputArgs,
    object: &impl serde::Serialize,
    read: &FilesRead,
) -> Result<(), CommandError> {
    match to.output {
        None => terminal::print_json(object),
        Some(_) => {
            let mut text = Vec::new();
            terminal::write_json(&mut text, object)?;
            output(to, &String::from_utf8_lossy(&text), read)
        }
    }
}
