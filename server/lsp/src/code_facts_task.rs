//! Collects facts about prompts from code in other files, in the background.

use std::sync::Arc;

use crate::session::Session;

/// Collects what is requested until the server ends. Diagnostics and displays of files whose
/// prompts changed are refreshed.
pub async fn run(session: Arc<Session>) {
    loop {
        session.documents.code_facts().queued().await;
        let documents = session.documents.clone();
        documents.code_facts().set_collecting(true);
        let collected =
            tokio::task::spawn_blocking(move || documents.loader().collect_code_facts());
        let changed = collected.await.unwrap_or_default();
        session.documents.code_facts().set_collecting(false);
        session.workspace.note_progress();
        if !changed.is_empty() {
            session.refresh().display();
            session.followers().documents_changed();
            session.diagnostics.mark(changed);
        }
    }
}
