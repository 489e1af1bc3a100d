//! Values above others.

use std::borrow::Cow;

use promptls_resolver::{FileId, Object, ValueRef, Values};

/// Values that count before those of a row.
pub struct Overlay<'a> {
    /// What counts.
    pub above: &'a Object,
    /// What counts where nothing is above.
    pub below: &'a dyn Values,
}

impl Values for Overlay<'_> {
    fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        Values::get(self.above, name).or_else(|| self.below.get(name))
    }

    fn get_hashed(&self, name: &str, hash: u64) -> Option<ValueRef<'_>> {
        let above = Values::get_hashed(self.above, name, hash);
        above.or_else(|| self.below.get_hashed(name, hash))
    }

    fn file(&self) -> Option<FileId> {
        self.below.file()
    }

    /// Those below, in their order, then the names that are only above.
    fn all(&self) -> Option<Cow<'_, Object>> {
        let mut all = self.below.all()?.into_owned();
        for entry in self.above.entries() {
            all.insert(entry.clone());
        }
        Some(Cow::Owned(all))
    }

    fn count(&self) -> Option<usize> {
        let only_above = |entry: &&_| {
            let entry: &promptls_resolver::Entry = entry;
            self.below.get(&entry.key).is_none()
        };
        Some(self.below.count()? + self.above.entries().iter().filter(only_above).count())
    }
}
