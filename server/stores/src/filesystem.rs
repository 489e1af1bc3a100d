//! A folder of prompts, one per file.
//!
//! An id is the path of a file in the folder, with its extension and with `/` as separator. Neither
//! `..` nor a link leads out of the folder, and no component of an id is hidden, as `.git` is.
//! There are no versions: filters always yield the file.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use ignore::WalkBuilder;
use promptls_resolver::{Dialect, Prompt};
use promptls_writer::{WriteError, Writer, is_hidden, is_version_control};

use crate::error::{StoreError, Trouble};
use crate::provider::{
    Filters, MAX_BYTES, PromptProvider, PromptStore, Revision, StoreEntry, Stored,
};

/// A folder of prompts.
///
/// Clones refer to the same folder.
#[derive(Clone, Debug)]
pub struct FilesystemStore {
    folder: Arc<Path>,
    dialect: Dialect,
}

impl FilesystemStore {
    /// The prompts in a folder, in Agentle's dialect. The folder may not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> FilesystemStore {
        let mut folder = folder.into();
        // An empty path means the current folder, which system calls accept only by its name.
        if folder.as_os_str().is_empty() {
            folder.push(".");
        }
        FilesystemStore { folder: folder.into(), dialect: Prompt::empty().dialect() }
    }

    /// The same store with prompts in another dialect.
    pub fn in_dialect(self, dialect: Dialect) -> FilesystemStore {
        FilesystemStore { dialect, ..self }
    }

    /// The path for an id, without access to the disk.
    fn path(&self, id: &str) -> Result<PathBuf, StoreError> {
        let path = Path::new(id);
        let is_plain = |part| matches!(part, Component::Normal(name) if !is_hidden(name));
        // Ids that the system would normalize are rejected as well: `a//b`, `a/.`.
        let is_exact = id.split('/').eq(path.iter().map(OsStr::to_string_lossy));
        let has_odd = id.contains(['\0', '\\']);
        if id.is_empty() || has_odd || !is_exact || !path.components().all(is_plain) {
            let why = "an id is a path in the folder, as in `letters/welcome.txt`";
            return Err(
                StoreError::new(Trouble::NotFound, format!("invalid id {id:?}: {why}")).of(id)
            );
        }
        Ok(self.folder.join(path))
    }

    /// Fails if links lead out of the folder, or into version control.
    fn check_inside(&self, id: &str, real: &Path) -> Result<(), StoreError> {
        let folder = self.folder.canonicalize().map_err(|error| io_error(id, "find", error))?;
        match real.strip_prefix(&folder) {
            Ok(inside) if !inside.iter().any(is_version_control) => Ok(()),
            _ => Err(leads_out(id)),
        }
    }

    fn read(&self, id: &str) -> Result<String, StoreError> {
        let path = self.path(id)?;
        let real = path.canonicalize().map_err(|error| io_error(id, "read", error))?;
        self.check_inside(id, &real)?;
        // Reading a pipe would block.
        if !real.metadata().map_err(|error| io_error(id, "read", error))?.is_file() {
            return Err(StoreError::new(Trouble::NotFound, format!("`{id}` is not a file")).of(id));
        }
        let mut bytes = Vec::new();
        let file = fs::File::open(&real).map_err(|error| io_error(id, "read", error))?;
        let limit = MAX_BYTES as u64 + 1;
        file.take(limit).read_to_end(&mut bytes).map_err(|error| io_error(id, "read", error))?;
        if bytes.len() > MAX_BYTES {
            return Err(too_large(id));
        }
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            StoreError::lasting(format!("`{id}` is not UTF-8: see byte {at}"))
                .because(error.utf8_error())
                .of(id)
        })
    }

    fn list_files(&self) -> Result<Vec<StoreEntry>, StoreError> {
        let unread = |error: ignore::Error| {
            StoreError::lasting(format!("cannot list the prompts: {error}")).because(error)
        };
        let mut walk = WalkBuilder::new(&*self.folder);
        // Files that git ignores are prompts as well; files that are being written are hidden.
        walk.standard_filters(false).hidden(true).follow_links(true);
        let mut found = Vec::new();
        for entry in walk.build() {
            let entry = match entry {
                Ok(entry) => entry,
                // A cyclic or dangling link hides no prompt.
                Err(error) if is_about_link(&error) => continue,
                Err(error) => return Err(unread(error)),
            };
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let relative = entry.path().strip_prefix(&self.folder).unwrap_or(entry.path());
            let parts = relative.iter().map(OsStr::to_str).collect::<Option<Vec<_>>>();
            let Some(id) = parts.filter(|_| is_file).map(|parts| parts.join("/")) else { continue };
            let is_inside = |real: PathBuf| self.check_inside(&id, &real).is_ok();
            if entry.path().canonicalize().is_ok_and(is_inside) {
                found.push(StoreEntry { id, ..StoreEntry::default() });
            }
        }
        found.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(found)
    }

    fn write(&self, id: &str, text: &str) -> Result<(), StoreError> {
        if text.len() > MAX_BYTES {
            return Err(too_large(id));
        }
        let path = self.path(id)?;
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(StoreError::new(Trouble::NotFound, format!("`{id}` is not a file")).of(id));
        }
        let writer = Writer::within(&self.folder).making_folders();
        writer.put(&path, text.as_bytes()).map_err(|error| not_written(id, "write", error))
    }

    fn remove(&self, id: &str) -> Result<(), StoreError> {
        let removed = Writer::within(&self.folder).remove(&self.path(id)?);
        removed.map_err(|error| not_written(id, "delete", error))
    }

    /// Runs a blocking disk operation on a thread where it delays no other task.
    async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(FilesystemStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = self.clone();
        let done = tokio::task::spawn_blocking(move || work(store)).await;
        done.unwrap_or_else(|error| Err(StoreError::lasting(error.to_string()).because(error)))
    }
}

#[async_trait]
impl PromptProvider for FilesystemStore {
    async fn find(&self, id: &str, _: &Filters) -> Result<Stored, StoreError> {
        let id = id.to_owned();
        let text = self.on_disk(move |store| store.read(&id)).await?;
        let prompt = Prompt::in_dialect(self.dialect, text);
        Ok(Stored { prompt, version: None, labels: Vec::new(), is_chat: false })
    }

    async fn list(&self) -> Result<Vec<StoreEntry>, StoreError> {
        self.on_disk(|store| store.list_files()).await
    }
}

#[async_trait]
impl PromptStore for FilesystemStore {
    async fn save_as(
        &self,
        id: &str,
        prompt: &Prompt,
        _: &Revision,
    ) -> Result<Option<u32>, StoreError> {
        let (id, prompt) = (id.to_owned(), prompt.clone());
        self.on_disk(move |store| store.write(&id, prompt.content())).await?;
        Ok(None)
    }

    async fn delete_with(&self, id: &str, _: &Filters) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.on_disk(move |store| store.remove(&id)).await
    }
}

fn not_written(id: &str, doing: &str, error: WriteError) -> StoreError {
    match error {
        WriteError::Io(error) => io_error(id, doing, error),
        WriteError::NoFolder => io_error(id, doing, io::ErrorKind::NotFound.into()),
        WriteError::LeadsOut { .. } => leads_out(id),
        error => StoreError::lasting(format!("cannot {doing} `{id}`: {error}")).of(id),
    }
}

fn leads_out(id: &str) -> StoreError {
    StoreError::lasting(format!("`{id}` is a link that leads out of the folder")).of(id)
}

fn io_error(id: &str, doing: &str, error: io::Error) -> StoreError {
    let failed = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            StoreError::new(Trouble::NotFound, format!("there is no prompt `{id}`"))
        }
        io::ErrorKind::InvalidFilename => {
            StoreError::new(Trouble::NotFound, "the id is too long for a file name")
        }
        _ => StoreError::lasting(format!("cannot {doing} `{id}`: {error}")),
    };
    failed.because(error).of(id)
}

fn too_large(id: &str) -> StoreError {
    StoreError::lasting(format!("`{id}` has more than {} MiB", MAX_BYTES >> 20)).of(id)
}

fn is_about_link(error: &ignore::Error) -> bool {
    match error {
        ignore::Error::Loop { .. } => true,
        ignore::Error::WithPath { path, err } => {
            path.is_symlink() && err.io_error().is_some() || is_about_link(err)
        }
        ignore::Error::WithDepth { err, .. } => is_about_link(err),
        _ => false,
    }
}
