//! The arguments of `promptls stats`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::writing::OutputArgs;

#[derive(Debug, Args)]
pub struct StatsArgs {
    /// Folders, prompts, or globs; the current folder by default
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The cost of a million input tokens by model name: a TOML or JSON file
    #[arg(long, value_name = "FILE")]
    pub prices: Option<PathBuf>,

    /// How to print it
    #[arg(long, default_value = "text")]
    pub format: StatsFormat,

    #[command(flatten)]
    pub to: OutputArgs,
}

/// The output formats of `promptls stats`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StatsFormat {
    /// A line for each prompt and case
    Text,
    /// A row for each part of each text: its total, its own words, each placeholder
    Csv,
    /// One object
    Json,
}
