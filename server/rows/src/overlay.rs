//! Values that override others.

use std::borrow::Cow;
use std::cell::OnceCell;

use promptls_resolver::{Entry, FileId, Object, ValueRef, Values};

/// Values that override those of a row.
pub struct Overlay<'a> {
    /// The overriding values, which are in no file.
    pub above: &'a Object,
    /// The values that are used if `above` has none.
    pub below: &'a dyn Values,
    all: OnceCell<Object>,
}

impl<'a> Overlay<'a> {
    /// Borrows both; a name in `above` hides the same name in `below`.
    pub fn new(above: &'a Object, below: &'a dyn Values) -> Overlay<'a> {
        Overlay { above, below, all: OnceCell::new() }
    }
}

impl Overlay<'_> {
    /// A value of `above`, without a range, because those are in no file, even if the values below
    /// are.
    fn above(&self, name: &str) -> Option<ValueRef<'_>> {
        let value = &self.above.get(name)?.value;
        Some(value.as_text().map_or(ValueRef::Value(value), ValueRef::Text))
    }
}

impl Values for Overlay<'_> {
    fn get(&self, name: &str) -> Option<ValueRef<'_>> {
        self.above(name).or_else(|| self.below.get(name))
    }

    fn get_hashed(&self, name: &str, hash: u64) -> Option<ValueRef<'_>> {
        self.above(name).or_else(|| self.below.get_hashed(name, hash))
    }

    fn file(&self) -> Option<FileId> {
        self.below.file()
    }

    /// Values below, in their order, then the names that are only above.
    fn all(&self) -> Option<Cow<'_, Object>> {
        let below = self.below.all()?;
        let all = || {
            let mut all = below.into_owned();
            for entry in self.above.entries() {
                all.insert(entry.clone());
            }
            all
        };
        Some(Cow::Borrowed(self.all.get_or_init(all)))
    }

    fn count(&self) -> Option<usize> {
        let only_above = |entry: &&Entry| self.below.get(&entry.key).is_none();
        Some(self.below.count()? + self.above.entries().iter().filter(only_above).count())
    }
}
