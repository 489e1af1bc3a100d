//! Where a command writes, and what it may replace.

use std::path::PathBuf;

use clap::Args;

// Where a command writes what it would print.
#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Write it to a file, when it is complete
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Also replace a file that is read-only or has several hard links
    #[arg(long, requires = "output")]
    pub force: bool,
}

// What a command that changes files may replace.
#[derive(Clone, Copy, Debug, Args)]
pub struct ForceArgs {
    /// Also replace files that are read-only or have several hard links
    #[arg(long)]
    pub force: bool,
}
