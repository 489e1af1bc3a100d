//! `promptls completions`: shell scripts that complete commands and options.

use clap_complete::Shell;

use crate::args::command_to_complete;
use crate::errors::CommandError;
use crate::output::terminal;

/// Prints the script for a shell.
pub fn run(shell: Shell) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command_to_complete(), "promptls", &mut script);
    terminal::print(&String::from_utf8_lossy(&script))
}
