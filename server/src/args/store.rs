//! The arguments of `promptls store`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use promptls_stores::Filters;

use crate::stores::Address;

// Which version of a prompt in a store is meant.
#[derive(Clone, Debug, Default, Args)]
pub struct WhichArgs {
    /// For a prompt in a store: the version with this label; `production` by default
    #[arg(long, value_name = "LABEL", conflicts_with = "version")]
    pub label: Option<String>,

    /// For a prompt in a store: the version with this number
    #[arg(long, value_name = "N")]
    pub version: Option<u32>,
}

impl WhichArgs {
    /// The filters for a store.
    pub fn filters(&self) -> Filters {
        Filters { version: self.version, label: self.label.clone() }
    }
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub enum StoreCommand {
    /// List the stores of promptls.toml, or the prompts in one of them
    List {
        /// The store
        #[arg(value_name = "NAME")]
        store: Option<String>,
    },
    /// Print a prompt as it is in a store
    Show(ShowArgs),
    /// Write prompts of a store to files, with first variables and inputs files if there are none
    Pull(PullArgs),
    /// Save a prompt from its file as a new version
    Push(PushArgs),
    /// Show the words that differ between a prompt in a store and its file, in every case
    Diff(DiffArgs),
    /// Delete a prompt from a store, or a version of it
    Rm(RemoveArgs),
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The prompt
    #[arg(value_name = "NAME:ID")]
    pub address: Address,

    #[command(flatten)]
    pub which: WhichArgs,
}

// The prompts of a store that a command is for.
#[derive(Debug, Args)]
pub struct SomeArgs {
    /// The store, or one prompt in it
    #[arg(value_name = "NAME[:ID]")]
    pub address: Address,

    #[command(flatten)]
    pub which: WhichArgs,
}

#[derive(Debug, Args)]
pub struct PullArgs {
    #[command(flatten)]
    pub some: SomeArgs,

    /// The file to write; by default the file of the last pull, or a name made of the ID
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Overwrite files that have changes, also read-only ones and hard links
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct PushArgs {
    /// The prompt
    #[arg(value_name = "NAME:ID")]
    pub address: Address,

    /// The file to save; by default the file of the last pull
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// A label that moves to the new version; several times for several
    #[arg(long, value_name = "LABEL")]
    pub label: Vec<String>,

    /// The reason for the change
    #[arg(long, short, value_name = "TEXT")]
    pub message: Option<String>,

    /// Overwrite what has changed in the store since the last pull
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct DiffArgs {
    #[command(flatten)]
    pub some: SomeArgs,

    /// The file to compare with; by default the file of the last pull
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct RemoveArgs {
    /// The prompt
    #[arg(value_name = "NAME:ID")]
    pub address: Address,

    #[command(flatten)]
    pub which: WhichArgs,

    /// Delete without confirmation
    #[arg(long, short)]
    pub yes: bool,
}
