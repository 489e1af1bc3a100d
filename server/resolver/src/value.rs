//! The values of an inputs file, with their ranges.
//!
//! A value preserves the source form: the text of numbers, and the order of keys. Each dialect has
//! its own string form (`string_form.rs`).

mod from;
pub(crate) mod number;

use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use promptls_data::Span;

use crate::findings::problem::{FileId, Location};
use crate::output::Bounded;
use crate::string_form::json;
use std::hash::BuildHasher;

/// A value and its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The kind of the value.
    pub kind: ValueKind,
    /// Its range in the file, quotes and brackets included.
    pub span: Span,
}

/// The kind of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number in source form: `1.50` stays `1.50`.
    Number(Box<str>),
    /// A text, after escapes are decoded.
    String(Box<str>),
    /// `{"$file": "notes.md"}`: the text of another file.
    File(FileText),
    /// `[…]`, with the items in order.
    List(Vec<Value>),
    /// `{…}`, with the keys in source order.
    Object(Object),
}

/// A reference to the text of another file: `{"$file": path}`.
#[derive(Clone, Debug, PartialEq)]
pub struct FileText {
    /// The path in source form, relative to the inputs file.
    pub path: Box<str>,
    /// Its text, after the caller has loaded it.
    pub text: Option<Arc<str>>,
}

impl Value {
    /// The text of a string or of a loaded `$file`; `None` for all other values.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            ValueKind::String(text) => Some(text),
            ValueKind::File(file) => Some(file.text.as_deref().unwrap_or_default()),
            _ => None,
        }
    }

    /// The object; `None` for other values.
    pub fn as_object(&self) -> Option<&Object> {
        match &self.kind {
            ValueKind::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The items of a list; `None` for other values.
    pub fn as_list(&self) -> Option<&[Value]> {
        match &self.kind {
            ValueKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// `true` for `null`, but not for an empty text.
    pub fn is_null(&self) -> bool {
        matches!(self.kind, ValueKind::Null)
    }

    /// Its location in its file; `None` if it has none.
    #[inline]
    pub(crate) fn location(&self, file: Option<FileId>) -> Option<Location> {
        Some(Location { file: file?, range: self.span.range() })
    }

    /// Compact JSON, up to a megabyte.
    pub fn to_json(&self) -> String {
        let mut out = Bounded::new(1 << 20, 16);
        json(self, &mut out);
        out.text
    }

    /// The kind in messages about declarations: `a number`, `an array`, ….
    pub fn kind_name(&self) -> &'static str {
        match &self.kind {
            ValueKind::Null => "null",
            ValueKind::Bool(_) => "a boolean",
            ValueKind::Number(_) => "a number",
            ValueKind::String(_) | ValueKind::File(_) => "a string",
            ValueKind::List(_) => "an array",
            ValueKind::Object(_) => "an object",
        }
    }
}

/// A key, its range, and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key, after escapes are decoded. The objects of a list share equal keys.
    pub key: Arc<str>,
    /// The range of the key, quotes included.
    pub key_span: Span,
    /// The value; for a duplicate key, the last one.
    pub value: Value,
}

/// The hash of a key, to compute once and look up many times.
pub fn key_hash(key: &str) -> u64 {
    FixedState::with_seed(0).hash_one(key)
}

/// The maximum size of objects that are searched linearly: comparing a few short keys is faster
/// than hashing one.
const INDEXED_ABOVE: usize = 4;

/// Keys and values in source order.
///
/// A duplicate key has its first position and its last value.
#[derive(Clone, Debug, Default)]
pub struct Object {
    entries: Vec<Entry>,
    /// Indices into `entries` by [`key_hash`]; `None` in small objects. In a box, because most
    /// objects are small, and their size is that of each value.
    index: Option<Box<HashTable<u32>>>,
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

impl Object {
    /// Creates an empty object with a capacity.
    pub fn with_capacity(entries: usize) -> Self {
        let index = || Box::new(HashTable::with_capacity(entries));
        let index = (entries > INDEXED_ABOVE).then(index);
        Object { entries: Vec::with_capacity(entries), index }
    }

    /// Adds an entry; returns the replaced one if the key existed.
    pub fn insert(&mut self, entry: Entry) -> Option<Entry> {
        if let Some(position) = self.position(&entry.key) {
            return Some(std::mem::replace(&mut self.entries[position], entry));
        }
        self.entries.push(entry);
        if self.entries.len() > INDEXED_ABOVE {
            let (entries, index) = (&self.entries, self.index.get_or_insert_default());
            let rehash = |&position: &u32| key_hash(&entries[position as usize].key);
            for (position, entry) in entries.iter().enumerate().skip(index.len()) {
                // A file of 4 GiB contains at most 2^32 entries.
                index.insert_unique(key_hash(&entry.key), position as u32, rehash);
            }
        }
        None
    }

    /// The entry of a key; `None` if there is none. Cost: constant.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.get_hashed(key, || key_hash(key))
    }

    /// The same for callers that may have the [`key_hash`] already.
    #[inline]
    pub fn get_hashed(&self, key: &str, hash: impl FnOnce() -> u64) -> Option<&Entry> {
        self.position_hashed(key, hash).map(|position| &self.entries[position])
    }

    /// The index of a key in [`Object::entries`]; `None` if there is none. Cost: constant.
    pub fn position(&self, key: &str) -> Option<usize> {
        self.position_hashed(key, || key_hash(key))
    }

    #[inline]
    pub(crate) fn position_hashed(&self, key: &str, hash: impl FnOnce() -> u64) -> Option<usize> {
        let Some(index) = self.index.as_ref().filter(|index| !index.is_empty()) else {
            return self.entries.iter().position(|entry| *entry.key == *key);
        };
        index
            .find(hash(), |&position| *self.entries[position as usize].key == *key)
            .map(|&position| position as usize)
    }

    /// All entries in source order; a duplicate key occurs once.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All values, in order, for changes.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        self.entries.iter_mut().map(|entry| &mut entry.value)
    }

    /// All entries, in order, for changes of everything but their keys.
    #[cfg(feature = "serde")]
    pub(crate) fn entries_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.entries.iter_mut()
    }

    /// `true` if it has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
