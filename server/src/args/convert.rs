//! The arguments of `promptls convert`.

use std::path::PathBuf;

use clap::Args;
use promptls_syntax::Dialect;
use promptls_workspace::Target;

use super::complete;

/// The arguments of `promptls convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The prompt; `-` is standard input, and then its text alone is printed
    pub prompt: PathBuf,

    /// The prompt of a pack or of a file of code, by its name there, as in FILE#NAME; not needed if
    /// there is only one
    #[arg(long = "prompt", value_name = "NAME", add = complete::tasks())]
    pub task: Option<String>,

    /// The dialect that it is in, whatever rules and names say
    #[arg(long, value_name = "NAME", value_parser = super::dialects())]
    pub dialect: Option<Dialect>,

    /// The dialect that it shall be in; with an engine, as in promptpack/promptkit-go, it must be
    /// the same for that one
    #[arg(long, value_name = "DIALECT[/ENGINE]", add = complete::targets())]
    pub to: Target,

    /// Write the prompt to this file; else beside the old one, with its dialect in its name
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Print what would become of each file, and write nothing
    #[arg(long, visible_alias = "dry-run")]
    pub diff: bool,

    /// Overwrite files that exist, also read-only ones and hard links, and write although something
    /// else would be sent
    #[arg(long)]
    pub force: bool,
}
