//! Rewriting of files: computes new contents, and writes nothing.

pub mod converted;
pub mod fixes;
pub mod formatting;
pub mod layout;
pub mod rebase_file_values;

use std::sync::Arc;

/// A file with its new content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The current content.
    pub before: Arc<str>,
    /// The new content.
    pub after: Arc<str>,
}
