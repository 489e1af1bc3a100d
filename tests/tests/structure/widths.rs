//! Folders are small enough to be read completely, so that a new reader finds a file by its name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::source::crates;

/// The maximum number of files and folders in a source folder; `server/resolver/src` reaches it.
const MOST: usize = 36;

#[test]
fn no_folder_is_too_wide() {
    let mut entries: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
    let sources = crates();
    for module in sources.iter().flat_map(|sources| sources.modules()) {
        let path = Path::new(&module.file);
        for (entry, folder) in path.ancestors().zip(path.ancestors().skip(1)) {
            entries.entry(folder).or_default().insert(entry);
        }
    }
    let wide: Vec<(&Path, usize)> = entries
        .iter()
        .map(|(folder, entries)| (*folder, entries.len()))
        .filter(|(_, width)| *width > MOST)
        .collect();
    assert!(wide.is_empty(), "more than {MOST} files and folders: {wide:?}");
    // An empty result would mean that the wrong files were searched.
    assert!(entries[Path::new("server/resolver/src")].len() > MOST / 2);
}
