//! Changes of files, as plain data.

use promptls_resolver::Location;

/// Replaces a range of one of a prompt's files.
///
/// All edits of a list refer to the files before any of them is applied, and none overlaps another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextEdit {
    /// The range to replace; empty for an insertion. For a prompt in a pack, it is in the decoded
    /// text of the prompt.
    pub location: Location,
    /// The new text of the range.
    pub text: String,
}
