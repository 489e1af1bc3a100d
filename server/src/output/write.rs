//! Writing files: the only way to them is a [`Writer`], which knows the project of each file.

use std::env;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use promptls_workspace::{Disk, Files, Reach, Within};
use promptls_writer::{WriteError, Writer};

use crate::args::OutputArgs;
use crate::errors::CommandError;
use crate::output::terminal;

/// Writes files and follows no link out of their project: the repository, else the folder of the
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

/// The error of a command that could not write a file, by the name that the user knows.
pub fn failed(path: impl Display) -> impl FnOnce(WriteError) -> CommandError {
    move |source| CommandError::NotWritten { path: path.to_string(), source }
}

/// What a command prints: into the file that the user names, else to stdout.
pub fn output(to: &OutputArgs, text: &str) -> Result<(), CommandError> {
    match &to.output {
        None => terminal::print(text),
        Some(file) => writer(to.force).put(file, text.as_bytes()).map_err(failed(file.display())),
    }
}

/// The same with the text of a prompt, which a file or a pipe gets unchanged.
pub fn text_output(to: &OutputArgs, text: &str) -> Result<(), CommandError> {
    if to.output.is_none() { terminal::print_text(text) } else { output(to, text) }
}

/// The same with an object, on a line.
pub fn json_output(to: &OutputArgs, object: &impl serde::Serialize) -> Result<(), CommandError> {
    match to.output {
        None => terminal::print_json(object),
        Some(_) => {
            let mut text = Vec::new();
            terminal::write_json(&mut text, object)?;
            output(to, &String::from_utf8_lossy(&text))
        }
    }
}
