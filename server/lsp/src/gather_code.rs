//! Collects facts about prompts from code in other files, in the background.

use std::sync::Arc;

use crate::session::Session;

/// Collects what is requested until the server ends. Diagnostics and displays of files whose
/// prompts changed are refreshed.
pub async fn run(session: Arc<Session>) {
    loop {
        session.documents.known_code().wanted().await;
        let documents = session.documents.clone();
        let gathered = tokio::task::spawn_blocking(move || documents.gather_code());
        let touched = gathered.await.unwrap_or_default();
        if !touched.is_empty() {
            session.refresh().display();
            session.followers().documents_changed();
            session.diagnostics.mark(touched);
        }
    }
}
