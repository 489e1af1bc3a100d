//! The possible edits of a file.

use std::ops::Range;

/// A single edit of a JSON, YAML or TOML file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FileEdit {
    /// Adds an entry at the end of an object. The path leads to it from the root of the file;
    /// missing objects are created. The value is JSON.
    ///
    /// An existing entry is replaced only if it is `null`.
    Insert {
        /// The keys from the root, the new one last.
        path: Vec<String>,
        /// The new value, as JSON.
        value: String,
    },
    /// Adds an item at the end of a list; otherwise as [`FileEdit::Insert`].
    Append {
        /// The keys from the root to the list.
        path: Vec<String>,
        /// The new item, as JSON.
        value: String,
    },
    /// Removes the entry whose key starts at an offset, or the item of a list that starts there.
    Remove {
        /// The start of the key or of the item, in bytes.
        at: usize,
    },
    /// Replaces a value, or adds an entry as [`FileEdit::Insert`] does. A number among the keys is
    /// an index into a list, or its end.
    ///
    /// Parts that are equal in both values remain unchanged, and changed parts keep their style:
    /// quotes, lines, brackets.
    Set {
        /// The keys from the root.
        path: Vec<String>,
        /// The new value, as JSON.
        value: String,
    },
    /// Removes the entry or the item at the end of a path, if it exists.
    Unset {
        /// The keys from the root.
        path: Vec<String>,
    },
    /// Moves an entry of the root whose key is a path into objects, one for each step. It remains
    /// at its position unless such an object exists already.
    Nest {
        /// The start of its key, in bytes.
        at: usize,
        /// The steps of the path.
        path: Vec<String>,
    },
    /// Renames the key of an entry.
    Rename {
        /// The range of the key including quotes, in bytes.
        key: Range<usize>,
        /// The new key, without quotes and escapes.
        name: String,
    },
    /// Replaces the whole text, without parsing it.
    Replace {
        /// The new text of the file, verbatim.
        text: String,
    },
}
