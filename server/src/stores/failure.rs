//! Why nothing comes of a store.

use std::io;

use promptls_stores::StoreError;
use promptls_workspace::LockError;

/// Why nothing comes of a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreFailure {
    /// The store says so.
    #[error("{store}: {error}{hint}")]
    Said {
        /// What was asked, as the user wrote it.
        store: String,
        /// What it said.
        error: StoreError,
        /// What may have been meant.
        hint: String,
    },
    /// No config has any stores.
    #[error("promptls.toml has no stores; add one, as in:\n\n[stores.prod]\nkind = \"langfuse\"")]
    NoStores,
    /// There are stores, but none of this name.
    #[error("there is no store `{name}` in promptls.toml, only {known}{hint}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        hint: String,
        /// The stores there are.
        known: String,
    },
    /// A config names a folder that it may not.
    #[error("the folder of the store `{store}` {reason}")]
    Outside {
        /// The store.
        store: String,
        /// Why not.
        reason: String,
    },
    /// A key is in no variable.
    #[error("the store `{store}` needs a key: set the variable {variable}")]
    NoKey {
        /// The store.
        store: String,
        /// Where it would be.
        variable: String,
    },
    /// Only a config says where keys would go.
    #[error(
        "promptls.toml says that the store `{store}` is at {url}; keys are sent there only if you say so, too: set the variable {variable} to it"
    )]
    OnlyInConfig {
        /// The store.
        store: String,
        /// Where it would be.
        url: String,
        /// Where a person says that.
        variable: String,
    },
    /// A config and a person say two things.
    #[error(
        "promptls.toml says that the store `{store}` is at {url}, and the variable {variable} says {host}; they must agree"
    )]
    TwoHosts {
        /// The store.
        store: String,
        /// Where it is by the config.
        url: String,
        /// Where a person says something else.
        variable: String,
        /// What that is.
        host: String,
    },
    /// A version or a label of what has none.
    #[error("the store `{0}` is a folder, which keeps no versions and labels")]
    NoVersions(String),
    /// A version or a label of a file.
    #[error("{0} is a file; only prompts of a store have versions and labels")]
    NotInStore(String),
    /// All prompts are meant, and this can be done with one.
    #[error("name a prompt: `{0}:ID`; `promptls store list {0}` shows them")]
    NeedsId(String),
    /// Messages cannot be made of a text.
    #[error(
        "`{0}` is a chat prompt, and nothing says where its messages begin in a file; change it in the store"
    )]
    Chat(String),
    /// The store has changed.
    #[error("{0}; --force pushes all the same")]
    MovedOn(String),
    /// A file has changed.
    #[error("{0} has changes that the store does not have; --force overwrites them")]
    LocalChanges(String),
    /// An id that cannot be the name of a file.
    #[error("no file can be called as the prompt {0:?}; name one with --file")]
    NoFileName(String),
    /// A lock or a config names a file of version control.
    #[error("{0} is in a folder of version control, where no prompt is read or written")]
    VersionControl(String),
    /// The lock cannot be read.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// Nothing is known of the store here.
    #[error(
        "nothing was pulled from `{0}`, so there is nothing to compare; see promptls store pull"
    )]
    NothingPulled(String),
    /// A prompt that is not in a file is to be followed.
    #[error("a prompt in a store cannot be followed; pull it, and name its file")]
    NotFollowed,
    /// The system gives nothing to wait with.
    #[error("cannot begin: {0}")]
    Runtime(io::Error),
}
