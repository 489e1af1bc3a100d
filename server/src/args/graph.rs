//! The arguments of `promptls graph`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::writing::OutputArgs;

#[derive(Debug, Args)]
pub struct GraphArgs {
    /// Folders, prompts, globs, or inputs files for the prompts that read them; else the current
    /// folder
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// How to print it
    #[arg(long, default_value = "dot")]
    pub format: GraphFormat,

    #[command(flatten)]
    pub to: OutputArgs,
}

/// The output formats of `promptls graph`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// For Graphviz: `promptls graph | dot -Tsvg`
    Dot,
    /// For Markdown on GitHub and elsewhere
    Mermaid,
    /// One object
    Json,
}
