//! Errors of stores.

use std::io;

use promptls_stores::StoreError;
use promptls_workspace::LockError;

/// Why an operation on a store fails.
#[derive(Debug, thiserror::Error)]
pub enum StoreFailure {
    /// An error reported by the store.
    #[error("{store}: {error}{hint}")]
    Failed {
        /// The store, as the user wrote it.
        store: String,
        error: StoreError,
        /// A similar id, or the existing versions or labels; may be empty.
        hint: String,
    },
    /// The `promptls.toml` that applies has no `[stores.NAME]`.
    #[error("promptls.toml has no stores; add one, as in:\n\n[stores.prod]\nkind = \"langfuse\"")]
    NoStores,
    /// A store that is not in `promptls.toml`.
    #[error("there is no store `{name}` in promptls.toml, only {known}{hint}")]
    Unknown {
        /// The name on the command line.
        name: String,
        hint: String,
        /// The names of existing stores, separated by commas.
        known: String,
    },
    /// A config with a folder that is not allowed.
    #[error("the folder of the store `{store}` {reason}")]
    Outside {
        store: String,
        /// Why it is not allowed.
        reason: String,
    },
    /// A store that requires a key, whose variable is not set.
    #[error("the store `{store}` needs a key; set the environment variable {variable}")]
    NoKey {
        store: String,
        /// The variable for the key.
        variable: String,
    },
    /// The URL to which keys would be sent is only in a config.
    #[error(
        "promptls.toml sets the URL of the store `{store}` to {url}; to send keys there, set the environment variable {variable} to the same URL"
    )]
    OnlyInConfig {
        store: String,
        /// The URL in the config.
        url: String,
        /// The variable in which the user confirms it.
        variable: String,
    },
    /// The config and the user's environment disagree.
    #[error(
        "promptls.toml sets the URL of the store `{store}` to {url}, but the environment variable {variable} is {host}; set both to the same URL"
    )]
    TwoHosts {
        store: String,
        /// The URL in the config.
        url: String,
        /// The variable with another URL.
        variable: String,
        /// The URL in that variable.
        host: String,
    },
    /// A version or a label for a store without these.
    #[error("the store `{0}` is a folder, which has no versions and labels")]
    NoVersions(String),
    /// A version or a label for a file.
    #[error("{0} is a file; only prompts of a store have versions and labels")]
    NotInStore(String),
    /// All prompts, for an operation on one prompt.
    #[error("name a prompt: `{0}:ID`; `promptls store list {0}` shows them")]
    NeedsId(String),
    /// A text that cannot be converted into messages.
    #[error(
        "`{0}` is a chat prompt, whose messages cannot be separated in a file; change it in the store"
    )]
    Chat(String),
    /// The store has changed since the last pull.
    #[error("{0}; --force pushes anyway")]
    MovedOn(String),
    /// A file has local changes.
    #[error("{0} has changes that the store does not have; --force overwrites them")]
    LocalChanges(String),
    /// An id that is not a valid file name.
    #[error("{0:?} is not a valid file name; choose one with --file")]
    NoFileName(String),
    /// A lock or a config with a path in a folder of version control.
    #[error("{0} is in a folder of version control, where no prompt is read or written")]
    VersionControl(String),
    /// The lock cannot be read.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// No prompt was pulled from the store, so there is nothing to compare.
    #[error(
        "nothing was pulled from `{0}`, so there is nothing to compare; run `promptls store pull` first"
    )]
    NothingPulled(String),
    /// A prompt in a store cannot be followed.
    #[error("a prompt in a store cannot be followed; pull it, and name its file")]
    NotFollowed,
    /// The async runtime cannot be started.
    #[error("cannot start: {0}")]
    Runtime(io::Error),
}
