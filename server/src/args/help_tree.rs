//! The command line for completions, in which `help` takes the names of nested commands.
//!
//! clap creates `help` before it has created the commands inside of others, so that its `help store`
//! has none.

use clap::{Command, CommandFactory};

use super::Cli;

/// The name of the command that explains others.
const HELP: &str = "help";

/// All commands, with a complete `help`.
pub fn command_to_complete() -> Command {
    let mut built = Cli::command();
    built.build();
    let names = names_of(&built, &format!("{} {HELP}", built.get_name()));
    built.mut_subcommand(HELP, |help| {
        names.name(HELP).about(help.get_about().cloned().unwrap_or_default())
    })
}

/// A command and those inside of it, without their arguments. `called` is how it is called.
fn names_of(command: &Command, called: &str) -> Command {
    let inner = command.get_subcommands().filter(|inner| inner.get_name() != HELP);
    let inner = inner.map(|inner| names_of(inner, &format!("{called} {}", inner.get_name())));
    // clap takes static names. The process ends after a completion.
    let name: &'static str = command.get_name().to_owned().leak();
    Command::new(name)
        .bin_name(called)
        .about(command.get_about().cloned().unwrap_or_default())
        .hide(command.is_hide_set())
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .subcommands(inner)
}
