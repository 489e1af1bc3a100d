//! What files become, before anything is written.

pub mod converted;
pub mod fixes;
pub mod formatting;
pub mod layout;
pub mod rebase_file_values;

use std::sync::Arc;

/// A file that becomes another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// What it says.
    pub before: Arc<str>,
    /// What it shall say.
    pub after: Arc<str>,
}
