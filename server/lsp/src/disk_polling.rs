//! Detects changes on disk for editors that do not report them.
//!
//! Neovim on Linux, for example, does not watch files for its servers. So the files of open
//! documents are compared once a second: their existence, length and modification time.

use std::sync::Arc;
use std::time::Duration;

use crate::diagnostics::Diagnostics;
use crate::session::documents::Documents;

/// The interval between comparisons. Rare enough to cost nothing, frequent enough that users do not
/// restart the server.
const INTERVAL: Duration = Duration::from_secs(1);

/// Compares the files on disk until the server ends.
pub async fn run(documents: Arc<Documents>, diagnostics: Arc<Diagnostics>) {
    loop {
        tokio::time::sleep(INTERVAL).await;
        diagnostics.mark(documents.loader().changed_on_disk());
    }
}
