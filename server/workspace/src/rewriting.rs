//! Rewriting of files: computes new contents, and writes nothing.

pub mod converted;
pub mod fixes;
pub mod formatting;
pub mod layout;
pub mod rebase_file_values;
pub mod set_input;

use std::sync::Arc;

/// A file with its new content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The content that the change was computed from.
    pub before: Arc<str>,
    /// The content to write to the file.
    pub after: Arc<str>,
}
