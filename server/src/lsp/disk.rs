//! Noticing changes on disk for editors that do not tell.
//!
//! Neovim on Linux, for one, does not watch files for its servers. So once a
//! second the files that belong to open documents are looked at: which are there,
//! how long they are, and when they were written.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::documents::Documents;
use super::publisher::Publisher;
use crate::workspace::{CONFIG_NAME, PromptFile, is_inputs_file, is_variables_file, list_on_disk};

/// How often the disk is looked at. Seldom enough to cost nothing, often enough that nobody
/// goes looking for a restart.
const INTERVAL: Duration = Duration::from_secs(1);

/// Looks at the disk for as long as the server lives.
pub async fn watch(documents: Arc<Documents>, publisher: Arc<Publisher>) {
    loop {
        tokio::time::sleep(INTERVAL).await;
        publisher.mark(documents.changed_on_disk());
    }
}

/// What the files of a prompt look like from outside, or those that may make a prompt of a
/// document. It differs when one of them changed, appeared or went.
///
/// Cost: one listing of the prompt's folder, and a look at each of its files.
pub fn fingerprint(path: &Path, file: Option<&PromptFile>) -> u64 {
    let mut hasher = DefaultHasher::new();
    let folder = path.parent().unwrap_or(Path::new("/"));
    for name in file.map(|_| list_on_disk(folder)).unwrap_or_default() {
        if is_inputs_file(&name) || is_variables_file(&name) {
            name.hash(&mut hasher);
        }
    }
    let configs = folder.ancestors().map(|folder| folder.join(CONFIG_NAME));
    let files = file.map(|file| file.all_files().filter(|own| *own != path));
    for file in configs.chain(files.into_iter().flatten().cloned()) {
        let metadata = std::fs::metadata(&file).ok();
        let seen = metadata.map(|metadata| (metadata.len(), metadata.modified().ok()));
        seen.hash(&mut hasher);
    }
    hasher.finish()
}
