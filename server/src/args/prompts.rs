//! The arguments of `promptls prompts`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub struct PromptsArgs {
    /// Folders, files, or globs; the current folder by default
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// How to print it
    #[arg(long, default_value = "text")]
    pub format: PromptsFormat,
}

/// The output formats of `promptls prompts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PromptsFormat {
    /// A line for each prompt
    Text,
    /// A list of objects
    Json,
}
