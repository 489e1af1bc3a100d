//! What may change in a file.

use std::ops::Range;

/// One change of a JSON or YAML file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FileEdit {
    /// A new entry at the end of an object. The path leads to it from the top of the file;
    /// objects on the way that are missing are made. The value is JSON.
    ///
    /// An entry that is there is only replaced if it is `null`.
    Insert {
        /// The keys from the top, the new one last.
        path: Vec<String>,
        /// What it shall be.
        value: String,
    },
    /// A new item at the end of a list; as for [`FileEdit::Insert`].
    Append {
        /// The keys from the top to the list.
        path: Vec<String>,
        /// What it shall be.
        value: String,
    },
    /// The entry whose key starts at an offset goes, or the item of a list that starts there.
    Remove {
        /// In bytes.
        at: usize,
    },
    /// Another value, or a new entry as for [`FileEdit::Insert`]. A number among the keys leads
    /// into a list, or to its end.
    ///
    /// What is the same in both values stays as it is written, and what changes keeps its style:
    /// quotes, lines, brackets.
    Set {
        /// The keys from the top.
        path: Vec<String>,
        /// What it shall be.
        value: String,
    },
    /// The entry or the item at the end of a path goes, if it is there.
    Unset {
        /// The keys from the top.
        path: Vec<String>,
    },
    /// An entry of the top whose key is a path moves into objects, a key for each step. It stays
    /// where it is unless there is such an object already.
    Nest {
        /// Where its key starts, in bytes.
        at: usize,
        /// The steps.
        path: Vec<String>,
    },
    /// Another key for an entry.
    Rename {
        /// Where the key stands, quotes included, in bytes.
        key: Range<usize>,
        /// The new key.
        name: String,
    },
    /// All of it is new.
    Replace {
        /// The text.
        text: String,
    },
}
