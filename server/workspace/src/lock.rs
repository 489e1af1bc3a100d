//! `promptls.lock`: the prompts that were pulled from stores, beside the config that names the
//! stores.
//!
//! It belongs into version control. With it `push` detects concurrent changes, and an editor
//! detects that a prompt differs from what was pulled. Programs that write it write the text of
//! [`Lock::text`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pathdiff::diff_paths;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::config::Config;
use super::configs::Configs;
use super::files::Files;
use super::files::paths::absolute;
use super::read_error::ReadError;

/// The name of the file.
pub const LOCK_NAME: &str = "promptls.lock";

const HEAD: &str =
    "# Prompts that `promptls store` pulled or pushed. Commit this file to version control.\n\n";

/// The pulled prompts of a folder.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    on_disk: Option<Arc<str>>,
    entries: Entries,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    prompts: Vec<Pulled>,
}

/// A prompt that was pulled or pushed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pulled {
    /// Its path relative to the lock, with `/`.
    file: String,
    /// The store it is from.
    pub store: String,
    /// Its id in the store.
    pub id: String,
    /// Its version; `None` if the store keeps none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The newest version at that time; `None` if the store keeps none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest: Option<u32>,
    /// The [`hash`] of its text in the store.
    pub hash: String,
}

/// A hash that distinguishes texts.
pub fn hash(text: &str) -> String {
    Sha256::digest(text).iter().fold("sha256:".to_owned(), |mut hash, byte| {
        hash.push_str(&format!("{byte:02x}"));
        hash
    })
}

/// The reason why a lock cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file is not a valid lock.
    #[error("{path} cannot be used: {reason}")]
    Invalid {
        /// The path of the file.
        path: String,
        /// The parse error of TOML, with its line and column.
        reason: String,
    },
}

impl Lock {
    /// The lock in a folder; an empty one if there is no file.
    pub fn read(files: &dyn Files, configs: &Configs, folder: &Path) -> Result<Lock, LockError> {
        let path = folder.join(LOCK_NAME);
        if files.is_link(&path) {
            configs.reach().check(files, folder, &path)?;
        }
        let on_disk = files.is_there(&path).then(|| files.read(&path)).transpose()?;
        let entries = toml::from_str(on_disk.as_deref().unwrap_or_default());
        let entries = entries.map_err(|error| LockError::Invalid {
            path: path.display().to_string(),
            reason: error.to_string().trim_end().to_owned(),
        })?;
        Ok(Lock { path, on_disk, entries })
    }

    /// The path of the lock, even if it does not exist yet.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text of its file when it was read; `None` if there was no file.
    pub fn on_disk(&self) -> Option<&str> {
        self.on_disk.as_deref()
    }

    /// Records that its file now has this text.
    pub fn saved(&mut self, text: String) {
        self.on_disk = Some(text.into());
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// The prompts that were pulled from a store.
    pub fn of_store(&self, store: &str) -> impl Iterator<Item = &Pulled> {
        self.entries.prompts.iter().filter(move |pulled| pulled.store == store)
    }

    /// The entry of a prompt; `None` if it was never pulled.
    pub fn find(&self, store: &str, id: &str) -> Option<&Pulled> {
        self.of_store(store).find(|pulled| pulled.id == id)
    }

    /// The path of a prompt.
    pub fn path_of(&self, pulled: &Pulled) -> PathBuf {
        absolute(self.folder(), Path::new(&pulled.file))
    }

    /// The entry of a file, if a config still names its store.
    pub fn of_file(&self, path: &Path, config: &Config) -> Option<&Pulled> {
        let is_it = |pulled: &&Pulled| {
            config.stores.contains_key(&pulled.store) && self.path_of(pulled) == path
        };
        self.entries.prompts.iter().find(is_it)
    }

    /// Adds or replaces the entry of a prompt, with the path of its file.
    pub fn note(&mut self, path: &Path, mut pulled: Pulled) {
        let file = diff_paths(path, self.folder()).unwrap_or_else(|| path.to_owned());
        let parts: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
        pulled.file = parts.join("/");
        self.forget(&pulled.store, &pulled.id);
        self.entries.prompts.push(pulled);
    }

    /// Removes a prompt; `false` if it has no entry.
    pub fn forget(&mut self, store: &str, id: &str) -> bool {
        let count = self.entries.prompts.len();
        self.entries.prompts.retain(|it| (&*it.store, &*it.id) != (store, id));
        self.entries.prompts.len() < count
    }

    /// The text of its file, with sorted entries.
    pub fn text(&mut self) -> Result<String, toml::ser::Error> {
        // A fixed order avoids most merge conflicts.
        self.entries.prompts.sort_by(|a, b| (&a.store, &a.id).cmp(&(&b.store, &b.id)));
        Ok(format!("{HEAD}{}", toml::to_string(&self.entries)?))
    }
}

impl Pulled {
    /// Creates an entry without a path; [`Lock::note`] sets it.
    pub fn new(
        store: &str,
        id: &str,
        version: Option<u32>,
        newest: Option<u32>,
        text: &str,
    ) -> Self {
        Pulled {
            file: String::new(),
            store: store.to_owned(),
            id: id.to_owned(),
            version,
            newest,
            hash: hash(text),
        }
    }
}
