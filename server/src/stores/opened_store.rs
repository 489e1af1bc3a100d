//! A store that is ready for requests.

use std::future::Future;
use std::io;
use std::path::{Component, Path, PathBuf};

use promptls_analysis::did_you_mean;
use promptls_stores::{
    FilesystemStore, Filters, LangfuseStore, PromptProvider, PromptStore, StoreEntry, StoreError,
    Stored, Trouble,
};
use promptls_workspace::{
    Config, Configs, Disk, Files, Lock, Project, Pulled, StoreConfig, StoreKind,
};

use promptls_writer::{Writer, is_hidden, is_version_control};

use super::address::Address;
use super::failure::StoreFailure;
use super::host;
use crate::args::store::WhichArgs;
use crate::errors::CommandError;
use crate::output::unread::require_config;
use crate::output::write;
use crate::paths::Paths;

/// The operations of every store.
trait Prompts: PromptProvider + PromptStore {}

impl<T: PromptProvider + PromptStore> Prompts for T {}

/// A store with its lock.
pub struct OpenedStore {
    pub name: String,
    pub config: StoreConfig,
    /// The record of pulled prompts.
    pub lock: Lock,
    /// Writes the files of prompts, and the lock.
    pub writer: Writer,
    prompts: Box<dyn Prompts>,
}

impl OpenedStore {
    /// Opens a store that applies in the current folder. Sends no request.
    pub fn open(name: &str, files: &dyn Files, configs: &Configs) -> Result<Self, CommandError> {
        let config = configs.nearest(files, Paths::new()?.current());
        if let Some(config) = &config {
            require_config(config, Project::without_program(files, configs))?;
        }
        let config = config.as_deref().filter(|config| !config.stores.is_empty());
        let config = config.ok_or(StoreFailure::NoStores)?;
        let store = config.stores.get(name).ok_or_else(|| unknown(name, config))?.clone();
        let within = |folder: &Path| {
            let checked = configs.reach().check(files, store.home(), folder);
            checked.map_err(|error| StoreFailure::Outside {
                store: name.to_owned(),
                reason: error.reason(),
            })
        };
        within(&store.prompts)?;
        let prompts: Box<dyn Prompts> = match &store.kind {
            StoreKind::Filesystem { folder } => {
                within(folder)?;
                Box::new(FilesystemStore::new(folder).in_dialect(store.dialect))
            }
            StoreKind::Hosted { url, host_env, public_key_env, secret_key_env } => {
                let host = host::host(name, url.as_deref(), host_env, host::read(host_env))?;
                let keys = host::keys(name, public_key_env, secret_key_env)?;
                let built = LangfuseStore::builder(keys).base_url(host).dialect(store.dialect);
                let failed = |error| StoreFailure::Failed {
                    store: name.to_owned(),
                    error,
                    hint: String::new(),
                };
                Box::new(built.build().map_err(failed)?)
            }
        };
        let lock = Lock::read(files, configs, store.home()).map_err(StoreFailure::Lock)?;
        let writer = write::writer(false);
        Ok(OpenedStore { name: name.to_owned(), config: store, lock, writer, prompts })
    }

    /// Opens the store of an address on the command line.
    pub fn of(address: &Address) -> Result<OpenedStore, CommandError> {
        OpenedStore::open(&address.store, &Disk, &Configs::default())
    }

    /// Whether the store has versions and labels.
    pub fn keeps_versions(&self) -> bool {
        matches!(self.config.kind, StoreKind::Hosted { .. })
    }

    /// The filters for version and label options. Fails if the store has none of these.
    pub fn filters(&self, which: &WhichArgs) -> Result<Filters, StoreFailure> {
        let filters = which.filters();
        if filters != Filters::default() && !self.keeps_versions() {
            return Err(StoreFailure::NoVersions(self.name.clone()));
        }
        Ok(filters)
    }

    /// Requests a prompt; if it is missing, the error suggests existing ones.
    pub async fn find(&self, id: &str, filters: &Filters) -> Result<Stored, StoreFailure> {
        match self.prompts.find(id, filters).await {
            Ok(stored) => Ok(stored),
            Err(error) => {
                let hint = self.hint(id, filters, &error).await;
                Err(self.failure(Some(id), error, hint))
            }
        }
    }

    /// Requests the newest version of a prompt; `None` if there is no such prompt.
    pub async fn newest(&self, id: &str) -> Result<Option<Stored>, StoreFailure> {
        // A store without versions has only one text for each prompt.
        match self.prompts.find(id, &Filters::label("latest")).await {
            Ok(stored) => Ok(Some(stored)),
            Err(error) if error.trouble() == Trouble::NotFound => Ok(None),
            Err(error) => Err(self.failure(Some(id), error, String::new())),
        }
    }

    /// Requests the list of all prompts.
    pub async fn list(&self) -> Result<Vec<StoreEntry>, StoreFailure> {
        self.prompts.list().await.map_err(|error| self.failure(None, error, String::new()))
    }

    /// Saves a prompt, and returns the number of the new version.
    pub async fn save(
        &self,
        id: &str,
        prompt: &promptls_stores::Prompt,
        revision: &promptls_stores::Revision,
    ) -> Result<Option<u32>, StoreFailure> {
        let saved = self.prompts.save_as(id, prompt, revision).await;
        saved.map_err(|error| self.failure(Some(id), error, String::new()))
    }

    /// Deletes a prompt, or a version of it.
    pub async fn delete(&self, id: &str, filters: &Filters) -> Result<(), StoreFailure> {
        match self.prompts.delete_with(id, filters).await {
            Ok(()) => Ok(()),
            Err(error) => {
                let hint = self.hint(id, filters, &error).await;
                Err(self.failure(Some(id), error, hint))
            }
        }
    }

    fn failure(&self, id: Option<&str>, error: StoreError, hint: String) -> StoreFailure {
        let store = match id {
            Some(id) => format!("{}:{id}", self.name),
            None => self.name.clone(),
        };
        StoreFailure::Failed { store, error, hint }
    }

    /// Suggests an existing prompt, label or version after a failed request.
    async fn hint(&self, id: &str, filters: &Filters, error: &StoreError) -> String {
        if error.trouble() != Trouble::NotFound {
            return String::new();
        }
        let listed = self.prompts.list().await.unwrap_or_default();
        let Some(known) = listed.iter().find(|listed| listed.id == id) else {
            return did_you_mean(id, listed.iter().map(|listed| &*listed.id));
        };
        match (&filters.label, filters.version) {
            (_, Some(version)) => {
                let versions: Vec<String> = known.versions.iter().map(u32::to_string).collect();
                format!("; it has no version {version}, only {}", versions.join(", "))
            }
            (label, None) => {
                let label = label.as_deref().unwrap_or("production");
                let meant = did_you_mean(label, known.labels.iter().map(String::as_str));
                let labels = known.labels.join(", ");
                format!("; no version of it has the label `{label}`, only {labels}{meant}")
            }
        }
    }

    /// The actual or future path of a prompt's file.
    pub fn path_of(&self, id: &str, output: Option<&Path>) -> Result<PathBuf, CommandError> {
        if let Some(output) = output {
            return Ok(Paths::new()?.absolute(output));
        }
        let path = match self.lock.find(&self.name, id) {
            Some(pulled) => self.lock.path_of(pulled),
            None => {
                let is_plain = |part: &str| {
                    let mut parts = Path::new(part).components();
                    matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
                        && !is_hidden(part.as_ref())
                        && !part.contains(|c: char| c.is_control() || "\\:*?\"<>|".contains(c))
                };
                if !id.split('/').all(is_plain) {
                    return Err(StoreFailure::NoFileName(id.to_owned()).into());
                }
                let dialect = self.config.dialect.spec().id;
                self.config.prompts.join(format!("{id}.{dialect}.prompt"))
            }
        };
        // A lock may come from an untrusted source, like a config or a link. A file that does not
        // exist yet is located by its folder.
        let configs = Configs::default();
        let there = path.ancestors().find(|folder| Disk.is_there(folder));
        for path in [Some(&*path), there].into_iter().flatten() {
            configs.reach().check(&Disk, self.config.home(), path)?;
        }
        let root = configs.reach().root(&Disk, self.config.home());
        if path.strip_prefix(&root.0).unwrap_or(&path).iter().any(is_version_control) {
            return Err(StoreFailure::VersionControl(Paths::new()?.shown(&path)).into());
        }
        Ok(path)
    }

    /// Fails if the lock cannot be written, so that nothing else is written or sent before.
    pub fn check_lock(&self) -> Result<(), CommandError> {
        let opened = self.writer.open(self.lock.path());
        opened.map(drop).map_err(write::failed(self.lock.path().display()))
    }

    /// Records the text of a pulled or pushed prompt in the lock.
    pub fn note(
        &mut self,
        path: &Path,
        id: &str,
        version: Option<u32>,
        newest: Option<u32>,
        text: &str,
    ) -> Result<(), CommandError> {
        let pulled = Pulled::new(&self.name, id, version, newest, text);
        self.lock.note(path, pulled);
        self.write_lock()
    }

    /// Removes a deleted prompt from the lock.
    pub fn forget(&mut self, id: &str) -> Result<(), CommandError> {
        if self.lock.forget(&self.name, id) { self.write_lock() } else { Ok(()) }
    }

    fn write_lock(&mut self) -> Result<(), CommandError> {
        let text = self.lock.text().map_err(io::Error::other)?;
        let written = match self.lock.on_disk() {
            Some(before) => {
                self.writer.replace(self.lock.path(), before.as_bytes(), text.as_bytes())
            }
            None => self.writer.create(self.lock.path(), text.as_bytes()),
        };
        written.map_err(write::failed(self.lock.path().display()))?;
        self.lock.saved(text);
        Ok(())
    }
}

fn unknown(name: &str, config: &Config) -> StoreFailure {
    let known: Vec<&str> = config.stores.keys().map(String::as_str).collect();
    let hint = did_you_mean(name, known.iter().copied());
    StoreFailure::Unknown { name: name.to_owned(), hint, known: known.join(", ") }
}

/// Runs a request on this thread and waits for it.
pub fn block_on<T>(work: impl Future<Output = Result<T, CommandError>>) -> Result<T, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(StoreFailure::Runtime)?.block_on(work)
}
