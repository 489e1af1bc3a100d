//! A newcomer finds a file by its name, in a folder that can be read from end to end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::source::crates;

/// The most files and folders in a folder of sources; `server/resolver/src` has them.
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
    // If this ends up with nothing, it does not look in the right places.
    assert!(entries[Path::new("server/resolver/src")].len() > MOST / 2);
}
