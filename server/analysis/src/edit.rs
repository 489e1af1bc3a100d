//! Changes of files, in plain data.

use promptls_resolver::Location;

/// Text to put in the place of a piece of one of a prompt's files.
///
/// Of a list of edits, each speaks of the files as they were before all of them, and none
/// overlaps another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TextEdit {
    /// What goes; an empty range to insert only. For a prompt in a pack, the place is in the
    /// decoded text of the prompt.
    pub location: Location,
    /// What comes.
    pub text: String,
}
