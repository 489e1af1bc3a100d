//! Noticing changes on disk for editors that do not tell.
//!
//! Neovim on Linux, for one, does not watch files for its servers. So once a
//! second the files that belong to open documents are looked at: which are there,
//! how long they are, and when they were written.

use std::sync::Arc;
use std::time::Duration;

use crate::diagnostics::Diagnostics;
use crate::session::documents::Documents;

/// How often the disk is looked at. Seldom enough to cost nothing, often enough that nobody
/// goes looking for a restart.
const INTERVAL: Duration = Duration::from_secs(1);

/// Looks at the disk for as long as the server lives.
pub async fn run(documents: Arc<Documents>, diagnostics: Arc<Diagnostics>) {
    loop {
        tokio::time::sleep(INTERVAL).await;
        diagnostics.mark(documents.changed_on_disk());
    }
}
