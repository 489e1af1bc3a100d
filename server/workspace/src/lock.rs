//! `promptls.lock`: what was pulled from stores, beside the config that names them.
//!
//! It belongs into version control: by it `push` knows that somebody else was faster, and an editor
//! that a prompt is no longer what was pulled. Whoever writes it, writes what [`Lock::text`] says.

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
    "# What `promptls store` has pulled and pushed. It belongs into version control.\n\n";

/// What was pulled.
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

/// A prompt that was pulled, or pushed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pulled {
    /// Where it is, relative to the lock, with `/`.
    file: String,
    /// The store it is from.
    pub store: String,
    /// What it is called there.
    pub id: String,
    /// The version that it was, where versions are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The newest version that there was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newest: Option<u32>,
    /// The [`hash`] of its text in the store.
    pub hash: String,
}

/// What tells texts apart.
pub fn hash(text: &str) -> String {
    Sha256::digest(text).iter().fold("sha256:".to_owned(), |mut hash, byte| {
        hash.push_str(&format!("{byte:02x}"));
        hash
    })
}

/// Why a lock cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is none.
    #[error("{path} cannot be used: {reason}")]
    Invalid {
        /// Where it is.
        path: String,
        /// Why not.
        reason: String,
    },
}

impl Lock {
    /// The lock in a folder; an empty one if there is none.
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

    /// Where it is, or will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text of its file when it was read; `None` if there was no file.
    pub fn on_disk(&self) -> Option<&str> {
        self.on_disk.as_deref()
    }

    /// Notes that its file has this text by now.
    pub fn saved(&mut self, text: String) {
        self.on_disk = Some(text.into());
    }

    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// What was pulled from a store.
    pub fn of_store(&self, store: &str) -> impl Iterator<Item = &Pulled> {
        self.entries.prompts.iter().filter(move |pulled| pulled.store == store)
    }

    /// What is known of a prompt.
    pub fn find(&self, store: &str, id: &str) -> Option<&Pulled> {
        self.of_store(store).find(|pulled| pulled.id == id)
    }

    /// Where a prompt is.
    pub fn path_of(&self, pulled: &Pulled) -> PathBuf {
        absolute(self.folder(), Path::new(&pulled.file))
    }

    /// What a file has from a store, as long as a config names that store.
    pub fn of_file(&self, path: &Path, config: &Config) -> Option<&Pulled> {
        let is_it = |pulled: &&Pulled| {
            config.stores.contains_key(&pulled.store) && self.path_of(pulled) == path
        };
        self.entries.prompts.iter().find(is_it)
    }

    /// Notes what a file has from a store.
    pub fn note(&mut self, path: &Path, mut pulled: Pulled) {
        let file = diff_paths(path, self.folder()).unwrap_or_else(|| path.to_owned());
        let parts: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
        pulled.file = parts.join("/");
        self.forget(&pulled.store, &pulled.id);
        self.entries.prompts.push(pulled);
    }

    /// Forgets a prompt; `false` if it is not there.
    pub fn forget(&mut self, store: &str, id: &str) -> bool {
        let count = self.entries.prompts.len();
        self.entries.prompts.retain(|it| (&*it.store, &*it.id) != (store, id));
        self.entries.prompts.len() < count
    }

    /// What its file says.
    pub fn text(&mut self) -> Result<String, toml::ser::Error> {
        // In one order, so that changes of two people seldom touch.
        self.entries.prompts.sort_by(|a, b| (&a.store, &a.id).cmp(&(&b.store, &b.id)));
        Ok(format!("{HEAD}{}", toml::to_string(&self.entries)?))
    }
}

impl Pulled {
    /// What is noted of a prompt; where it is, [`Lock::note`] says.
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
