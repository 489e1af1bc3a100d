//! Gathering what code says of prompts elsewhere while the editor goes on.

use std::sync::Arc;

use crate::session::Session;

/// Gathers what is asked for, for as long as the server lives. Who looks at a file that has other
/// prompts now is told.
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
