//! `promptls man`: manual pages, for packagers.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::args::Cli;
use crate::errors::CommandError;
use crate::output::terminal;
use crate::output::write;

/// Writes the page of each command into a folder; without one, prints the page of the program.
pub fn run(folder: Option<&Path>) -> Result<(), CommandError> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let Some(folder) = folder else { return terminal::print(&page(&program)?) };
    let writer = write::writer(false);
    let mut commands = vec![program];
    while let Some(command) = commands.pop() {
        let path: PathBuf = folder.join(Man::new(command.clone()).get_filename());
        writer.put(&path, page(&command)?.as_bytes()).map_err(write::failed(path.display()))?;
        commands.extend(command.get_subcommands().filter(|it| !it.is_hide_set()).cloned());
    }
    Ok(())
}

/// The page of a command.
fn page(command: &Command) -> io::Result<String> {
    let man = Man::new(command.clone()).source(concat!("promptls ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(notes) = command.get_after_help() {
        // Examples keep their line breaks.
        let mut section = Roff::new();
        section.control("SH", ["NOTES"]).control("nf", []);
        for line in notes.to_string().lines() {
            section.text([roman(line)]);
        }
        section.control("fi", []).to_writer(&mut page)?;
    }
    String::from_utf8(page).map_err(io::Error::other)
}
