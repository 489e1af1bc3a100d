//! Reading large files while the editor goes on.

use std::sync::Arc;

use crate::diagnostics::Diagnostics;
use crate::session::documents::Documents;

/// Reads what is asked for, for as long as the server lives. Whoever looks at a prompt that needs
/// it is told.
pub async fn run(documents: Arc<Documents>, diagnostics: Arc<Diagnostics>) {
    loop {
        documents.large_files().wanted().await;
        let reader = documents.clone();
        let read = tokio::task::spawn_blocking(move || reader.read_large_files());
        diagnostics.mark(read.await.unwrap_or_default());
    }
}
