//! Errors for texts that may be prompts and cannot be read.

use std::ops::Range;

use promptls_syntax::Dialect;

/// A host, or a string in it, that may hold a prompt and cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The character at which reading stops, or the string.
    pub range: Range<usize>,
    /// The reason: one line, lower case, without a full stop.
    pub reason: String,
}

/// A value that a framework uses as a prompt, and whose text only the running program has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The value, and why its text is unknown.
    pub unread: Unread,
    /// The dialect in which the framework reads it.
    pub dialect: Dialect,
}

impl Computed {
    /// A text that code changes in a way that cannot be followed.
    pub(crate) fn not_followed(range: Range<usize>, dialect: Dialect) -> Computed {
        let reason =
            "the code changes this text in a way that is not followed, so it is not checked";
        Computed { unread: Unread::new(range, reason), dialect }
    }
}

impl Unread {
    pub(crate) fn new(range: Range<usize>, reason: impl Into<String>) -> Unread {
        Unread { range, reason: reason.into() }
    }

    /// The error for a host of more than `max` bytes.
    pub(crate) fn too_large(max: usize) -> Unread {
        let reason = format!(
            "it is larger than {} MiB, the maximum size of files that are searched for prompts",
            max >> 20
        );
        Unread::new(0..0, reason)
    }
}
