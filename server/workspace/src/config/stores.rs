//! `[stores.NAME]`: prompt stores other than files.
//!
//! A config may come from a third party. So it contains no keys and cannot decide alone where keys
//! are sent. It names environment variables that hold the keys and the URL.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use promptls_syntax::Dialect;

/// A `[stores.NAME]` table: a store, and the folder for its prompts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreConfig {
    /// The config that contains the table.
    pub config: Arc<Path>,
    /// The kind of the store.
    pub kind: StoreKind,
    /// The dialect of its prompts.
    pub dialect: Dialect,
    /// The folder that prompts are pulled into.
    pub prompts: PathBuf,
}

/// The kind of a store, with its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreKind {
    /// A folder on disk, with a file for each prompt.
    Filesystem {
        /// The path of the folder.
        folder: PathBuf,
    },
    /// A Langfuse project, whose keys are read from environment variables.
    Hosted {
        /// The URL, as far as the config may set it.
        url: Option<String>,
        /// The name of the variable with the URL.
        host_env: String,
        /// The name of the variable with the public key.
        public_key_env: String,
        /// The name of the variable with the secret key.
        secret_key_env: String,
    },
}

impl StoreConfig {
    /// The folder of the config that contains the table.
    pub fn home(&self) -> &Path {
        self.config.parent().unwrap_or(Path::new(""))
    }
}
