//! The arguments of `promptls diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use promptls_workspace::RevisionRange;

use super::complete;
use super::writing::OutputArgs;

#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The prompt; with --rev, also several and folders; without any, the current folder
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The prompt of a pack or of a file of code, by its name there, as in FILE#NAME
    #[arg(long = "prompt", value_name = "NAME", add = complete::tasks())]
    pub task: Option<String>,

    /// The two cases to compare, one after the other; with --rev, the only case to compare
    #[arg(long = "case", value_name = "NAME", add = complete::cases())]
    pub cases: Vec<String>,

    /// What to compare: `main` or `main..` with now, `main...` from the merge base, `v1..v2`
    #[arg(long, value_name = "REV")]
    pub rev: Option<RevisionRange>,

    /// How to print it
    #[arg(long, default_value = "human")]
    pub format: DiffFormat,

    #[command(flatten)]
    pub to: OutputArgs,

    /// Name files relative to this folder; by default, Markdown names them relative to the root of
    /// the repository, and the other formats as the command line does
    #[arg(long, value_name = "FOLDER")]
    pub relative_to: Option<PathBuf>,
}

/// The output formats of `promptls diff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// The lines in which words differ: `[-old-]{+new+}`
    Human,
    /// A line for each text that differs
    Concise,
    /// One object
    Json,
    /// A table and the words that differ, for a comment on a pull request
    Markdown,
    /// The same as a page
    Html,
}
