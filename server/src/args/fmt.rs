//! The arguments of `promptls fmt`.

use std::path::PathBuf;

use clap::Args;

use super::writing::ForceArgs;

#[derive(Debug, Args)]
pub struct FmtArgs {
    /// Folders, files, or globs; the current folder by default
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Name the files that would change, and change nothing
    #[arg(long)]
    pub check: bool,

    /// Print what would change, and change nothing
    #[arg(long, conflicts_with = "check")]
    pub diff: bool,

    #[command(flatten)]
    pub writing: ForceArgs,
}
