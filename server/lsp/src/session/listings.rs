//! Cached listings of folders. An editor may open thousands of documents of one folder, and each
//! needs the names of the files beside it.
//!
//! The modification time of a folder shows whether a file was added or removed. The clocks of file
//! systems are coarse, so only folders unchanged for a while are cached. Any other is listed each
//! time.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use dashmap::DashMap;
use promptls_workspace::{Disk, Files, Listing, Stamp, is_inputs_file, is_variables_file};

/// The age from which a folder is cached. The coarsest clocks in use tick every two seconds.
const UNCHANGED_FOR: Duration = Duration::from_secs(3);

/// Listings of folders on disk, and the documents open in them.
#[derive(Debug, Default)]
pub struct Listings {
    by_folder: DashMap<PathBuf, CachedListing>,
    /// The number of times that a document was opened or closed. It detects changes while open
    /// documents are collected.
    openings: AtomicU64,
}

/// The files in a folder.
#[derive(Clone, Debug)]
struct CachedListing {
    stamp: Stamp,
    on_disk: Arc<Listing>,
    look: ListingHashes,
    /// The names including open documents; computed on first use.
    with_open: Option<Arc<Listing>>,
}

/// Hashes of the names in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListingHashes {
    /// The hash of the names of all files.
    pub all: u64,
    /// The hash of the names of inputs and variables files.
    pub sidecars: u64,
}

impl ListingHashes {
    /// Lists a folder and computes its hashes.
    pub fn at(folder: &Path) -> ListingHashes {
        ListingHashes::of(&Disk.list(folder))
    }

    fn of(names: &[String]) -> ListingHashes {
        let (mut all, mut sidecars) = (DefaultHasher::new(), DefaultHasher::new());
        for name in names {
            name.hash(&mut all);
            if is_inputs_file(name) || is_variables_file(name) {
                name.hash(&mut sidecars);
            }
        }
        ListingHashes { all: all.finish(), sidecars: sidecars.finish() }
    }
}

impl Listings {
    /// The sorted names of the files in a folder on disk, and of the documents that are `open`
    /// there.
    ///
    /// Cost: the metadata of the folder if it is cached; otherwise a listing.
    pub fn names(&self, folder: &Path, open: impl FnOnce() -> Vec<String>) -> Arc<Listing> {
        let listing = self.listing(folder);
        if let Some(names) = listing.with_open {
            return names;
        }
        let openings = self.openings.load(Ordering::SeqCst);
        let mut more = open();
        more.retain(|name| listing.on_disk.binary_search(name).is_err());
        let names = match more.is_empty() {
            true => listing.on_disk.clone(),
            false => {
                more.extend_from_slice(&listing.on_disk);
                more.sort();
                more.dedup();
                Listing::of_names(more)
            }
        };
        if let Some(mut known) = self.by_folder.get_mut(folder)
            && known.stamp == listing.stamp
            && self.openings.load(Ordering::SeqCst) == openings
        {
            known.with_open = Some(names.clone());
        }
        names
    }

    /// The hashes of the names in a folder. Cost: see [`Listings::names`].
    pub fn look(&self, folder: &Path) -> ListingHashes {
        self.listing(folder).look
    }

    fn listing(&self, folder: &Path) -> CachedListing {
        let now = SystemTime::now();
        let stamp = Disk.stamp(folder).unwrap_or_default();
        if let Some(known) = self.by_folder.get(folder).filter(|known| known.stamp == stamp) {
            return known.clone();
        }
        let on_disk = Disk.list(folder);
        let listing =
            CachedListing { stamp, look: ListingHashes::of(&on_disk), on_disk, with_open: None };
        let age = stamp.modified.and_then(|modified| now.duration_since(modified).ok());
        match age.is_some_and(|age| age > UNCHANGED_FOR) {
            true => drop(self.by_folder.insert(folder.to_owned(), listing.clone())),
            false => drop(self.by_folder.remove(folder)),
        }
        listing
    }

    /// Handles a document that was opened or closed. Call it after `open` of [`Listings::names`]
    /// returns the new state. If the file exists on disk, the cached names remain valid.
    pub fn opened_or_closed(&self, path: &Path) {
        self.openings.fetch_add(1, Ordering::SeqCst);
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
        if let Some(mut known) = self.by_folder.get_mut(folder) {
            let found =
                known.on_disk.binary_search_by(|other| (**other).cmp(&name.to_string_lossy()));
            if found.is_err() {
                known.with_open = None;
            }
        }
    }

    /// Drops the listing of a folder. Call it when a file in it was added or removed, or is used
    /// again after its document was closed.
    pub fn forget(&self, folder: &Path) {
        self.by_folder.remove(folder);
    }

    /// Drops the listings of all folders.
    pub fn forget_all(&self) {
        self.by_folder.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;

    fn names(listings: &Listings, folder: &Path, open: &[&str]) -> String {
        let open = || open.iter().map(|name| (*name).to_owned()).collect();
        listings.names(folder, open).join(" ")
    }

    /// Sets the modification time of a folder to an hour ago.
    fn make_old(folder: &Path) {
        let long_ago = SystemTime::now() - Duration::from_secs(3600);
        File::open(folder).and_then(|folder| folder.set_modified(long_ago)).unwrap();
    }

    #[test]
    fn an_unchanged_folder_is_listed_once() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, listings) = (folder.path(), Listings::default());
        fs::write(folder.join("b"), "").unwrap();
        // The folder was just changed, so it must not be cached.
        assert_eq!(names(&listings, folder, &["c"]), "b c");
        assert!(listings.by_folder.is_empty());

        make_old(folder);
        assert_eq!(names(&listings, folder, &["b"]), "b");
        let first = listings.names(folder, || panic!("what is open is known"));
        listings.opened_or_closed(&folder.join("b"));
        assert!(Arc::ptr_eq(&first, &listings.names(folder, || panic!("it is on disk"))));
        listings.opened_or_closed(&folder.join("a"));
        assert_eq!(names(&listings, folder, &["a", "b"]), "a b");

        let before = listings.look(folder);
        fs::write(folder.join("c.inputs.json"), "").unwrap();
        assert_eq!(names(&listings, folder, &["a"]), "a b c.inputs.json");
        assert_ne!(listings.look(folder), before);
        fs::remove_file(folder.join("b")).unwrap();
        assert_eq!(names(&listings, folder, &[]), "c.inputs.json");
    }
}
