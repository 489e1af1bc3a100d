//! The names in a folder.

use std::ops::Deref;
use std::sync::Arc;

/// The sorted names of the files in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    names: Vec<String>,
    /// Those that are not listed as regular files, sorted; `None` if the kinds are unknown.
    others: Option<Vec<String>>,
}

impl Listing {
    /// The names in any order, and those of them that are not listed as regular files.
    pub fn new(mut names: Vec<String>, mut others: Vec<String>) -> Listing {
        names.sort_unstable();
        others.sort_unstable();
        Listing { names, others: Some(others) }
    }

    /// Sorted names of unknown kinds.
    pub fn of_names(names: Vec<String>) -> Arc<Listing> {
        Arc::new(Listing { names, others: None })
    }

    /// `true` if the folder lists the name as a regular file, not as a link to one.
    pub fn is_regular(&self, name: &str) -> bool {
        let others = self.others.as_ref();
        let holds = |names: &[String]| names.binary_search_by(|other| (**other).cmp(name)).is_ok();
        others.is_some_and(|others| !holds(others)) && holds(&self.names)
    }
}

impl Deref for Listing {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.names
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use crate::DiskOnce;
    use crate::files::{Entry, Files};

    #[test]
    fn files_listed_as_regular_are_not_examined_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, later] = ["file", "link", "later"].map(|name| folder.path().join(name));
        fs::write(&file, "").expect("a file");
        symlink("file", &link).expect("a link");
        let files = DiskOnce::default();
        assert_eq!(files.entry(&file), Entry::Regular);
        assert_eq!(**files.list(folder.path()), ["file", "link"]);
        fs::remove_file(&file).expect("it is there");
        fs::write(&later, "").expect("a file");
        assert_eq!(files.entry(&file), Entry::Regular);
        assert_eq!(files.entry(&link), Entry::Link);
        assert_eq!(files.entry(&later), Entry::Regular);
        assert_eq!(files.entry(folder.path()), Entry::Other);
    }
}
