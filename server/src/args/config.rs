//! The arguments of `promptls config`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// The folder in which they apply
    #[arg(value_name = "DIR", default_value = ".", conflicts_with = "show")]
    pub folder: PathBuf,

    /// Print those that apply to a prompt, with its dialect and files
    #[arg(long, value_name = "FILE")]
    pub show: Option<PathBuf>,

    /// The name of that prompt among several, split from `FILE#NAME`.
    #[arg(skip)]
    pub task: Option<String>,

    /// How to print them
    #[arg(long, default_value = "text")]
    pub format: ConfigFormat,
}

/// The output formats of `promptls config`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConfigFormat {
    /// A line for each setting
    Text,
    /// One object
    Json,
}
