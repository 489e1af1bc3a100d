//! Reads large files in the background.

use std::sync::Arc;

use crate::diagnostics::Diagnostics;
use crate::session::documents::Documents;

/// Reads the requested files until the server ends. Prompts that need them are checked again.
pub async fn run(documents: Arc<Documents>, diagnostics: Arc<Diagnostics>) {
    loop {
        documents.large_files().requested().await;
        let reader = documents.clone();
        let read = tokio::task::spawn_blocking(move || reader.loader().read_large_files());
        diagnostics.mark(read.await.unwrap_or_default());
    }
}
