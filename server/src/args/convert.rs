//! The arguments of `promptls convert`.

use std::path::PathBuf;

use clap::Args;
use promptls_syntax::Dialect;
use promptls_workspace::Target;

use super::complete;

#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The prompt; `-` is standard input, and then only the new text is printed
    pub prompt: PathBuf,

    /// The prompt of a pack or of a file of code, by its name there, as in FILE#NAME; not needed if
    /// there is only one
    #[arg(long = "prompt", value_name = "NAME", add = complete::tasks())]
    pub task: Option<String>,

    /// Its current dialect; overrides rules and file names
    #[arg(long, value_name = "NAME", value_parser = super::dialects())]
    pub dialect: Option<Dialect>,

    /// The new dialect; with an engine, as in promptpack/promptkit-go, the text must be the
    /// same for that engine
    #[arg(long, value_name = "DIALECT[/ENGINE]", add = complete::targets())]
    pub to: Target,

    /// Write the prompt to this file; by default beside the old one, with its dialect in its name
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print the changes of each file, and write nothing
    #[arg(long, visible_alias = "dry-run")]
    pub diff: bool,

    /// Overwrite existing files, also read-only ones and hard links, and write even if a different
    /// text would be sent
    #[arg(long)]
    pub force: bool,
}
