//! `promptls.lock`: what was pulled, beside the config that names the stores.
//!
//! It belongs into version control: by it `push` knows that somebody else was faster.

use std::path::{Path, PathBuf};

use pathdiff::diff_paths;
use promptls_workspace::{Configs, Disk, Files, absolute};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::failure::StoreFailure;
use crate::errors::CommandError;
use crate::output::write;

/// The name of the file.
const LOCK_NAME: &str = "promptls.lock";

const HEAD: &str =
    "# What `promptls store` has pulled and pushed. It belongs into version control.\n\n";

/// What was pulled.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
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

impl Lock {
    /// The lock in a folder; an empty one if there is none.
    pub fn read(folder: &Path) -> Result<Lock, CommandError> {
        let path = folder.join(LOCK_NAME);
        if Disk.is_link(&path) {
            Configs::default().reach().check(&Disk, folder, &path)?;
        }
        let entries = match Disk.is_there(&path) {
            false => Entries::default(),
            true => toml::from_str(&Disk.read(&path)?).map_err(|error| StoreFailure::Lock {
                path: path.display().to_string(),
                reason: error.to_string().trim_end().to_owned(),
            })?,
        };
        Ok(Lock { path, entries })
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

    /// Notes what a file has from a store, and writes that down.
    pub fn note(&mut self, path: &Path, mut pulled: Pulled) -> Result<(), CommandError> {
        let file = diff_paths(path, self.folder()).unwrap_or_else(|| path.to_owned());
        let parts: Vec<_> = file.iter().map(|part| part.to_string_lossy()).collect();
        pulled.file = parts.join("/");
        self.entries.prompts.retain(|it| (&it.store, &it.id) != (&pulled.store, &pulled.id));
        self.entries.prompts.push(pulled);
        self.write()
    }

    /// Forgets a prompt, if it is there.
    pub fn forget(&mut self, store: &str, id: &str) -> Result<(), CommandError> {
        let count = self.entries.prompts.len();
        self.entries.prompts.retain(|it| (&*it.store, &*it.id) != (store, id));
        if self.entries.prompts.len() == count { Ok(()) } else { self.write() }
    }

    fn write(&mut self) -> Result<(), CommandError> {
        // In one order, so that changes of two people seldom touch.
        self.entries.prompts.sort_by(|a, b| (&a.store, &a.id).cmp(&(&b.store, &b.id)));
        let failed =
            |source| CommandError::NotWritten { path: self.path.display().to_string(), source };
        let text = toml::to_string(&self.entries)
            .map_err(|error| failed(std::io::Error::other(error.to_string())))?;
        write::put(&self.path, &format!("{HEAD}{text}")).map_err(failed)
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
