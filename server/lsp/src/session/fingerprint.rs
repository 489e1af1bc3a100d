//! Fingerprints of files by their metadata, to detect changes without reading the files.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;

use promptls_workspace::{
    CONFIG_NAME, Disk, PromptFile, folder_of, is_inputs_file, is_variables_file, sidecar_home,
};

use super::listings::ListingHashes;

/// Returns a hash of the metadata of the files that affect a document. These are the files of a
/// prompt, those that may make the document a prompt, or possible owners of a sidecar. The hash
/// differs if one of them changed, appeared or disappeared. A document that is not open is itself
/// one of these files.
///
/// Cost: a listing of the prompt's folder, supplied by the caller, and the metadata of each of its
/// files.
pub fn fingerprint(
    path: &Path,
    file: Option<&PromptFile>,
    is_open: bool,
    look: impl FnOnce(&Path) -> ListingHashes,
) -> u64 {
    let mut hasher = DefaultHasher::new();
    if !path.is_absolute() {
        // A document without an absolute path is not on disk.
        return hasher.finish();
    }
    let folder = folder_of(path);
    let is_sidecar = |name: &str| is_inputs_file(name) || is_variables_file(name);
    let is_one = path.file_name().and_then(|name| name.to_str()).is_some_and(is_sidecar);
    if file.is_some() || is_one {
        let ListingHashes { all, sidecars } = look(sidecar_home(path).parent().unwrap_or(folder));
        let looked_at = if is_one { all } else { sidecars };
        looked_at.hash(&mut hasher);
    }
    let configs = folder.ancestors().map(|folder| folder.join(CONFIG_NAME));
    let files = file.map(|file| file.all_files().filter(|own| !is_open || *own != path));
    for file in configs.chain(files.into_iter().flatten().cloned()) {
        Disk.stamp(&file).ok().hash(&mut hasher);
    }
    hasher.finish()
}
